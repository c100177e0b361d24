// Messages that wait for a person, of all participants.

import {act} from './act.js';
import {get, query} from './api.js';
import {button, element, field, link, say} from './dom.js';
import {age} from './time.js';
import {askForToken, token} from './token.js';
import {reloading} from './view.js';
import {classes, code, json, mark, plural, sagaLink, shortName} from './words.js';

const pathOf = ({participant, message_id}, personal) =>
    '/api/parked/' + encodeURIComponent(message_id) + query({participant, personal: personal ? '1' : ''});
/** Every participant is asked each time. */
const askEvery = 3000;
const keyOf = ({participant, message_id}) => participant + ' ' + message_id;

function editor(payload) {
  const text = element('textarea', {name: 'payload', spellcheck: 'false', rows: 12});
  text.value = JSON.stringify(payload, null, 2);
  return {
    node: field('Payload to try it with', text),
    take(body) {
      try { body.payload = JSON.parse(text.value); } catch (error) { throw new Error('The payload is no JSON: ' + error.message); }
    },
  };
}

async function retryEdited(message) {
  if (!token() && !await askForToken('A payload with personal data needs the tracker’s token.')) return null;
  const {payload} = await get(pathOf(message, true));
  if (payload === null) {
    say('This payload cannot be shown as JSON, so it cannot be edited here.');
    return null;
  }
  return act({title: 'Retry with this payload', what: 'The step runs with what stands here. The audit trail keeps the original.',
              body: {act: 'retry', ...idOf(message)}, more: [editor(payload)]});
}

const idOf = ({participant, message_id}) => ({participant, message_id});

/** A dry run counts first; the person sees the number before anything happens. */
async function retryAll(participant, cause) {
  const dry = await act({title: 'Count them', what: 'Counts the ' + cause + ' messages parked at ' + participant + '; nothing happens yet.',
                         body: {act: 'retry_all', participant, class: cause, dry_run: true}});
  if (!dry) return null;
  if (dry.count === 0) { say('None any more.'); return null; }
  return act({title: 'Retry ' + plural(dry.count, 'message', 'messages'), why: dry.why, what: 'Each is tried again now, in the order of its stream.',
              body: {act: 'retry_all', participant, class: cause, dry_run: false}});
}

function groups(messages, after) {
  const numbers = new Map();
  for (const {participant, class: cause} of messages) {
    const key = participant + ' ' + cause;
    numbers.set(key, {participant, cause, number: (numbers.get(key)?.number || 0) + 1});
  }
  return element('ul', {class: 'acts'}, [...numbers.entries()].map(([key, {participant, cause, number}]) => element('li', {'data-key': key},
      element('span', {}, mark('stuck', cause), ' ', plural(number, 'message', 'messages') + ' at ' + participant),
      button('Retry all of ' + cause, async () => { if (await retryAll(participant, cause)) after(); },
             {'aria-label': 'Retry all of ' + cause + ' at ' + participant}))));
}

export function parkedView(_, parameters) {
  const cause = parameters.get('class') || '';
  const payloads = new Map();  // of what was opened
  let trouble = '';
  const after = () => view.reload();

  const attempt = (action) => async () => {
    trouble = '';
    try { if (await action()) after(); } catch (error) { trouble = error.message; }
    view.redraw();
  };
  const showPayload = async (message, open) => {
    if (!open || payloads.has(keyOf(message))) return;
    try { payloads.set(keyOf(message), await get(pathOf(message, false))); } catch (error) { payloads.set(keyOf(message), {payload: error.message}); }
    view.redraw();
  };
  const card = (message) => {
    const payload = payloads.get(keyOf(message));
    return element('article', {class: 'card', 'data-key': keyOf(message), 'aria-label': shortName(message.event_type) + ' at ' + message.participant},
        element('h2', {}, mark('stuck', '✖ ' + message.class), ' ', shortName(message.event_type) || 'unreadable message', ' at ', message.participant),
        element('dl', {},
            element('dt', {}, 'Reason'), element('dd', {}, message.reason),
            element('dt', {}, 'State'), element('dd', {}, message.state, ', ', plural(message.attempts, 'try', 'tries'), ', since ', age(message.first_failed_at) || 'unknown'),
            element('dt', {}, 'Step'), element('dd', {}, message.step || 'none'),
            element('dt', {}, 'Saga'), element('dd', {}, message.saga_id ? sagaLink(message.saga_id) : 'none'),
            element('dt', {}, 'Message'), element('dd', {}, code(message.message_id))),
        element('details', {ontoggle: (event) => showPayload(message, event.target.open)}, element('summary', {}, 'Payload'),
            payload === undefined ? element('p', {class: 'soft'}, 'Asking …') : payload.payload === null
              ? element('p', {}, 'Its bytes cannot be read as JSON.') : json(payload.payload)),
        element('p', {class: 'buttons'},
            button('Retry', attempt(() => act({title: 'Retry', what: 'Tried again now, with all its patience; what waits behind it goes on in order.', body: {act: 'retry', ...idOf(message)}}))),
            button('Retry edited', attempt(() => retryEdited(message))),
            button('Discard', attempt(() => act({title: 'Discard', what: 'The step never runs for this message. What waits behind it goes on.', body: {act: 'discard', ...idOf(message)}})))));
  };
  const view = reloading({
    title: 'Parked',
    every: askEvery,
    load: () => get('/api/parked' + query({class: cause})),
    draw: ({messages, silent, more}) => [
      element('h1', {}, 'Parked messages'),
      element('nav', {class: 'choices', 'aria-label': 'Cause'}, ['', ...classes].map((one) =>
          element('a', {href: '#/parked' + query({class: one}), 'aria-current': one === cause ? 'page' : null}, one || 'every cause'))),
      silent.length > 0 && element('p', {class: 'bad'}, '✖ Not answering, so that what they have parked is unknown: ', silent.join(', '), '. ', link('#/participants', 'Participants')),
      trouble && element('p', {class: 'bad', role: 'alert'}, trouble),
      more && element('p', {class: 'warn'}, '▲ More are parked than are shown here.'),
      messages.length === 0 ? element('p', {}, 'Nothing is parked' + (silent.length > 0 ? ' at the others.' : '.')) : [groups(messages, after), messages.map(card)],
    ],
  });
  return view;
}
