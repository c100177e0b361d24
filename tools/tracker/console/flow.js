// The declared flow of a saga type with what is on it now. A step leads to the sagas that wait for it.

import {getDrawing, query} from './api.js';
import {element, link} from './dom.js';
import {latest} from './health.js';
import {age} from './time.js';
import {reloading} from './view.js';
import {known, plural, sagasHref} from './words.js';

/** Every step becomes a link, so that a click, the keyboard and a screen reader reach it. */
function linkSteps(svg, saga, waiting) {
  svg.setAttribute('role', 'group');
  for (const node of svg.querySelectorAll('[data-node]')) {
    const step = node.getAttribute('data-node');
    if (node.classList.contains('done') || node.classList.contains('undone') || node.classList.contains('outside')) continue;
    const anchor = document.createElementNS(svg.namespaceURI, 'a');
    anchor.setAttribute('href', sagasHref({saga, step}));
    anchor.setAttribute('data-key', step);
    anchor.setAttribute('aria-label', step + ', ' + plural(waiting.get(step)?.count || 0, 'saga waits', 'sagas wait'));
    if (waiting.has(step)) anchor.setAttribute('class', 'waited');
    node.replaceWith(anchor);
    anchor.append(node);
  }
  return svg;
}

function asList(saga, waiting) {
  if (waiting.size === 0) return element('p', {class: 'soft'}, 'No saga of this kind waits for a step.');
  return element('ul', {class: 'rows'}, [...waiting.values()].map(({step, count, oldest_since}) =>
      element('li', {'data-key': step}, link(sagasHref({saga, step}), step), ': ', plural(count, 'saga waits', 'sagas wait'),
              oldest_since && [', the longest ', age(oldest_since)])));
}

function kinds(sagas, chosen) {
  return element('nav', {class: 'choices', 'aria-label': 'Saga types'}, sagas.map((saga) =>
      element('a', {href: '#/flow/' + encodeURIComponent(saga), 'aria-current': saga === chosen ? 'page' : null}, saga)));
}

export function flowView([asked]) {
  let fitted = false;
  const view = reloading({
    title: asked ? 'Flow of ' + asked : 'Flow',
    async load() {
      const overview = latest() || {sagas: {}, waiting: []};
      const sagas = Object.keys(overview.sagas).filter(known);
      const saga = asked || sagas[0];
      if (!saga) return {sagas};
      const svg = await getDrawing('/api/flow' + query({saga, style: 'page'}));
      const steps = new Set([...svg.querySelectorAll('[data-node]')].map((node) => node.getAttribute('data-node')));
      const waiting = new Map(overview.waiting.filter(({step}) => steps.has(step)).map((one) => [one.step, one]));
      return {sagas: sagas.includes(saga) ? sagas : [...sagas, saga], saga, waiting, svg: linkSteps(svg, saga, waiting)};
    },
    draw({sagas, saga, svg, waiting}) {
      if (!saga) return [element('h1', {}, 'Flow'), element('p', {}, 'No saga has begun yet.')];
      return [
        element('h1', {}, 'Flow of ' + saga),
        sagas.length > 1 && kinds(sagas, saga),
        element('p', {class: 'soft'}, 'Numbers on lines count the events that went there; a step shows how many sagas wait for it, and the longest wait. Choose a step to list them.'),
        element('label', {class: 'tick'}, element('input', {type: 'checkbox', name: 'fitted', onchange: (event) => { fitted = event.target.checked; view.redraw(); }}), 'Fit the width'),
        element('div', {class: fitted ? 'picture fitted' : 'picture', role: 'region', 'aria-label': 'Flow of ' + saga, tabindex: '0'}, svg.cloneNode(true)),
        element('h2', {}, 'Waiting'), asList(saga, waiting),
      ];
    },
  });
  return view;
}
