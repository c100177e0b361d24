// The contract of one participant: what starts its steps, what they may say, how they are undone.

const eventLinks = (indices) => listed(indices.map((i) => link(hrefOfEvent(model.events[i]), model.events[i].short)));

function definition(term, ...content) {
  if (content.flat(Infinity).every((one) => !one)) return null;
  return [element('dt', {}, term), element('dd', {}, ...content)];
}

function triggerOf(step) {
  if (step.start === 'command') return 'a command, ' + step.input;
  if (step.start === 'timer') {
    const armer = step.timeout && stepByName.get(step.participant + '.' + step.timeout.armed_by);
    return step.timeout ? ['the clock, ', step.timeout.after, ' after ', armer ? link(hrefOfStep(armer), armer.name) : step.timeout.armed_by]
                        : 'the clock';
  }
  return [step.start === 'event' ? '' : step.start + ' ', eventLinks(step.triggers)];
}

function outcomesOf(step) {
  const groups = step.outcomes.map((group) => {
    const choices = group.events.length + (group.nothing ? 1 : 0);
    return element('li', {}, group.exclusive && choices > 2 ? 'one of ' : '',
                   group.events.map((i, place) => [place === 0 ? '' : group.exclusive && place + 1 === choices ? ' or ' : ', ', eventLinks([i])]),
                   group.nothing ? (group.events.length ? ' or nothing' : 'nothing') : '');
  });
  return groups.length ? element('ul', {class: 'outcomes'}, groups) : 'nothing';
}

function stepCard(step, chosen) {
  const sibling = (name) => {
    const other = stepByName.get(step.participant + '.' + name);
    return other ? link(hrefOfStep(other), other.name) : name;
  };
  return element('article', {class: 'card' + (chosen ? ' chosen' : ''), tabindex: chosen ? '-1' : null, id: chosen ? 'chosen' : null},
      element('h3', {}, step.name, ' ', element('span', {class: 'badge kind ' + step.kind}, step.kind)),
      element('dl', {},
          definition('started by', triggerOf(step)),
          definition('says', outcomesOf(step)),
          definition('undone by', step.compensated_by && sibling(step.compensated_by)),
          definition('arms', listed(step.arms.map((i) => link(hrefOfStep(model.steps[i]),
                                                             model.steps[i].name + ' after ' + model.steps[i].timeout.after)))),
          definition('loop', step.bound && (step.bound.loop + ', at most ' + plural(step.bound.max, 'time') +
                                            (step.bound.exit ? ', then ' + step.bound.exit : ''))),
          definition('settles', listed((step.settles || []).map(sibling))),
          definition('holds', step.holds && step.holds.join(', ')),
          definition('releases', step.releases && step.releases.join(', ')),
          definition('null-safe', step.null_safe && 'yes: undoes nothing where nothing was done'),
          definition('only in', step.sagas && step.sagas.join(', ')),
          definition('declared', placeText(step.place))));
}

function eventCard(event) {
  return element('article', {class: 'card'},
      element('h3', {}, link(hrefOfEvent(event), event.short), event.failure && element('span', {class: 'badge warning'}, '✖ failure'),
              event.public && element('span', {class: 'badge'}, 'for anybody'), event.deprecated && element('span', {class: 'badge'}, 'deprecated')),
      element('dl', {},
          definition('full name', placeText(event.name)),
          definition('said by', listed(event.by.map((i) => link(hrefOfStep(model.steps[i]), model.steps[i].name)))),
          definition('heard by', listed(event.to.map((i) => link(hrefOfStep(model.steps[i]), model.steps[i].name)))),
          definition('means', event.roles.map((one) => one.role.replace('_', ' ') + ' of ' + one.saga).join(', ')),
          definition('subject', event.subject && placeText(event.subject)),
          definition('fields', listed(event.fields.map((name) => element('span', {}, element('code', {}, name),
              name === event.key ? ' (key)' : '', event.personal.includes(name) ? ' (personal)' : '')))),
          definition('declared', placeText(event.place))));
}

function participantList() {
  let wanted = '';
  const [list, again] = live(() => growing(
      model.participants.filter((one) => matches(one.name + ' ' + one.owner, wanted)),
      (one) => element('li', {}, link(hrefOfParticipant(one.name), one.name), ' ',
                       [one.owner, plural(one.steps.length, 'step'), one.external && 'external'].filter(Boolean).join(', ')),
      element('ul', {class: 'rows'})));
  return [element('h1', {}, 'Contracts'), textFilter('Filter participants', '', (value) => { wanted = value; again(); }), list];
}

function participantView(name, stepName) {
  const participant = participantByName.get(name);
  if (!participant) return participantList();
  const own = model.events.filter((event) => event.context === name);
  const heard = [...participant.hears].map((i) => model.events[i]).filter((event) => event.context !== name);
  const findings = model.findings.filter((one) => participant.steps.some((step) =>
      one.place === step.place || one.witness.some((station) => station.label.split(' (')[0] === step.name)));
  requestAnimationFrame(() => { const card = byId('chosen'); if (card) { card.scrollIntoView({block: 'center'}); card.focus(); } });
  return [element('h1', {}, 'Contract of ' + participant.name),
          participant.description && element('p', {class: 'lead'}, participant.description),
          element('dl', {class: 'facts'}, definition('owner', participant.owner), definition('service', element('code', {}, participant.service)),
                  definition('declared', placeText(participant.place)),
                  definition('external', participant.external && 'does not run on the framework')),
          findings.length > 0 && [element('h2', {}, plural(findings.length, 'finding')), growing(findings, findingCard, element('div', {}), 5)],
          element('h2', {}, plural(participant.steps.length, 'step')),
          element('div', {class: 'cards'}, participant.steps.map((step) => stepCard(step, step.name === stepName))),
          element('h2', {}, plural(own.length, 'event') + ' of its own'),
          element('div', {class: 'cards'}, own.map(eventCard)),
          element('h2', {}, plural(heard.length, 'event') + ' it hears'),
          element('div', {class: 'cards'}, heard.map(eventCard)),
          element('p', {}, link(path('services', name), 'Who it talks to'), ' · ', link('#/participant', 'All contracts'))];
}
