// Who says and who hears what: works at any size, a page at a time.

const rowsAtOnce = 25;
const columnsAtOnce = 12;

function matrixTable(events, participants) {
  const cell = (event, participant) => {
    const index = event.index;
    const says = participant.says.has(index);
    const hears = participant.hears.has(index);
    const text = says && hears ? '▲▼ both' : says ? '▲ says' : hears ? '▼ hears' : '';
    return element('td', {class: says ? 'says' : hears ? 'hears' : null}, text);
  };
  return element('div', {class: 'wide', role: 'region', 'aria-label': 'Who says and hears what', tabindex: '0'},
      element('table', {class: 'matrix'},
          element('thead', {}, element('tr', {}, element('th', {scope: 'col'}, 'Event'),
                                       participants.map((one) => element('th', {scope: 'col'}, link(hrefOfParticipant(one.name), one.name))))),
          element('tbody', {}, events.map((event) => element('tr', {},
              element('th', {scope: 'row', title: event.name}, link(hrefOfEvent(event), event.short), event.failure && element('span', {class: 'no'}, ' ✖ failure')),
              participants.map((participant) => cell(event, participant)))))));
}

function matrixView() {
  const wanted = {event: '', participant: '', row: 0, column: 0};
  model.events.forEach((event, index) => { event.index = index; });
  const [table, again] = live(() => {
    const chosen = model.participants.filter((one) => matches(one.name, wanted.participant));
    const touches = (one, event) => one.says.has(event.index) || one.hears.has(event.index);
    const events = model.events.filter((event) => matches(event.name, wanted.event) &&
                                                  (!wanted.participant || chosen.some((one) => touches(one, event))));
    const rows = events.slice(wanted.row, wanted.row + rowsAtOnce);
    const concerned = chosen.filter((one) => rows.some((event) => touches(one, event)));
    const columns = concerned.slice(wanted.column, wanted.column + columnsAtOnce);
    say(plural(events.length, 'event') + ', ' + plural(concerned.length, 'participant'));
    if (events.length === 0) return element('p', {}, 'Nothing is like that.');
    return element('div', {},
        element('div', {class: 'filters'},
            pager('events', wanted.row, rowsAtOnce, events.length, (to) => { wanted.row = to; wanted.column = 0; again(); }),
            pager('participants', wanted.column, columnsAtOnce, concerned.length, (to) => { wanted.column = to; again(); })),
        matrixTable(rows, columns));
  });
  const set = (name) => (value) => { wanted[name] = value; wanted.row = wanted.column = 0; again(); };
  return [element('h1', {}, 'Who says and hears what'),
          element('p', {class: 'lead'}, '▲ says the event, ▼ hears it. Participants without any of the events shown are left out.'),
          element('div', {class: 'filters'}, textFilter('Events', '', set('event')), textFilter('Participants', '', set('participant'))),
          table];
}
