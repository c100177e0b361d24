import {element, link, table} from './dom.js';
import {latest, rebuildShare} from './health.js';
import {reloading} from './view.js';
import {age, span} from './time.js';
import {classes, count, known, mark, plural, sagasHref, stateMark, states} from './words.js';

const orDash = (number, href) => (number ? link(href, count(number)) : element('span', {class: 'soft'}, '0'));

function sagaTable(sagas) {
  const rows = Object.entries(sagas).map(([saga, {states: counts, oldest_open_at}]) => [
    known(saga) ? link('#/flow/' + encodeURIComponent(saga), saga) : saga,
    ...states.map((state) => orDash(counts[state], sagasHref({saga: known(saga), state}))),
    oldest_open_at ? age(oldest_open_at) : element('span', {class: 'soft'}, '–'),
  ]);
  return table('Sagas by type and state', ['Saga', ...states.map(stateMark), 'Oldest open'], rows, 'No saga has begun yet.');
}

function waitingTable(waiting) {
  const rows = [...waiting].sort((one, other) => other.count - one.count).map(({step, count: number, oldest_since}) => [
    link(sagasHref({step}), step), plural(number, 'saga', 'sagas'), age(oldest_since) || '–',
  ]);
  return table('Sagas waiting by step', ['Step', 'Waiting', 'Longest'], rows, 'No saga waits for a step.');
}

function stuckTable(sagas) {
  const rows = Object.entries(sagas).flatMap(([saga, {stuck}]) =>
      classes.filter((cause) => stuck && stuck[cause]).map((cause) => [
        link(sagasHref({saga: known(saga), state: 'STUCK', class: cause}), cause), saga, plural(stuck[cause], 'saga', 'sagas'),
      ]));
  return table('STUCK sagas by cause', ['Cause', 'Saga', 'STUCK'], rows, 'None is STUCK.');
}

function trackerState({sequence, stream_last, lag_ms, broker, database, generation, rebuild}) {
  const answers = (yes) => (yes ? mark('completed', '✔ answers') : mark('stuck', '✖ away'));
  const behind = Math.max(0, stream_last - sequence);
  return [
    element('dl', {}, element('dt', {}, 'Broker'), element('dd', {}, answers(broker)),
            element('dt', {}, 'Database'), element('dd', {}, answers(database)),
            element('dt', {}, 'Read up to'), element('dd', {}, count(sequence) + ' of ' + count(stream_last) + ' events' +
                (behind > 0 ? ', ' + plural(behind, 'event', 'events') + ' behind' : '')),
            element('dt', {}, 'Lag'), element('dd', {}, lag_ms > 0 ? span(lag_ms) : 'none'),
            element('dt', {}, 'Generation'), element('dd', {}, String(generation))),
    rebuild && element('p', {}, element('label', {}, 'Rebuilding, ' + rebuildShare(rebuild) + ' % ',
        element('progress', {max: 100, value: rebuildShare(rebuild)}))),
  ];
}

export const overviewView = () => reloading({
  title: 'Overview',
  load: async () => latest(),
  draw: (view) => view === null ? [element('h1', {}, 'Overview')] : [
    element('h1', {}, 'Overview'),
    element('section', {'aria-label': 'Sagas'}, sagaTable(view.sagas)),
    element('div', {class: 'columns'},
        element('section', {class: 'card'}, element('h2', {}, 'Waiting for'), waitingTable(view.waiting)),
        element('section', {class: 'card'}, element('h2', {}, 'STUCK by cause'), stuckTable(view.sagas)),
        element('section', {class: 'card'}, element('h2', {}, 'Tracker'), trackerState(view.tracker))),
  ],
});
