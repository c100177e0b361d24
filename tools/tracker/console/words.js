// What appears everywhere: states, causes, links to lists and sagas. Every mark has a sign beside its colour.

import {element, link} from './dom.js';
import {query} from './api.js';

export const states = ['STUCK', 'RUNNING', 'COMPENSATING', 'COMPLETED', 'CANCELLED'];
export const classes = ['technical', 'business', 'contract', 'configuration', 'overload'];
const signs = {RUNNING: '▶', COMPENSATING: '↩', COMPLETED: '✔', CANCELLED: '∅', STUCK: '✖'};

export const stateMark = (state) =>
    element('span', {class: 'mark ' + state.toLowerCase()}, (signs[state] || '?') + ' ' + state);
export const mark = (look, text) => element('span', {class: 'mark ' + look}, text);
export const sagasHref = (filter) => '#/sagas' + query(filter);
export const sagaHref = (id) => '#/saga/' + encodeURIComponent(id);
export const sagaLink = (id, text) => link(sagaHref(id), text || id);
export const count = (number) => Number(number).toLocaleString('en');
export const shortName = (type) => type.slice(type.lastIndexOf('.') + 1);
export const plural = (number, one, many) => count(number) + ' ' + (Number(number) === 1 ? one : many);
export const code = (text) => element('code', {}, text);
export const json = (value) => element('pre', {class: 'json', tabindex: '0'}, JSON.stringify(value, null, 2));
/** What the tracker calls sagas whose kind it does not know. */
export const known = (saga) => (saga === '(unknown)' ? '' : saga);
