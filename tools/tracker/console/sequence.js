// A saga as it went: participants as columns, events in order, each with an arrow from what caused it.

import {svgElement} from './dom.js';
import {exact, span} from './time.js';
import {shortName} from './words.js';

const column = 182;
const row = 52;
const box = {width: 158, height: 28};
const left = 78;
const top = 44;
/** More make no picture; the table has them all. */
export const mostDrawn = 150;

const fitted = (text) => (text.length > 21 ? text.slice(0, 20) + '…' : text);

/** Out beside the cause, down in the gap between columns, into the effect's side. `lane`: so that lines lie side by side. */
function arrow(from, to, lane) {
  if (from.x === to.x)
    return {line: `M${from.x} ${from.y + box.height / 2}V${to.y - box.height / 2}`, tip: `M${to.x} ${to.y - box.height / 2}l-4 -7h8z`};
  const way = to.x > from.x ? 1 : -1;
  const begin = from.x + way * box.width / 2;
  const end = to.x - way * box.width / 2;
  const gap = begin + way * (4 + (lane % 4) * 4);
  return {line: `M${begin} ${from.y}H${gap}V${to.y}H${end}`, tip: `M${end} ${to.y}l${-7 * way} -4v8z`};
}

function drawEvent(event, place, began, chosen, choose) {
  const name = shortName(event.type);
  const pick = (pressed) => {
    if (pressed.type === 'keydown' && pressed.key !== 'Enter' && pressed.key !== ' ') return;
    pressed.preventDefault();
    choose(event.event_id);
  };
  const later = Date.parse(event.recorded_at) - began;
  return svgElement('g', {class: 'event' + (event.supervision ? ' framework' : ''), 'data-key': event.event_id, role: 'button', tabindex: '0',
                          'aria-pressed': String(event.event_id === chosen), 'aria-label': name + ' by ' + event.participant + ', payload',
                          onclick: pick, onkeydown: pick},
      svgElement('title', {}, name + ' by ' + event.participant + ', ' + exact(event.recorded_at)),
      svgElement('rect', {class: 'box', x: place.x - box.width / 2, y: place.y - box.height / 2, width: box.width, height: box.height, rx: 6}),
      svgElement('text', {x: place.x, y: place.y + 4.5}, fitted(name)),
      svgElement('text', {class: 'age', x: 6, y: place.y + 4}, '+' + (later < 1000 ? later + ' ms' : span(later))));
}

/** `choose(event_id)` is called for the event whose payload is wanted. */
export function sequence(events, chosen, choose) {
  const drawn = events.slice(0, mostDrawn);
  const participants = [...new Set(drawn.map((event) => event.participant))];
  const width = left + participants.length * column;
  const height = top + drawn.length * row + 8;
  const xOf = (participant) => left + participants.indexOf(participant) * column + column / 2;
  const places = new Map(drawn.map((event, index) => [event.event_id, {x: xOf(event.participant), y: top + index * row + row / 2}]));
  const began = drawn.length > 0 ? Date.parse(drawn[0].recorded_at) : 0;
  const arrows = drawn.filter((event) => places.has(event.cause) && event.cause !== event.event_id)
                      .map((event) => arrow(places.get(event.cause), places.get(event.event_id), drawn.findIndex((one) => one.event_id === event.cause)));
  return svgElement('svg', {class: 'sequence', viewBox: `0 0 ${width} ${height}`, width, height, role: 'group', 'aria-label': 'Sequence of the events'},
      participants.map((name) => [
        svgElement('line', {class: 'life', x1: xOf(name), x2: xOf(name), y1: top - 8, y2: height - 4}),
        svgElement('text', {class: 'who', x: xOf(name), y: 22}, fitted(name))]),
      arrows.map(({line, tip}) => [svgElement('path', {class: 'arrow', d: line}), svgElement('path', {class: 'tip', d: tip})]),
      drawn.map((event) => drawEvent(event, places.get(event.event_id), began, chosen, choose)));
}
