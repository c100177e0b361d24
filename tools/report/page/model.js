'use strict';
// The contracts as the tool read them, and indices into them. Nothing here touches the page.

const model = JSON.parse(document.getElementById('model').textContent);
const mostDrawn = 300;  // nodes; above that a picture helps nobody and a list does

// The worst first; those that do not count last.
const gravity = (finding) => (finding.suppressed ? 9 : ['error', 'warning', 'note'].indexOf(finding.severity));
model.findings.sort((a, b) => gravity(a) - gravity(b));

const participantByName = new Map(model.participants.map((one) => [one.name, one]));
const sagaByName = new Map(model.sagas.map((one) => [one.name, one]));
const stepByName = new Map(model.steps.map((one) => [one.name, one]));
const eventByName = new Map(model.events.map((one) => [one.name, one]));
const ruleByCode = new Map(model.rules.map((one) => [one.code, one]));

// Short names are not unique in a large estate; the first one stands for a label that has nothing else.
const eventByShortName = new Map();
for (const event of model.events) if (!eventByShortName.has(event.short)) eventByShortName.set(event.short, event);

for (const participant of model.participants) {
  participant.steps = [];
  participant.says = new Set();
  participant.hears = new Set();
}
for (const step of model.steps) {
  step.says = step.outcomes.flatMap((group) => group.events);
  const participant = participantByName.get(step.participant);
  participant.steps.push(step);
  for (const event of step.says) participant.says.add(event);
  for (const event of step.triggers) participant.hears.add(event);
}

const path = (...parts) => '#/' + parts.map(encodeURIComponent).join('/');
const hrefOfEvent = (event) => path('event', event.name, '2');
const hrefOfParticipant = (name) => path('participant', name);
const hrefOfStep = (step) => path('participant', step.participant, step.name);
const hrefOfSaga = (saga) => path('saga', saga.name);
const hrefOfRule = (code) => path('rule', code);

// What a station of a witness stands for: `order.Expire (timer)`, `OrderExpired`.
function hrefOfLabel(label) {
  const name = label.split(' (')[0];
  if (stepByName.has(name)) return hrefOfStep(stepByName.get(name));
  const event = eventByName.get(name) || eventByShortName.get(name);
  return event ? hrefOfEvent(event) : null;
}

const plural = (count, word) => count + ' ' + word + (count === 1 ? '' : 's');
const matches = (text, wanted) => text.toLowerCase().includes(wanted.trim().toLowerCase());
