// One box for everything that has a name. `/` goes there; arrows choose, Enter goes, Escape closes.

const everything = [
  ...model.sagas.map((one) => ['saga', one.name, '', hrefOfSaga(one)]),
  ...model.participants.map((one) => ['participant', one.name, one.owner, hrefOfParticipant(one.name)]),
  ...model.steps.map((one) => ['step', one.name, one.kind, hrefOfStep(one)]),
  ...model.events.map((one) => ['event', one.short, one.name, hrefOfEvent(one)]),
  ...model.rules.map((one) => ['rule', one.code, one.title, hrefOfRule(one.code)]),
].map(([type, name, more, href]) => ({type, name, more, href, key: name.toLowerCase(), all: (name + ' ' + more).toLowerCase()}));

function find(text, most = 20) {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return [];
  const rank = (one) => (one.key === wanted ? 0 : one.key.startsWith(wanted) ? 1 : one.key.includes(wanted) ? 2 : 3);
  return everything.filter((one) => one.all.includes(wanted)).map((one, i) => [rank(one), i, one])
      .sort((a, b) => a[0] - b[0] || a[1] - b[1]).slice(0, most).map(([, , one]) => one);
}

function searchView(text = '') {
  const found = find(text, 500);
  return [element('h1', {}, 'Search: ' + text), element('p', {}, plural(found.length, 'hit')),
          element('ul', {class: 'rows'}, found.map((hit) => element('li', {}, hit.type + ' ', link(hit.href, hit.name), ' ', hit.more)))];
}

function startSearch() {
  const input = byId('search');
  const list = byId('hits');
  let chosen = -1;
  let found = [];
  const close = () => { list.hidden = true; input.setAttribute('aria-expanded', 'false'); input.removeAttribute('aria-activedescendant'); chosen = -1; };
  const choose = (index) => {
    chosen = index;
    [...list.children].forEach((entry, i) => entry.setAttribute('aria-selected', String(i === index)));
    input.setAttribute('aria-activedescendant', 'hit' + index);
    list.children[index].scrollIntoView({block: 'nearest'});
  };
  const go = (hit) => { close(); input.value = ''; location.hash = hit.href; };
  const show = () => {
    found = find(input.value);
    list.replaceChildren(...found.map((hit, i) => element('li', {id: 'hit' + i, role: 'option', 'aria-selected': 'false',
        onpointerdown: (event) => { event.preventDefault(); go(hit); }},
        element('span', {class: 'type'}, hit.type), element('strong', {}, hit.name), hit.more && element('small', {}, hit.more))));
    if (input.value.trim() && found.length === 0)
      list.append(element('li', {role: 'option', 'aria-disabled': 'true'}, 'Nothing has such a name.'));
    list.hidden = !input.value.trim();
    input.setAttribute('aria-expanded', String(!list.hidden));
    chosen = -1;
    if (found.length > 0) choose(0); else input.removeAttribute('aria-activedescendant');
    if (!list.hidden) say(plural(found.length, 'hit'));
  };
  input.addEventListener('input', show);
  input.addEventListener('focus', show);
  input.addEventListener('blur', close);
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') { close(); input.value = ''; }
    else if (event.key === 'Enter' && found[chosen]) go(found[chosen]);
    else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && found.length > 0) {
      event.preventDefault();
      choose((chosen + (event.key === 'ArrowDown' ? 1 : found.length - 1)) % found.length);
    }
  });
  document.addEventListener('keydown', (event) => {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
  });
}
