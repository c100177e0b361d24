// One saga: where it stands, why, what it owes, what may be done, and how it went.

import {actButton} from './act.js';
import {Refused, get} from './api.js';
import {button, element, table} from './dom.js';
import {mostDrawn, sequence} from './sequence.js';
import {age, clock} from './time.js';
import {askForToken, token} from './token.js';
import {reloading} from './view.js';
import {code, json, mark, plural, shortName, stateMark} from './words.js';

const stepOf = (name, part) => (part.waiting.some(({step}) => step === name) ? mark('running', name) : name);

const pivots = {open: 'not decided', passed: 'decided: it only goes forward', refused: 'refused: what was done is undone'};

function stuckCard(part) {
  if (part.stuck.length === 0) return null;
  return element('section', {class: 'card silent', 'aria-label': 'Why it is stuck'}, element('h2', {}, 'Why it does not go on'),
      part.stuck.map((reason) => element('dl', {'data-key': reason.participant + reason.message_id + reason.step},
          element('dt', {}, 'Cause'), element('dd', {}, mark('stuck', '✖ ' + reason.class)),
          element('dt', {}, 'Step'), element('dd', {}, reason.step, reason.participant && ' of ' + reason.participant),
          element('dt', {}, 'Error'), element('dd', {}, reason.error),
          element('dt', {}, 'Tries'), element('dd', {}, String(reason.attempts), reason.parked ? ', parked: nobody tries again' : ''),
          element('dt', {}, 'Since'), element('dd', {}, age(reason.since)),
          reason.message_id && [element('dt', {}, 'Message'), element('dd', {}, code(reason.message_id))])));
}

function standsCard(part) {
  const none = element('span', {class: 'soft'}, 'none');
  return element('section', {class: 'card'}, element('h2', {}, 'Where it stands'), element('dl', {},
      element('dt', {}, 'Begun'), element('dd', {}, age(part.started_at), ' ago'),
      part.ended_at && [element('dt', {}, 'Ended'), element('dd', {}, age(part.ended_at), ' ago', part.resolved && ', resolved by a person')],
      part.deadline_at && !part.ended_at && [element('dt', {}, 'Deadline'), element('dd', {}, age(part.deadline_at))],
      element('dt', {}, 'Pivot'), element('dd', {}, pivots[part.pivot]),
      part.failure && [element('dt', {}, 'Turned round by'), element('dd', {}, part.failure.event + ' of ' + part.failure.participant)],
      element('dt', {}, 'Waits for'), element('dd', {}, part.waiting.length === 0 ? none.cloneNode(true) :
          part.waiting.map(({step, since}, index) => [index > 0 && ', ', step, ' for ', age(since)])),
      element('dt', {}, 'Timers'), element('dd', {}, part.timers.length === 0 ? none.cloneNode(true) :
          part.timers.map(({step, due_at}, index) => [index > 0 && ', ', step, ' ', age(due_at)])),
      element('dt', {}, 'Still possible'), element('dd', {}, part.remaining.length === 0 ? none.cloneNode(true) :
          part.remaining.map((step, index) => [index > 0 && ', ', stepOf(step, part)]))));
}

function ledger(part) {
  const undone = (line) => line.proof ? [mark('completed', '✔ undone'), ' ', age(line.undone_at), ' ago by ', code(line.proof)] :
      line.owed ? mark('stuck', '✖ owed') : element('span', {class: 'soft'}, 'stands');
  return [element('h2', {}, 'Compensation ledger'),
          table('Compensation ledger', ['Step', 'Said', 'Done', 'Compensation', 'State'],
                part.ledger.map((line) => [line.step, line.event, age(line.done_at), line.compensation, undone(line)]),
                'Nothing that could have to be undone was done.')];
}

function mayBeDone(part, id) {
  return element('section', {class: 'card'}, element('h2', {}, 'What may be done'),
      element('ul', {class: 'acts'}, part.can.map((act) => element('li', {'data-key': act.act + act.message_id + act.step},
          actButton(act, {saga_id: id, part: part.part}), element('span', {class: act.allowed ? '' : 'soft'},
              act.allowed ? '' : 'Refused: ', act.reason, act.allowed && act.participant ? ' (' + act.participant + ')' : '')))));
}

function actsTaken(part) {
  if (part.acts.length === 0) return null;
  return [element('h2', {}, 'Acts taken'), table('Acts taken', ['Act', 'Who', 'Why', 'At', 'When'],
      part.acts.map((act) => [act.act, act.who, act.why, act.participant, [age(act.at), ' ago']]))];
}

function partView(part, id, number) {
  return element('section', {'data-key': 'part' + part.part, 'aria-label': 'Part ' + (part.part + 1)},
      number > 1 && element('h2', {}, 'Part ' + (part.part + 1) + ': ' + (part.saga || 'unknown')),
      element('p', {class: 'standing'}, stateMark(part.state), element('span', {}, part.saga || '(unknown saga)'),
              element('span', {}, 'key ', code(part.key))),
      element('div', {class: 'columns'}, stuckCard(part), standsCard(part), mayBeDone(part, id)),
      ledger(part), actsTaken(part));
}

function timeline(events, chosen, choose) {
  const picked = events.find((event) => event.event_id === chosen);
  return [
    element('h2', {}, 'How it went'),
    events.length > mostDrawn && element('p', {class: 'soft'}, 'The first ' + mostDrawn + ' of ' + plural(events.length, 'event', 'events') + '; the table has all.'),
    element('div', {class: 'picture', role: 'region', 'aria-label': 'Sequence', tabindex: '0'}, sequence(events, chosen, choose)),
    element('div', {role: 'status', 'data-key': 'payload'}, picked
        ? [element('h3', {}, 'Payload of ' + picked.type), json(picked.payload)]
        : element('p', {class: 'soft'}, 'Choose an event to see its payload.')),
    element('details', {'data-key': 'table'}, element('summary', {}, 'The same as a table, with payloads'),
        table('Events', ['Event', 'Participant', 'Recorded', 'Stream', 'Caused by', 'Payload'], events.map((event) => [
          shortName(event.type), event.participant, clock(event.recorded_at), code(event.stream + ' #' + event.version),
          (events.find((one) => one.event_id === event.cause) || {type: ''}).type.replace(/.*\./, ''), json(event.payload)]))),
  ];
}

export function sagaView([id]) {
  let personal = false;
  let chosen = null;
  const view = reloading({
    title: 'Saga ' + (id || ''),
    async load() {
      try {
        return await get('/api/sagas/' + encodeURIComponent(id || '') + (personal ? '?personal=1' : ''));
      } catch (error) {
        if (error instanceof Refused && error.status === 404) return {parts: []};
        if (error instanceof Refused && personal) personal = false;
        throw error;
      }
    },
    draw: ({parts, timeline: events}) => parts.length === 0
      ? [element('h1', {}, 'Saga ' + id), element('p', {}, 'No event of this saga is known to the tracker.')]
      : [element('h1', {}, 'Saga ', code(id)), parts.map((part) => partView(part, id, parts.length)),
         timeline(events, chosen, (event) => { chosen = event === chosen ? null : event; view.redraw(); }),
         element('p', {}, button(personal ? 'Mask personal data' : 'Show personal data', async () => {
           if (!personal && !token() && !await askForToken('Personal data need the tracker’s token.')) return;
           personal = !personal;
           view.reload();
         }))],
  });
  return view;
}
