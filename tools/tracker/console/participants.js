// Which contracts run, and which programs run them.

import {get} from './api.js';
import {element, table} from './dom.js';
import {age, now} from './time.js';
import {reloading} from './view.js';
import {code, count, mark, plural} from './words.js';

const readiness = ({live, ready}) => (ready ? mark('completed', '✔ ready') : live ? mark('compensating', '▲ not ready') : mark('stuck', '✖ not live'));

function troubles(state) {
  const bad = Object.entries(state).filter(([, text]) => text !== 'ok');
  return bad.length === 0 ? '' : bad.map(([what, text]) => element('p', {class: 'warn'}, what + ': ' + text));
}

function instanceTable(participant, instances, contract) {
  return table('Instances of ' + participant, ['Instance', 'State', 'Contract', 'Version', 'Up for', 'Lanes', 'Relay'], instances.map((one) => [
    code(one.instance), [readiness(one), troubles(one.state)],
    one.fingerprint === contract ? 'newest' : mark('compensating', 'other: ' + one.fingerprint.slice(0, 12)), one.framework,
    age(one.started_at), String(one.lanes.length), one.relay + (one.active_relay ? ', active' : '')]));
}

function database(one) {
  if (!one) return element('p', {class: 'warn'}, '▲ Its database was not asked.');
  const oldest = one.deadline_oldest ? [Date.parse(one.deadline_oldest) < now() ? ', overdue for ' : ', the first ', age(one.deadline_oldest)] : '';
  return element('dl', {},
      element('dt', {}, 'Outbox'), element('dd', {}, one.outbox_pending === 0 ? 'empty' : [count(one.outbox_pending), ' waiting, oldest ', age(one.outbox_oldest)]),
      one.slot_lag_bytes !== null && [element('dt', {}, 'Slot lag'), element('dd', {}, count(one.slot_lag_bytes) + ' bytes')],
      element('dt', {}, 'Waiting room'), element('dd', {}, one.waiting.length === 0 ? 'empty' :
          one.waiting.map(({state, stuck, messages}, index) => [index > 0 && ', ', count(messages) + ' ' + state + (stuck ? ' (stuck)' : '')])),
      element('dt', {}, 'Deadlines'), element('dd', {}, count(one.deadlines_open) + ' open', oldest));
}

function lag(consumers) {
  const pending = consumers.reduce((sum, one) => sum + one.pending, 0);
  const held = consumers.reduce((sum, one) => sum + one.unacknowledged, 0);
  return element('p', {}, consumers.length === 0 ? 'Its consumers were not asked.' :
      'Lag: ' + plural(pending, 'event', 'events') + ' not delivered, ' + count(held) + ' not acknowledged.');
}

function card({participant, owner, external, steps, contract, silent, instances, database: data, consumers}) {
  return element('article', {class: silent ? 'card silent' : 'card', 'data-key': participant, 'aria-label': participant},
      element('h2', {}, participant, ' ', silent && mark('stuck', '✖ SILENT')),
      silent && element('p', {}, 'It runs by its contract, and no instance of it answers.'),
      element('dl', {}, element('dt', {}, 'Owner'), element('dd', {}, owner || 'not said'),
              element('dt', {}, 'Steps'), element('dd', {}, String(steps)),
              element('dt', {}, 'Contract'), element('dd', {}, external ? 'external: not run by Quadrille' : code(contract))),
      instances.length > 0 && [instanceTable(participant, instances, contract), lag(consumers), database(data)]);
}

export const participantsView = () => reloading({
  title: 'Participants',
  every: 4000,  // what the tracker itself asks them no more often
  load: () => get('/api/instances'),
  draw(participants) {
    const silent = participants.filter((one) => one.silent);
    return [
      element('h1', {}, 'Participants'),
      element('p', {}, plural(participants.length, 'participant', 'participants'), silent.length > 0 && [', ', mark('stuck', '✖ ' + silent.length + ' SILENT')]),
      participants.length === 0 && element('p', {class: 'soft'}, 'No contract is known yet.'),
      participants.map(card),
    ];
  },
});
