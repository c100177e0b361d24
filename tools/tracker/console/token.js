// The token of who acts: typed by a person, kept for this tab only. It never stands in an address or a cookie, so
// nothing but this page can send it.

import {button, byId, element} from './dom.js';

const place = 'quadrille-token';
const listeners = new Set();

export const token = () => sessionStorage.getItem(place) || '';
export const onToken = (listener) => listeners.add(listener);

export function setToken(value) {
  if (value) sessionStorage.setItem(place, value);
  else sessionStorage.removeItem(place);
  showButton();
  for (const listener of listeners) listener();
}

/** Asks for it; resolves to whether there is one now. */
export function askForToken(why) {
  const open = document.querySelector('dialog.token');
  if (open) return open.answered;
  const input = element('input', {type: 'password', name: 'token', autocomplete: 'off', required: true, value: token()});
  const dialog = element('dialog', {class: 'token', 'aria-labelledby': 'token-title'});
  const form = element('form', {method: 'dialog', onsubmit: () => setToken(input.value.trim())},
      element('h2', {id: 'token-title'}, 'Token'),
      element('p', {}, why),
      element('label', {class: 'field'}, element('span', {}, 'Token (first line of the tracker’s token-file)'), input),
      element('p', {class: 'soft'}, 'Kept in this tab until it is closed; sent to this tracker only.'),
      element('p', {class: 'buttons'}, element('button', {type: 'submit', class: 'first'}, 'Use it'),
              token() && button('Forget it', () => { setToken(''); dialog.close(); }),
              button('Cancel', () => dialog.close())));
  dialog.append(form);
  document.body.append(dialog);
  dialog.answered = new Promise((done) => {
    dialog.onclose = () => { dialog.remove(); done(token() !== ''); };
  });
  dialog.showModal();
  return dialog.answered;
}

export function showButton() {
  const there = byId('token');
  there.textContent = token() ? 'Token: set' : 'Token: none';
  there.onclick = () => askForToken('Acts and personal data need the tracker’s token.');
}
