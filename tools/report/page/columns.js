// Pictures in columns around one node: upstream left, downstream right. `kind` says how nodes of a sort are joined, named
// and drawn: neighbours(node, sign), href, name, word, kind, corner, line.

// Levels: the centre is 0, what follows is positive. A node is where it is met first.
function around(centre, depth, neighboursOf) {
  const levels = new Map([[centre, 0]]);
  for (const sign of [1, -1]) {
    let front = [centre];
    for (let level = 1; level <= depth; ++level) {
      const next = [];
      for (const node of front)
        for (const other of neighboursOf(node, sign))
          if (!levels.has(other)) { levels.set(other, sign * level); next.push(other); }
      front = next;
    }
  }
  return levels;
}

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

// Each column in the order of the middle of what it is joined to, from the centre outwards.
function orderColumns(columns, neighboursOf) {
  const place = new Map();
  const settle = ([, nodes], sign) => {
    const key = (node) => {
      const known = neighboursOf(node, -sign).map((one) => place.get(one)).filter((one) => one !== undefined);
      return known.length ? known.reduce((a, b) => a + b, 0) / known.length : 0;
    };
    nodes.map((node, i) => [key(node), i, node]).sort((a, b) => a[0] - b[0] || a[1] - b[1])
        .forEach(([, , node], i) => { nodes[i] = node; place.set(node, i - (nodes.length - 1) / 2); });
  };
  for (const column of columns.filter(([level]) => level >= 0)) settle(column, 1);
  for (const column of columns.filter(([level]) => level < 0).reverse()) settle(column, -1);
}

const cell = {width: 190, height: 40, across: 250, down: 58};

// From the right side to the left one of what is further right. What runs back leaves on the left, a little lower, and
// bows between the rows where it passes other columns; within a column it goes round on the right.
function columnsEdge(from, to, kind, name) {
  const columns = (to.x - from.x) / cell.across;
  const forward = columns > 0;
  const aside = forward ? 0 : 9;
  const start = {x: columns < 0 ? from.x : from.x + cell.width, y: from.y + cell.height / 2 + aside};
  const end = {x: forward ? to.x : to.x + cell.width, y: to.y + cell.height / 2 + aside};
  const bend = (forward ? 1 : -1) * Math.max(24, Math.abs(end.x - start.x) / 2);
  const leave = columns === 0 ? -bend : bend;
  const bow = Math.abs(columns) > 1 ? cell.down / 2 : 0;
  const head = forward ? 8 : -8;
  return svgElement('g', {class: 'edge ' + kind}, svgElement('title', {}, name),
      svgElement('path', {class: 'line', d: `M${start.x} ${start.y}C${start.x + leave} ${start.y + bow} ` +
                                            `${end.x - bend} ${end.y + bow} ${end.x - head} ${end.y}`}),
      svgElement('path', {class: 'head', d: `M${end.x} ${end.y}l${-head} 4v-8z`}));
}

function columnsNode(node, box, centre, kind) {
  const middle = box.x + cell.width / 2;
  return svgElement('a', {href: kind.href(node), 'aria-label': kind.name(node) + ', ' + kind.word(node)},
      svgElement('g', {class: 'node ' + kind.kind(node) + (node === centre ? ' centre' : '')}, svgElement('title', {}, node.name),
          svgElement('rect', {class: 'border', x: box.x, y: box.y, width: cell.width, height: cell.height, rx: kind.corner(node)}),
          svgElement('text', {class: 'title', x: middle, y: box.y + 17}, shortText(kind.name(node), 24)),
          svgElement('text', {class: 'small', x: middle, y: box.y + 32}, shortText(kind.word(node), 30))));
}

function columnsPicture(centre, levels, kind) {
  const columns = columnsOf(levels);
  orderColumns(columns, kind.neighbours);
  const tallest = Math.max(...columns.map(([, nodes]) => nodes.length));
  const boxes = new Map();
  columns.forEach(([, nodes], column) => nodes.forEach((node, i) =>
      boxes.set(node, {x: column * cell.across, y: (i + (tallest - nodes.length) / 2) * cell.down})));
  const edges = [];
  for (const [node, box] of boxes)
    for (const other of kind.neighbours(node, 1))
      if (boxes.has(other))
        edges.push(columnsEdge(box, boxes.get(other), kind.line(node, other), kind.name(node) + ' to ' + kind.name(other)));
  const width = (columns.length - 1) * cell.across + cell.width + 48;  // what goes round on the right has room
  const height = (tallest - 1) * cell.down + cell.height + 24;
  const label = 'Around ' + kind.name(centre);
  const svg = svgElement('svg', {class: 'drawing', viewBox: `-12 -12 ${width} ${height}`, width, height, role: 'group', 'aria-label': label},
                         edges, [...boxes].map(([node, box]) => columnsNode(node, box, centre, kind)));
  const at = boxes.get(centre);
  return scrollable(svg, width, height, label, {x: at.x + 12 + cell.width / 2, y: at.y + 12 + cell.height / 2});
}

function columnsList(levels, kind) {
  const title = (level) => (level === 0 ? 'In the middle' : Math.abs(level) + (level < 0 ? ' before' : ' after'));
  return columnsOf(levels).map(([level, nodes]) => element('section', {}, element('h3', {}, title(level) + ' (' + nodes.length + ')'),
      growing(nodes, (node) => element('li', {}, link(kind.href(node), kind.name(node)), ' ', kind.word(node)), element('ul', {class: 'rows'}))));
}
