// Elements. Text of the contracts only ever becomes text nodes and attribute values, never markup.

const svgSpace = 'http://www.w3.org/2000/svg';

function fillElement(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child);  // a string becomes a text node
  }
  return node;
}

const element = (tag, attributes, ...children) => fillElement(document.createElement(tag), attributes, children);
const svgElement = (tag, attributes, ...children) =>
    fillElement(document.createElementNS(svgSpace, tag), attributes, children);
const link = (href, ...children) => element('a', {href}, ...children);
const byId = (id) => document.getElementById(id);
const say = (text) => { byId('status').textContent = text; };

// Items separated by commas.
const listed = (items) => items.flatMap((item, index) => (index === 0 ? [item] : [', ', item]));

// Code that may be broken where a reader would: file:line, full names, subjects.
const placeText = (text) => element('code', {}, text.split(/(?<=[/.])/).flatMap((part) => [part, element('wbr')]));

function field(label, control) {
  return element('label', {class: 'field'}, element('span', {}, label), control);
}

function textFilter(label, value, changed) {
  return field(label, element('input', {type: 'text', value, autocomplete: 'off', spellcheck: 'false',
                                        oninput: (event) => changed(event.target.value)}));
}

// options: [value, text] pairs.
function choice(label, options, value, changed) {
  const select = element('select', {onchange: (event) => changed(event.target.value)},
                         options.map(([key, text]) => element('option', {value: key, selected: key === value}, text)));
  return field(label, select);
}

// A long list that grows by request, so that ten thousand entries open as fast as ten.
function growing(items, render, container, step = 50) {
  let shown = 0;
  const more = element('button', {type: 'button', class: 'more', onclick: () => grow(true)});
  const holder = element('div', {}, container, more);
  function grow(focus) {
    const first = shown;
    shown = Math.min(items.length, shown + step);
    for (let i = first; i < shown; ++i) container.append(render(items[i]));
    more.hidden = shown >= items.length;
    more.textContent = 'Show more (' + (items.length - shown) + ' left)';
    const entry = focus && container.children[first];
    if (entry) { entry.tabIndex = -1; entry.focus(); }
  }
  grow(false);
  return holder;
}

// Buttons to go through pages of a known number of entries.
function pager(what, first, size, total, go) {
  if (total <= size) return null;
  const button = (text, to, off) => element('button', {type: 'button', disabled: off, onclick: () => go(to)}, text);
  return element('div', {class: 'pager', role: 'group', 'aria-label': 'Pages of ' + what},
                 button('Previous ' + what, Math.max(0, first - size), first === 0),
                 element('span', {}, (first + 1) + '–' + Math.min(total, first + size) + ' of ' + total),
                 button('Next ' + what, first + size, first + size >= total));
}

// Draws again in place, keeping nothing but what the caller closes over.
function live(render) {
  const holder = element('div', {});
  const again = () => holder.replaceChildren(render());
  again();
  return [holder, again];
}
