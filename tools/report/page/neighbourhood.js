// What leads to an event and what follows from it: columns of steps and events, upstream left, downstream right.

const deepest = 4;

// Levels: the event is 0; its steps ±1, their events ±2 ... A node is where it is met first.
function around(event, depth) {
  const levels = new Map([[event, 0]]);
  const walk = (sign) => {
    let front = [event];
    for (let level = 1; level < 2 * depth; ++level) {
      const next = [];
      for (const node of front)
        for (const other of neighbours(node, sign))
          if (!levels.has(other)) { levels.set(other, sign * level); next.push(other); }
      front = next;
    }
  };
  walk(1);
  walk(-1);
  return levels;
}

const isStep = (node) => node.outcomes !== undefined;

function neighbours(node, sign) {
  if (!isStep(node)) return (sign > 0 ? node.to : node.by).map((i) => model.steps[i]);
  if (sign > 0) return [...node.says.map((i) => model.events[i]), ...node.arms.map((i) => model.steps[i])];
  return [...node.triggers.map((i) => model.events[i]), ...armersOf(node)];
}

function armersOf(step) {
  if (!step.timeout) return [];
  const armer = stepByName.get(step.participant + '.' + step.timeout.armed_by);
  return armer ? [armer] : [];
}

const hrefOfAny = (node) => (isStep(node) ? hrefOfStep(node) : hrefOfEvent(node));
const nameOfAny = (node) => (isStep(node) ? node.name : node.short);
const wordOfAny = (node) => (isStep(node) ? node.kind : (node.failure ? '✖ failure event' : 'event'));

function shortText(text, most) {
  const characters = Array.from(text);
  return characters.length > most ? characters.slice(0, most - 1).join('') + '…' : text;
}

function columnsOf(levels) {
  const columns = new Map();
  for (const [node, level] of levels) {
    if (!columns.has(level)) columns.set(level, []);
    columns.get(level).push(node);
  }
  return [...columns.entries()].sort((a, b) => a[0] - b[0]);
}

// Each column in the order of the middle of what it is joined to, from the event outwards.
function orderColumns(columns) {
  const place = new Map();
  const settle = ([, nodes], sign) => {
    const key = (node) => {
      const known = neighbours(node, -sign).map((one) => place.get(one)).filter((one) => one !== undefined);
      return known.length ? known.reduce((a, b) => a + b, 0) / known.length : 0;
    };
    nodes.map((node, i) => [key(node), i, node]).sort((a, b) => a[0] - b[0] || a[1] - b[1])
        .forEach(([, , node], i) => { nodes[i] = node; place.set(node, i - (nodes.length - 1) / 2); });
  };
  for (const column of columns.filter(([level]) => level >= 0)) settle(column, 1);
  for (const column of columns.filter(([level]) => level < 0).reverse()) settle(column, -1);
}

function neighbourhoodPicture(event, levels) {
  const size = {width: 190, height: 40, across: 250, down: 58};
  const columns = columnsOf(levels);
  orderColumns(columns);
  const tallest = Math.max(...columns.map(([, nodes]) => nodes.length));
  const boxes = new Map();
  columns.forEach(([, nodes], column) => nodes.forEach((node, i) => boxes.set(node, {
    x: column * size.across, y: (i + (tallest - nodes.length) / 2) * size.down})));
  const edges = [];
  const nodes = [];
  for (const [node, box] of boxes) {
    for (const other of neighbours(node, 1)) {
      const end = boxes.get(other);
      if (!end) continue;
      const from = {x: box.x + size.width, y: box.y + size.height / 2};
      const to = {x: end.x, y: end.y + size.height / 2};
      const bend = Math.max(24, Math.abs(to.x - from.x) / 2);
      const kind = isStep(node) && isStep(other) ? 'timer' : ((isStep(node) ? other : node).failure ? 'failure' : 'forward');
      edges.push(svgElement('g', {class: 'edge ' + kind}, svgElement('title', {}, nameOfAny(node) + ' to ' + nameOfAny(other)),
          svgElement('path', {class: 'line', d: `M${from.x} ${from.y}C${from.x + bend} ${from.y} ${to.x - bend} ${to.y} ${to.x - 7} ${to.y}`}),
          svgElement('path', {class: 'head', d: `M${to.x} ${to.y}l-8 4v-8z`})));
    }
    const kind = isStep(node) ? node.kind : (node.failure ? 'undone' : 'observer');
    const shape = svgElement('rect', {class: 'border', x: box.x, y: box.y, width: size.width, height: size.height,
                                      rx: isStep(node) ? (node.kind === 'retriable' ? 10 : 2) : size.height / 2});
    nodes.push(svgElement('a', {href: hrefOfAny(node), 'aria-label': nameOfAny(node) + ', ' + wordOfAny(node)},
        svgElement('g', {class: 'node ' + kind + (node === event ? ' centre' : '')}, svgElement('title', {}, node.name), shape,
            svgElement('text', {class: 'title', x: box.x + size.width / 2, y: box.y + 17}, shortText(nameOfAny(node), 24)),
            svgElement('text', {class: 'small', x: box.x + size.width / 2, y: box.y + 32}, wordOfAny(node)))));
  }
  const width = (columns.length - 1) * size.across + size.width + 24;
  const height = (tallest - 1) * size.down + size.height + 24;
  const svg = svgElement('svg', {class: 'drawing', viewBox: `-12 -12 ${width} ${height}`, width, height, role: 'group',
                                 'aria-label': 'Around ' + event.short}, edges, nodes);
  return scrollable(svg, width, height, 'Around ' + event.short);
}

function neighbourhoodList(levels) {
  const title = (level) => (level === 0 ? 'The event' : Math.abs(level) + (level < 0 ? ' before' : ' after'));
  return columnsOf(levels).map(([level, nodes]) => element('section', {}, element('h3', {}, title(level) + ' (' + nodes.length + ')'),
      growing(nodes, (node) => element('li', {}, link(hrefOfAny(node), nameOfAny(node)), ' ', wordOfAny(node)), element('ul', {class: 'rows'}))));
}

function eventList() {
  let wanted = '';
  const [list, again] = live(() => growing(model.events.filter((event) => matches(event.name, wanted)),
      (event) => element('li', {}, link(hrefOfEvent(event), event.short), ' ', element('code', {}, event.name)),
      element('ul', {class: 'rows'})));
  return [element('h1', {}, 'Events'), element('p', {class: 'lead'}, 'Choose an event to see what leads to it and what follows.'),
          textFilter('Filter events', '', (value) => { wanted = value; again(); }), list];
}

function neighbourhoodView(name, depthText) {
  const event = eventByName.get(name);
  if (!event) return eventList();
  const depth = Math.min(deepest, Math.max(1, Number(depthText) || 2));
  const levels = around(event, depth);
  const depths = Array.from({length: deepest}, (_, i) => i + 1);
  return [element('h1', {}, 'Around ' + event.short),
          element('p', {class: 'lead'}, element('code', {}, event.name), ' of ',
                  participantByName.has(event.context) ? link(hrefOfParticipant(event.context), event.context) : event.context,
                  event.failure ? ', a failure' : '', event.public ? ', for anybody' : ''),
          element('nav', {class: 'scenarios', 'aria-label': 'Depth in steps'},
                  element('ul', {}, element('li', {class: 'plain'}, 'Steps either way:'), depths.map((one) => element('li', {},
                      element('a', {href: path('event', event.name, String(one)), 'aria-current': one === depth ? 'true' : null}, String(one)))))),
          levels.size <= mostDrawn
              ? [neighbourhoodPicture(event, levels), element('details', {}, element('summary', {}, 'The same as a list'), neighbourhoodList(levels))]
              : [element('p', {class: 'hint'}, levels.size + ' nodes are more than a picture can show (' + mostDrawn + '); fewer steps may help.'),
                 neighbourhoodList(levels)],
          element('p', {}, link('#/event', 'All events'))];
}
