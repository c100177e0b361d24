// All sagas, by filters. Live: what is in sight is read again when something moves, and stays where it is.

import {get, query} from './api.js';
import {element, say} from './dom.js';
import {filterForm, filterOf} from './filters.js';
import {Pages, keyOf} from './pages.js';
import {Rows} from './rows.js';
import {age} from './time.js';
import {count, plural, sagaHref, sagaLink, sagasHref, stateMark} from './words.js';

function why(row) {
  if (row.stuck.length > 0) return [row.stuck[0].class, ': ', row.stuck[0].step, ' ', element('span', {class: 'soft'}, row.stuck[0].error)];
  if (row.waiting.length > 0)
    return row.waiting.map(({step, since}, index) => [index > 0 && ', ', step, ' for ', age(since)]);
  if (row.owed.length > 0) return ['owes ', row.owed.join(', ')];
  return row.failure ? row.failure.event : row.resolved ? 'resolved by a person' : '';
}

const cellsOf = (row) => [
  stateMark(row.state), sagaLink(row.saga_id, row.key || row.saga_id), row.saga || '(unknown)', why(row),
  row.ended_at ? ['ended ', age(row.ended_at), ' ago'] : ['open ', age(row.started_at)],
];

export function listView(_, parameters) {
  let filter = filterOf(parameters);
  let pages = new Pages(filter);
  let shown = true;
  const found = element('p', {class: 'found', role: 'status'});
  const problem = element('p', {class: 'bad', role: 'alert', hidden: true});
  const rows = new Rows({label: 'Sagas', columns: ['State', 'Key', 'Saga', 'Waits for, or why', 'Age'],
                         cellsOf, keyOf, hrefOf: (row) => sagaHref(row.saga_id), nearEnd: () => more()});
  let total = null;

  const tell = () => {
    const many = total === null ? '…' : (total.at_least ? 'at least ' : '') + plural(total.count, 'saga', 'sagas');
    const text = many + (pages.complete || pages.rows.length === 0 ? '' : ', ' + count(pages.rows.length) + ' read so far');
    if (found.textContent !== text) found.textContent = text;
  };
  const attempt = async (action) => {
    const of = pages;
    try {
      await action(of);
      if (!shown || of !== pages) return;
      problem.hidden = true;
      rows.set(of.rows);
    } catch (error) {
      if (!shown || of !== pages) return;
      problem.textContent = error.message;
      problem.hidden = false;
    }
    tell();
  };
  const more = () => { if (!pages.busy && !pages.complete) attempt((of) => of.more()); };
  const countAll = async () => {
    const of = filter;
    try {
      const answer = await get('/api/count' + query({...filter, newest: ''}));
      if (of === filter) total = answer;
    } catch { /* the list itself says why */ }
    tell();
  };
  const again = async () => {
    await Promise.all([attempt((of) => of.refresh(rows.first, Math.max(rows.last, rows.first + 1))), countAll()]);
  };
  let form = null;
  const changed = (wanted) => {
    filter = wanted || filterOf(new URLSearchParams());
    // Typing makes no history; a link to the list does.
    history.replaceState(null, '', sagasHref(filter));
    pages = new Pages(filter);
    rows.box.scrollTop = 0;
    if (!wanted) form.replaceWith(form = filterForm(() => filter, changed));
    again().then(() => say(found.textContent));
  };
  return {
    title: 'Sagas',
    async mount(root) {
      form = filterForm(() => filter, changed);
      const narrow = matchMedia('(max-width: 700px)').matches;
      root.replaceChildren(element('h1', {}, 'Sagas'),
          element('details', {open: !narrow, class: 'filtering'}, element('summary', {}, 'Filters'), form), found, problem, rows.box);
      await again();
    },
    refresh: again,
    unmount() {
      shown = false;
      rows.end();
    },
  };
}
