import {get} from './api.js';
import {element} from './dom.js';
import {reloading} from './view.js';
import {code, mark, plural} from './words.js';

const order = ['error', 'warning', 'note'];
const marks = {error: ['stuck', '✖ error'], warning: ['compensating', '▲ warning'], note: ['running', 'ℹ note']};

function card({code: rule, severity, message, hint, saga, about, place, fingerprint, witness}) {
  return element('article', {class: 'card', 'data-key': fingerprint},
      element('h2', {}, mark(...(marks[severity] || ['', severity])), ' ', rule, saga && ' in ' + saga),
      element('p', {}, message),
      hint && element('p', {class: 'soft'}, hint),
      about && about.length > 0 && element('p', {}, 'About ', about.map((one, index) => [index > 0 && ', ', code(one)])),
      witness && witness.length > 0 && element('p', {}, 'The way there: ', witness.map((one) => one.label || one).join(' → ')),
      place && place.file && element('p', {class: 'soft'}, code(place.file + (place.line > 0 ? ':' + place.line : ''))));
}

export const findingsView = () => reloading({
  title: 'Findings',
  load: () => get('/api/findings'),
  draw({findings}) {
    const sorted = [...findings].sort((one, other) => order.indexOf(one.severity) - order.indexOf(other.severity));
    const numbers = order.map((severity) => [severity, sorted.filter((one) => one.severity === severity).length]);
    return [
      element('h1', {}, 'Findings'),
      element('p', {class: 'soft'}, 'What the checker says of the contracts that run now.'),
      element('p', {}, numbers.map(([severity, number], index) => [index > 0 && ', ', plural(number, severity, severity + 's')]), '.'),
      sorted.map(card),
    ];
  },
});
