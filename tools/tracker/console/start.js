// Which view the address asks for, and what keeps it up.

import {byId, element} from './dom.js';
import {findingsView} from './findings.js';
import {flowView} from './flow.js';
import {look} from './health.js';
import {listView} from './list.js';
import {startLive} from './live.js';
import {overviewView} from './overview.js';
import {parkedView} from './parked.js';
import {participantsView} from './participants.js';
import {sagaView} from './saga.js';
import {startAges} from './time.js';
import {onToken, showButton} from './token.js';
import {sagaHref, sagasHref} from './words.js';

const views = [
  ['overview', 'Overview', overviewView], ['flow', 'Flow', flowView], ['sagas', 'Sagas', listView],
  ['parked', 'Parked', parkedView], ['participants', 'Participants', participantsView],
  ['findings', 'Findings', findingsView],
];
const withoutTab = [['saga', 'Saga', sagaView, 'sagas']];
const restBetween = 1000;  // between two refreshes, however fast things move

let current = null;

function parse(hash) {
  const [path, search] = hash.replace(/^#\/?/, '').split('?');
  try {
    return {parts: path.split('/').map(decodeURIComponent), parameters: new URLSearchParams(search || '')};
  } catch {
    return {parts: [''], parameters: new URLSearchParams()};  // somebody has typed half an escape
  }
}

function showTabs(chosen) {
  byId('tabs').replaceChildren(...views.map(([name, text]) =>
      element('a', {href: '#/' + name, 'aria-current': name === chosen ? 'page' : null}, text)));
}

async function open(focus) {
  const {parts: [name, ...rest], parameters} = parse(location.hash);
  const [key, , make, tab] = [...views, ...withoutTab].find(([one]) => one === name) || views[0];
  if (current) current.unmount();
  const view = make(rest, parameters);
  current = view;
  showTabs(tab || key);
  const main = byId('main');
  main.dataset.view = key;
  document.title = view.title + ' – Quadrille';
  main.removeAttribute('data-ready');
  if (focus) {
    scrollTo(0, 0);
    main.focus({preventScroll: true});
  }
  await view.mount(main);
  if (current === view) main.dataset.ready = 'yes';
}

let refreshing = false;
let wanted = false;
async function refresh() {
  wanted = true;
  if (refreshing) return;
  refreshing = true;
  while (wanted) {
    wanted = false;
    await look();
    if (current) await current.refresh();
    await new Promise((done) => setTimeout(done, restBetween));
  }
  refreshing = false;
}

function startSearch() {
  byId('find').onsubmit = (event) => {
    event.preventDefault();
    const text = byId('wanted').value.trim();
    if (!text) return;
    location.hash = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(text) ? sagaHref(text) : sagasHref({key: text});
  };
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest('input, select, textarea, dialog')) return;
    event.preventDefault();
    byId('wanted').focus();
  });
}

addEventListener('hashchange', () => { if (location.hash !== '#main') open(true); });
showButton();
startSearch();
startAges();
await look();
await open(false);
onToken(refresh);
startLive(refresh, (streams) => {
  byId('connection').textContent = streams ? '● live' : '○ asking every 3 s';
  byId('connection').className = streams ? 'good' : 'soft';
});
