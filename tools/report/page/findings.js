// What is wrong, and the rules behind it.

const severities = {error: '✖ error', warning: '▲ warning', note: '● note'};  // a sign and a word beside the colour

function badge(severity) {
  return element('span', {class: 'badge ' + severity}, severities[severity] || severity);
}

// A path, station by station; it wraps where a line is full.
function witness(stations) {
  const most = 40;
  const shown = stations.slice(0, most);
  return element('ol', {class: 'witness', 'aria-label': 'The way that shows it'},
                 shown.map((station) => {
                   const href = hrefOfLabel(station.label);
                   const kind = stepByName.has(station.label.split(' (')[0]) ? 'of-step' : 'of-event';
                   return element('li', {class: kind, title: station.place}, href ? link(href, station.label) : station.label);
                 }),
                 stations.length > most && element('li', {}, 'and ' + (stations.length - most) + ' more'));
}

function findingCard(finding) {
  return element('article', {class: 'card finding'},
                 element('h3', {}, badge(finding.severity), ' ',
                         ruleByCode.has(finding.code) ? link(hrefOfRule(finding.code), finding.code) : finding.code,
                         finding.suppressed && element('span', {class: 'badge'}, 'does not count: ' + finding.suppressed)),
                 element('p', {}, finding.message),
                 finding.witness.length > 0 && witness(finding.witness),
                 element('p', {class: 'where'}, placeText(finding.place),
                         finding.saga && [' in saga ', sagaByName.has(finding.saga) ? link(path('saga', finding.saga), finding.saga)
                                                                                      : finding.saga]),
                 finding.hint && element('p', {class: 'hint'}, element('strong', {}, 'Repair: '), finding.hint));
}

const counts = (severity) => model.findings.filter((one) => one.severity === severity && !one.suppressed).length;

function summary() {
  const number = (count, word, href) => element('li', {}, element('a', {href}, element('strong', {}, String(count)), ' ',
                                                                 word + (count === 1 ? '' : 's')));
  return element('ul', {class: 'numbers', 'aria-label': 'In numbers'},
                 number(model.participants.length, 'participant', '#/participant'), number(model.steps.length, 'step', '#/participant'),
                 number(model.events.length, 'event', '#/matrix'), number(model.sagas.length, 'saga', '#/saga'),
                 Object.keys(severities).map((one) => number(counts(one), one, path('findings', one))));
}

function findingsView(severity = '', code = '') {
  const wanted = {severity: severity || 'all', code: code || 'all', text: ''};
  const codes = [...new Set(model.findings.map((one) => one.code))].sort();
  const [list, again] = live(() => {
    const found = model.findings.filter((one) => (wanted.severity === 'all' || one.severity === wanted.severity) &&
        (wanted.code === 'all' || one.code === wanted.code) &&
        matches([one.message, one.place, one.saga, ...one.witness.map((station) => station.label)].join(' '), wanted.text));
    say(plural(found.length, 'finding'));
    if (found.length === 0)
      return element('p', {class: 'card good'}, model.findings.length === 0 ? '✔ The checker found nothing wrong.'
                                                                            : 'No finding is like that.');
    return [element('p', {}, found.length + ' of ' + plural(model.findings.length, 'finding')),
            growing(found, findingCard, element('div', {}))].reduce((all, one) => (all.append(one), all), element('div', {}));
  });
  const set = (name) => (value) => { wanted[name] = value; again(); };
  return [element('h1', {}, 'Findings'), summary(),
          model.findings.length > 0 && element('div', {class: 'filters'},
            choice('Severity', [['all', 'all'], ...Object.entries(severities)], wanted.severity, set('severity')),
            choice('Rule', [['all', 'all'], ...codes.map((one) => [one, one + ' ' + (ruleByCode.get(one)?.title ?? '')])],
                   wanted.code, set('code')),
            textFilter('Text', '', set('text'))),
          list];
}

function ruleView(code) {
  const rule = ruleByCode.get(code);
  if (!rule)
    return [element('h1', {}, 'Rules'),
            element('ul', {class: 'rows'}, model.rules.map((one) => element('li', {}, link(hrefOfRule(one.code), one.code), ' ', one.title)))];
  const found = model.findings.filter((one) => one.code === code);
  return [element('h1', {}, code + ': ' + rule.title), element('h2', {}, 'Why it hurts'), element('p', {}, rule.why),
          element('h2', {}, 'What to do'), element('p', {}, rule.repair),
          element('p', {}, link('#/rule', 'All rules'), ' · ', element('code', {}, 'quadrille explain ' + code), ' shows an example.'),
          element('h2', {}, plural(found.length, 'finding')), growing(found, findingCard, element('div', {}))];
}
