// A view whose content is asked for and drawn again whenever something moves.

import {element} from './dom.js';
import {morphChildren} from './morph.js';

/** `load()` gives what `draw(data)` makes nodes of. `every`: asked no more often than that, in milliseconds. */
export function reloading({title, load, draw, every = 0}) {
  let root = null;
  let data;
  let asked = 0;
  const show = () => { if (root && data !== undefined) morphChildren(root, [draw(data)].flat(Infinity).filter(Boolean)); };
  const again = async () => {
    asked = Date.now();
    try {
      data = await load();
      show();
    } catch (error) {
      // What was there stays: the line above says since when the tracker is away.
      if (root && data === undefined)
        morphChildren(root, [element('h1', {}, title), element('p', {class: 'bad', role: 'alert'}, error.message)]);
    }
  };
  return {
    title,
    async mount(holder) {
      root = holder;
      root.replaceChildren(element('h1', {}, title), element('p', {class: 'soft'}, 'Asking the tracker …'));
      await again();
    },
    /** Something may have moved. */
    async refresh() { if (Date.now() - asked >= every) await again(); },
    /** Something has: a person acted. */
    reload: again,
    /** Draws again what is known, after something of the view's own has changed. */
    redraw: show,
    unmount() { root = null; },
  };
}
