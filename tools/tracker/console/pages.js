// The rows of a list as far as they have been read: page by page, each beginning where the one before ended.

import {get, query} from './api.js';

const pageSize = 1000;
export const keyOf = (row) => row.saga_id + '.' + row.part;

export class Pages {
  constructor(filter) {
    this.filter = filter;
    this.pages = [];
    this.rows = [];
    this.next = '';
    this.busy = null;
  }

  get complete() { return this.pages.length > 0 && !this.next; }

  async #read(after) {
    const {sagas, next} = await get('/api/sagas' + query({...this.filter, limit: String(pageSize), after}));
    return {after, rows: sagas, next};
  }

  #keep(pages) {
    this.pages = pages;
    this.rows = pages.flatMap((page) => page.rows);
    this.next = pages.length > 0 ? pages[pages.length - 1].next : '';
  }

  /** One question at a time; whoever comes meanwhile waits for its turn. */
  async #inTurn(action) {
    while (this.busy) await this.busy.catch(() => {});
    this.busy = action();
    try { await this.busy; } finally { this.busy = null; }
  }

  /** Reads one page more. */
  more() {
    return this.#inTurn(async () => {
      if (this.complete) return;
      this.#keep([...this.pages, await this.#read(this.next)]);
    });
  }

  /** Reads the rows from `first` to `last` again. What stood behind them is forgotten: it begins elsewhere now. */
  refresh(first, last) {
    return this.#inTurn(async () => {
      let before = 0;
      const kept = [];
      while (kept.length < this.pages.length && before + this.pages[kept.length].rows.length <= first) {
        before += this.pages[kept.length].rows.length;
        kept.push(this.pages[kept.length]);
      }
      let after = kept.length > 0 ? kept[kept.length - 1].next : '';
      let read = before;
      do {
        const page = await this.#read(after);
        kept.push(page);
        read += page.rows.length;
        after = page.next;
      } while (after && read <= last);
      this.#keep(kept);
    });
  }
}
