// What leads to an event and what follows from it, in steps and events.

const deepest = 4;
const isStep = (node) => node.outcomes !== undefined;

function neighbours(node, sign) {
  if (!isStep(node)) return (sign > 0 ? node.to : node.by).map((i) => model.steps[i]);
  if (sign > 0) return [...node.says.map((i) => model.events[i]), ...node.arms.map((i) => model.steps[i])];
  return [...node.triggers.map((i) => model.events[i]), ...armersOf(node)];
}

function armersOf(step) {
  if (!step.timeout) return [];
  const armer = stepByName.get(step.participant + '.' + step.timeout.armed_by);
  return armer ? [armer] : [];
}

const eventsAndSteps = {
  neighbours,
  href: (node) => (isStep(node) ? hrefOfStep(node) : hrefOfEvent(node)),
  name: (node) => (isStep(node) ? node.name : node.short),
  word: (node) => (isStep(node) ? node.kind : (node.failure ? '✖ failure event' : 'event')),
  kind: (node) => (isStep(node) ? node.kind : (node.failure ? 'undone' : 'observer')),
  corner: (node) => (isStep(node) ? (node.kind === 'retriable' ? 10 : 2) : 20),
  line: (from, to) => (isStep(from) && isStep(to) ? 'timer' : ((isStep(from) ? to : from).failure ? 'failure' : 'forward')),
};

function eventList() {
  let wanted = '';
  const [list, again] = live(() => growing(model.events.filter((event) => matches(event.name, wanted)),
      (event) => element('li', {}, link(hrefOfEvent(event), event.short), ' ', element('code', {}, event.name)),
      element('ul', {class: 'rows'})));
  return [element('h1', {}, 'Events'), element('p', {class: 'lead'}, 'Choose an event to see what leads to it and what follows.'),
          textFilter('Filter events', '', (value) => { wanted = value; again(); }), list];
}

function neighbourhoodView(name, depthText) {
  const event = eventByName.get(name);
  if (!event) return eventList();
  const depth = Math.min(deepest, Math.max(1, Number(depthText) || 2));
  const levels = around(event, 2 * depth - 1, neighbours);  // a step and its event are two
  const depths = Array.from({length: deepest}, (_, i) => i + 1);
  return [element('h1', {}, 'Around ' + event.short),
          element('p', {class: 'lead'}, element('code', {}, event.name), ' of ',
                  participantByName.has(event.context) ? link(hrefOfParticipant(event.context), event.context) : event.context,
                  event.failure ? ', a failure' : '', event.public ? ', for anybody' : ''),
          element('nav', {class: 'scenarios', 'aria-label': 'Depth in steps'},
                  element('ul', {}, element('li', {class: 'plain'}, 'Steps either way:'), depths.map((one) => element('li', {},
                      element('a', {href: path('event', event.name, String(one)), 'aria-current': one === depth ? 'true' : null}, String(one)))))),
          levels.size <= mostDrawn
              ? [columnsPicture(event, levels, eventsAndSteps), element('details', {}, element('summary', {}, 'The same as a list'), columnsList(levels, eventsAndSteps))]
              : [element('p', {class: 'hint'}, levels.size + ' nodes are more than a picture can show (' + mostDrawn + '); fewer steps may help.'),
                 columnsList(levels, eventsAndSteps)],
          element('p', {}, link('#/event', 'All events'))];
}
