// The filters of the list: what they are called, and their fields. The address holds them, so that a list can be sent.

import {button, choice, element, field} from './dom.js';
import {latest} from './health.js';
import {classes, known, states} from './words.js';

const names = ['saga', 'step', 'key', 'id', 'older_than', 'class', 'error', 'newest'];

export function filterOf(parameters) {
  const filter = {state: parameters.getAll('state')};
  for (const name of names) filter[name] = parameters.get(name) || '';
  return filter;
}

const untilQuiet = 350;

function text(label, filter, name, changed, attributes) {
  let timer = 0;
  const later = (event) => {
    clearTimeout(timer);
    timer = setTimeout(() => changed({...filter(), [name]: event.target.value.trim()}), untilQuiet);
  };
  return field(label, element('input', {type: 'text', name, value: filter()[name], autocomplete: 'off', spellcheck: 'false', oninput: later, ...attributes}));
}

function stateBoxes(filter, changed) {
  return element('fieldset', {}, element('legend', {}, 'State'), states.map((state) =>
      element('label', {class: 'tick'}, element('input', {type: 'checkbox', name: 'state', value: state, checked: filter().state.includes(state), onchange: (event) => {
        const others = filter().state.filter((one) => one !== state);
        changed({...filter(), state: event.target.checked ? [...others, state] : others});
      }}), state)));
}

/** `filter()` gives what holds now, `changed(filter)` takes what the reader wants. */
export function filterForm(filter, changed) {
  const overview = latest() || {sagas: {}, waiting: []};
  const pick = (name) => (value) => changed({...filter(), [name]: value});
  const sagas = [...new Set([...Object.keys(overview.sagas).filter(known), filter().saga])].filter(Boolean);
  const steps = [...new Set([...overview.waiting.map(({step}) => step), filter().step])].filter(Boolean).sort();
  return element('form', {class: 'filters', 'aria-label': 'Filters', onsubmit: (event) => event.preventDefault()},
      stateBoxes(filter, changed),
      choice('Saga', [['', 'every'], ...sagas.map((saga) => [saga, saga])], filter().saga, pick('saga')),
      choice('Waits for', [['', 'anything'], ...steps.map((step) => [step, step])], filter().step, pick('step')),
      text('Key begins with', filter, 'key', changed),
      text('Saga id begins with', filter, 'id', changed),
      text('Older than', filter, 'older_than', changed, {placeholder: '15m', size: 6}),
      choice('Cause', [['', 'any'], ...classes.map((one) => [one, one])], filter().class, pick('class')),
      text('Error has', filter, 'error', changed),
      choice('Order', [['', 'oldest first'], ['1', 'newest first']], filter().newest, pick('newest')),
      button('Clear', () => changed(null)));
}
