// Acts of people. Each is asked for in a dialog that says what will happen, and needs a name, a reason and the token.

import {post} from './api.js';
import {button, element, field, say} from './dom.js';
import {askForToken, token} from './token.js';

const namePlace = 'quadrille-who';
const shortestReason = 5;

function input(name, attributes) {
  return element('input', {name, type: 'text', required: true, autocomplete: 'off', ...attributes});
}

/**
 * Asks for who and why and does it. `body` is what is sent; `more` are further fields, each {node, take(body)}, where
 * take may throw to say what is wrong; `why` is a reason given before. Resolves to the answer with the reason given, or
 * to null when nothing was done.
 */
export async function act({title, what, body, more = [], why: before = ''}) {
  if (!token() && !await askForToken('An act needs the tracker’s token.')) return null;
  const who = input('who', {value: sessionStorage.getItem(namePlace) || '', minlength: 2});
  const why = input('why', {minlength: shortestReason, value: before});
  const problem = element('p', {class: 'bad', role: 'alert', hidden: true});
  const confirm = element('button', {type: 'submit', class: 'first'}, title);
  const dialog = element('dialog', {class: 'act', 'aria-labelledby': 'act-title'});
  let answer = null;
  const send = async (event) => {
    event.preventDefault();
    confirm.disabled = true;
    problem.hidden = true;
    sessionStorage.setItem(namePlace, who.value.trim());
    try {
      const said = {...body, who: who.value.trim(), why: why.value.trim()};
      for (const {take} of more) take(said);
      answer = {...await post('/api/acts', said), why: said.why};
      dialog.close();
      say('Done: ' + title);
    } catch (error) {
      problem.textContent = error.message;
      problem.hidden = false;
    }
    confirm.disabled = false;
  };
  dialog.append(element('form', {method: 'dialog', onsubmit: send},
      element('h2', {id: 'act-title'}, title), element('p', {}, what), more.map(({node}) => node),
      field('Who you are', who), field('Why (kept in the audit trail)', why), problem,
      element('p', {class: 'buttons'}, confirm, button('Cancel', () => dialog.close()))));
  document.body.append(dialog);
  return new Promise((done) => {
    dialog.onclose = () => { dialog.remove(); done(answer); };
    dialog.showModal();
  });
}

function outcomeField() {
  const select = element('select', {name: 'outcome'}, element('option', {value: 'COMPLETED'}, 'COMPLETED'), element('option', {value: 'CANCELLED'}, 'CANCELLED'));
  return {node: field('How it ended outside', select), take: (body) => { body.outcome = select.value; }};
}

const titles = {retry: 'Retry', discard: 'Discard', cancel: 'Ask to cancel', resolve: 'Resolve'};

/** The button of something that may, or may not, be done about a saga. */
export function actButton(can, saga) {
  const title = titles[can.act] || can.act;
  const {act: name, participant, message_id, step} = can;
  const what = message_id ? {participant, message_id} : name === 'retry' ? {...saga, step} : saga;
  return button(title, () => act({title, what: can.reason + '.', body: {act: name, ...what},
                                  more: name === 'resolve' ? [outcomeField()] : []}),
                {disabled: !can.allowed, 'aria-label': title + (participant ? ' at ' + participant : '')});
}
