// Many rows, of which only those in sight are elements. All rows are equally high, so that a place is a number.

import {element} from './dom.js';
import {morphChildren} from './morph.js';

const beyond = 8;  // rows drawn outside of the sight, so that scrolling shows no gap

export class Rows {
  /** columns: headings; cellsOf(row): as many; keyOf(row); opened(row); wanted(last): more rows are needed soon */
  constructor({label, columns, cellsOf, keyOf, hrefOf, nearEnd}) {
    Object.assign(this, {cellsOf, keyOf, hrefOf, nearEnd});
    this.rows = [];
    this.chosen = null;
    this.body = element('div', {class: 'body', role: 'rowgroup'});
    this.box = element('div', {class: 'scroller', tabindex: '0', role: 'region', 'aria-label': label, onkeydown: (event) => this.#key(event)});
    this.table = element('div', {class: 'grid', role: 'table', 'aria-label': label},
        element('div', {class: 'head', role: 'rowgroup'},
                element('div', {class: 'row', role: 'row'}, columns.map((text) => element('span', {role: 'columnheader'}, text)))),
        this.body);
    this.box.append(this.table);
    this.box.addEventListener('scroll', () => this.#later(), {passive: true});
    this.resized = new ResizeObserver(() => { this.height = 0; this.#later(); });
    this.resized.observe(this.box);
  }

  /** Which rows are in sight. */
  get first() { return Math.floor(this.box.scrollTop / this.#rowHeight()); }
  get last() { return this.first + Math.ceil(this.box.clientHeight / this.#rowHeight()); }

  #rowHeight() {
    if (!this.height) this.height = parseFloat(getComputedStyle(this.box).getPropertyValue('--row')) || 40;
    return this.height;
  }

  #later() {
    if (this.drawn) return;
    this.drawn = requestAnimationFrame(() => { this.drawn = 0; this.#draw(); });
  }

  /** Shows these instead; what was first in sight stays there. */
  set(rows) {
    const anchor = this.box.scrollTop > 0 ? this.rows[this.first] : null;
    const into = this.box.scrollTop % this.#rowHeight();
    this.rows = rows;
    this.table.setAttribute('aria-rowcount', String(rows.length + 1));
    this.body.style.height = rows.length * this.#rowHeight() + 'px';
    if (anchor) {
      const key = this.keyOf(anchor);
      const place = rows.findIndex((row) => this.keyOf(row) === key);
      if (place >= 0) this.box.scrollTop = place * this.#rowHeight() + into;
    }
    this.#draw();
  }

  #draw() {
    const height = this.#rowHeight();
    this.body.style.height = this.rows.length * height + 'px';
    const from = Math.max(0, this.first - beyond);
    const until = Math.min(this.rows.length, this.last + beyond);
    const drawn = [];
    for (let place = from; place < until; ++place) drawn.push(this.#row(place));
    morphChildren(this.body, drawn);
    // Places are set on what is shown: a style that stands in an attribute would not be let in.
    for (const shown of this.body.children) shown.style.transform = 'translateY(' + (shown.ariaRowIndex - 2) * height + 'px)';
    if (until + 3 * (until - from) >= this.rows.length) this.nearEnd();
  }

  #row(place) {
    const row = this.rows[place];
    const key = this.keyOf(row);
    return element('div', {class: 'row', role: 'row', 'data-key': key, 'aria-rowindex': place + 2,
                           'aria-current': key === this.chosen ? 'true' : null, onclick: (event) => this.#clicked(event, key)},
                   this.cellsOf(row).map((cell) => element('span', {role: 'cell'}, cell)));
  }

  #clicked(event, key) {
    if (event.target.closest('a')) return;
    this.chosen = key;
    this.#draw();
  }

  #choose(place) {
    if (this.rows.length === 0) return;
    const within = Math.max(0, Math.min(this.rows.length - 1, place));
    this.chosen = this.keyOf(this.rows[within]);
    const height = this.#rowHeight();
    const top = within * height;
    const room = this.box.clientHeight - this.table.firstChild.offsetHeight - height;
    if (top < this.box.scrollTop) this.box.scrollTop = top;
    else if (top > this.box.scrollTop + room) this.box.scrollTop = top - room;
    this.#draw();
    // Only what has the focus is read out, and Enter opens it.
    for (const shown of this.body.children)
      if (shown.dataset.key === this.chosen) shown.querySelector('a')?.focus({preventScroll: true});
  }

  #key(event) {
    const focused = event.target.closest('.row')?.dataset.key ?? this.chosen;
    const at = this.rows.findIndex((row) => this.keyOf(row) === focused);
    const page = Math.max(1, this.last - this.first - 2);
    const moves = {ArrowDown: at + 1, ArrowUp: Math.max(0, at - 1), PageDown: at + page, PageUp: at - page, Home: 0, End: this.rows.length - 1};
    if (event.key in moves && !event.ctrlKey && !event.altKey && !event.metaKey) {
      event.preventDefault();
      this.#choose(moves[event.key]);
    } else if (event.key === 'Enter' && at >= 0 && event.target === this.box) {
      location.hash = this.hrefOf(this.rows[at]);
    }
  }

  end() { this.resized.disconnect(); }
}
