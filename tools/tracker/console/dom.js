// Elements. What comes from outside only ever becomes text nodes and attribute values, never markup.

const svgSpace = 'http://www.w3.org/2000/svg';

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) node[name] = value;
    else node.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child);  // a string becomes a text node
  }
  return node;
}

export const element = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
export const svgElement = (tag, attributes, ...children) =>
    fill(document.createElementNS(svgSpace, tag), attributes, children);
export const link = (href, ...children) => element('a', {href}, ...children);
export const byId = (id) => document.getElementById(id);
export const button = (text, onclick, attributes) => element('button', {type: 'button', onclick, ...attributes}, text);

/** Told to screen readers, once. */
export function say(text) {
  const said = byId('said');
  if (said.textContent !== text) said.textContent = text;
}

export function field(label, control) {
  return element('label', {class: 'field'}, element('span', {}, label), control);
}

/** options: [value, text] pairs. */
export function choice(label, options, value, onchange) {
  return field(label, element('select', {name: label, onchange: (event) => onchange(event.target.value)},
                              options.map(([key, text]) => element('option', {value: key, selected: key === value}, text))));
}

/** rows: arrays of cells; the first cell of each is its heading. */
export function table(caption, headings, rows, none) {
  if (rows.length === 0) return element('p', {class: 'soft'}, none || 'None.');
  return element('div', {class: 'wide', role: 'region', 'aria-label': caption, tabindex: '0'},
      element('table', {}, element('caption', {class: 'hidden'}, caption),
              element('thead', {}, element('tr', {}, headings.map((text) => element('th', {scope: 'col'}, text)))),
              element('tbody', {}, rows.map(([first, ...others]) =>
                  element('tr', {}, element('th', {scope: 'row'}, first), others.map((cell) => element('td', {}, cell)))))));
}
