// Makes what is shown like what was drawn anew, touching only what differs: focus, scroll places, selections and opened
// details stay. Children with data-key are known again wherever they have moved.

const handlers = ['onclick', 'onchange', 'oninput', 'onkeydown', 'onsubmit', 'ontoggle'];
/** The reader's, not ours. */
const kept = new Set(['open']);

const keyOf = (node) => (node.nodeType === Node.ELEMENT_NODE ? node.getAttribute('data-key') : null);
const alike = (one, other) => one.nodeName === other.nodeName && keyOf(one) === keyOf(other);

function takeAttributes(shown, drawn) {
  for (const {name, value} of [...drawn.attributes])
    if (shown.getAttribute(name) !== value) shown.setAttribute(name, value);
  for (const {name} of [...shown.attributes])
    if (!drawn.hasAttribute(name) && !kept.has(name)) shown.removeAttribute(name);
  for (const handler of handlers) shown[handler] = drawn[handler];
}

function take(shown, drawn) {
  if (shown.nodeType !== Node.ELEMENT_NODE) {
    if (shown.nodeValue !== drawn.nodeValue) shown.nodeValue = drawn.nodeValue;
    return;
  }
  takeAttributes(shown, drawn);
  morphChildren(shown, [...drawn.childNodes]);
}

/** Gives `holder` these children. */
export function morphChildren(holder, drawn) {
  const keyed = new Map();
  for (const child of holder.childNodes) if (keyOf(child) !== null) keyed.set(keyOf(child), child);
  let place = holder.firstChild;
  for (const fresh of drawn) {
    const key = keyOf(fresh);
    const known = key === null ? place : keyed.get(key);
    if (known && known.parentNode === holder && alike(known, fresh)) {
      if (known === place) place = place.nextSibling;
      else holder.insertBefore(known, place);
      take(known, fresh);
    } else {
      holder.insertBefore(fresh, place);
    }
  }
  while (place) {
    const next = place.nextSibling;
    place.remove();
    place = next;
  }
}
