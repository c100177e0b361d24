// Services, and the flow of one saga with its scenarios.

function partners(participant, sign) {
  const events = [...(sign > 0 ? participant.says : participant.hears)].map((i) => model.events[i]);
  const steps = events.flatMap((event) => (sign > 0 ? event.to : event.by));
  return [...new Set(steps.map((step) => participantByName.get(model.steps[step].participant)))];
}

// One service between those it hears and those that hear it: what a map of hundreds cannot show.
function oneServiceView(participant) {
  const services = {
    neighbours: (one, sign) => partners(one, sign).filter((other) => one === participant || other === participant),
    href: (one) => path('services', one.name),
    name: (one) => one.name,
    word: (one) => one.owner || plural(one.steps.length, 'step'),
    kind: () => 'participant',
    corner: () => 2,
    line: () => 'forward',
  };
  const levels = around(participant, 1, services.neighbours);
  return [element('h1', {}, 'Around ' + participant.name),
          element('p', {class: 'lead'}, 'Who it hears, and who hears it.'),
          levels.size <= mostDrawn ? columnsPicture(participant, levels, services) : columnsList(levels, services),
          element('p', {}, link(hrefOfParticipant(participant.name), 'Contract of ' + participant.name), ' · ', link('#/services', 'All services'))];
}

function servicesView(name) {
  if (participantByName.has(name)) return oneServiceView(participantByName.get(name));
  const many = 40;
  return [element('h1', {}, 'Services'),
          element('p', {class: 'lead'}, 'Who sends events to whom. A box leads to the contract of its participant.'),
          model.participants.length > many &&
              choice('One service and its neighbours', [['', 'choose'], ...model.participants.map((one) => [one.name, one.name])], '',
                     (chosen) => { if (chosen) location.hash = path('services', chosen); }),
          pictureOrList(model.services, 'Map of services', (node) => hrefOfParticipant(node.id))];
}

const hrefOfNode = (node) => (stepByName.has(node.id) ? hrefOfStep(stepByName.get(node.id)) : null);

function sagaList() {
  return [element('h1', {}, 'Sagas'),
          model.sagas.length === 0 && element('p', {}, 'No event starts a saga.'),
          growing(model.sagas, (saga) => element('li', {}, link(hrefOfSaga(saga), saga.name), ' ',
                  plural(saga.drawing.nodes.length, 'node') + ', ' + plural(saga.scenarios.length, 'scenario')), element('ul', {class: 'rows'}))];
}

// Which nodes and edges of the picture a scenario runs through: an edge where both ends and, but for timers, its event do.
function litBy(scenario) {
  const names = new Set(scenario.lit);
  const ends = new Set(['COMPLETED', 'CANCELLED', 'STUCK', 'anybody']);
  const edgeIsLit = (edge) => names.has(edge.from) && (names.has(edge.to) || ends.has(edge.to)) &&
      (edge.kind === 'timer' || edge.labels.some((label) => names.has(label)));
  return {names, edgeIsLit};
}

function scenarioChoice(saga, chosen) {
  const entry = (text, href, current) => element('li', {}, element('a', {href, 'aria-current': current ? 'true' : null}, text));
  return element('nav', {class: 'scenarios', 'aria-label': 'Scenarios'},
                 element('ul', {}, entry('everything', hrefOfSaga(saga), chosen < 0),
                         saga.scenarios.map((one, i) => entry(one.name, path('saga', saga.name, String(i + 1)), i === chosen))));
}

function sagaView(name, number) {
  const saga = sagaByName.get(name) || (model.sagas.length === 1 && name === undefined ? model.sagas[0] : null);
  if (!saga) return sagaList();
  const chosen = Number(number || 0) - 1;
  const scenario = saga.scenarios[chosen];
  let lit = null;
  let steps = null;
  if (scenario) {
    const {names, edgeIsLit} = litBy(scenario);
    const reached = new Set(saga.drawing.edges.filter(edgeIsLit).map((edge) => edge.to));
    lit = (part) => ('from' in part ? edgeIsLit(part) : names.has(part.id) || reached.has(part.id));
    const taking = saga.drawing.nodes.filter(lit).sort((a, b) => Number(a.x) - Number(b.x));  // as they come in the picture
    steps = element('section', {'aria-label': 'Steps of the scenario'}, element('h2', {}, 'Steps that take part'),
                    element('ol', {class: 'rows'}, taking.map((node) => {
                      const href = hrefOfNode(node);
                      return element('li', {}, href ? link(href, node.name) : node.name, node.subtitle ? ' (' + node.subtitle + ')' : '');
                    })));
  }
  return [element('h1', {}, 'Saga ' + saga.name),
          saga.deadline && element('p', {class: 'lead'}, 'Somebody has to look when it takes longer than ' + saga.deadline + '.'),
          saga.scenarios.length > 0 && scenarioChoice(saga, chosen),
          pictureOrList(saga.drawing, 'Flow of saga ' + saga.name + (scenario ? ', ' + scenario.name : ''), hrefOfNode, lit),
          steps,
          model.sagas.length > 1 && element('p', {}, link('#/saga', 'All sagas'))];
}
