// Which view the address asks for.

const views = [
  ['findings', 'Findings', findingsView], ['services', 'Services', servicesView], ['saga', 'Sagas', sagaView],
  ['event', 'Events', neighbourhoodView], ['matrix', 'Matrix', matrixView], ['participant', 'Contracts', participantView],
  ['rule', 'Rules', ruleView],
];
const withoutTab = [['search', 'Search', searchView]];

function partsOfAddress() {
  try {
    return location.hash.replace(/^#\/?/, '').split('/').map(decodeURIComponent);
  } catch {
    return [''];  // somebody has typed half an escape
  }
}

function open(focus) {
  const [name, ...rest] = partsOfAddress();
  const [key, title, render] = [...views, ...withoutTab].find(([one]) => one === name) || views[0];
  const main = byId('main');
  main.replaceChildren();
  fillElement(main, {'data-view': key}, render(...rest.filter((one) => one !== '')));
  const heading = main.querySelector('h1');
  document.title = (heading ? heading.textContent : title) + ' – Choreography report';
  byId('tabs').replaceChildren(...views.map(([one, text]) =>
      element('a', {href: '#/' + one, 'aria-current': one === key ? 'page' : null}, text)));
  if (!focus) return;
  scrollTo(0, 0);
  main.focus({preventScroll: true});
}

addEventListener('hashchange', () => { if (location.hash !== '#main') open(true); });
startSearch();
open(false);
