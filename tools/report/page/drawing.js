// Pictures whose layout the tool has computed.

function drawnEdge(edge, lit) {
  const sentence = edge.from + ' to ' + edge.to + (edge.labels.length ? ': ' + edge.labels.join(', ') : '');
  return svgElement('g', {class: 'edge ' + edge.kind + (lit ? ' lit' : '')}, svgElement('title', {}, sentence),
                    svgElement('path', {class: 'line', d: edge.path}), svgElement('path', {class: 'head', d: edge.head}),
                    edge.lines.map((text, i) => svgElement('text', {class: 'small', x: edge.x, y: Number(edge.y) + 11 + 13 * i}, text)));
}

function drawnNode(node, href, lit) {
  const lift = node.subtitle ? 7.5 : 0;
  const y = Number(node.y);
  const group = svgElement('g', {class: 'node ' + node.kind + (lit ? ' lit' : '')},
                           svgElement('title', {}, node.name + (node.subtitle ? ' (' + node.subtitle + ')' : '')),
                           svgElement('path', {class: 'border', d: node.border}),
                           node.inner && svgElement('path', {class: 'inner', d: node.inner}),
                           svgElement('text', {class: 'title', x: node.x, y: y - lift + 4.5}, node.title),
                           node.subtitle && svgElement('text', {class: 'small', x: node.x, y: y + lift + 4}, node.subtitle));
  return href ? svgElement('a', {href, 'aria-label': node.name + (node.subtitle ? ', ' + node.subtitle : '')}, group) : group;
}

function legend(edges) {
  const meanings = [['forward', 'goes on'], ['failure', 'failure'], ['timer', 'time-out']];
  const there = meanings.filter(([kind]) => edges.some((edge) => edge.kind === kind));
  if (there.length < 2) return null;
  return element('ul', {class: 'legend', 'aria-label': 'Lines'},
                 there.map(([kind, text]) => element('li', {},
                   svgElement('svg', {class: 'drawing', width: 40, height: 10, 'aria-hidden': 'true'},
                              svgElement('g', {class: 'edge ' + kind}, svgElement('path', {class: 'line', d: 'M2 5H38'}))), text)));
}

// The picture in a box that scrolls, with buttons for its size. What `centre` names is in sight at first.
function scrollable(svg, width, height, label, centre) {
  const box = element('div', {class: 'picture', role: 'group', 'aria-label': label, tabindex: '0'}, svg);
  const sizes = element('div', {class: 'sizes', role: 'group', 'aria-label': 'Size of the picture'});
  let scale = 1;
  const show = (wanted) => {
    scale = Math.min(3, Math.max(0.1, wanted));
    svg.setAttribute('width', Math.round(width * scale));
    svg.setAttribute('height', Math.round(height * scale));
  };
  const fitting = () => Math.min(1, (box.clientWidth - 18) / width);
  const button = (text, name, action) =>
      sizes.append(element('button', {type: 'button', 'aria-label': name, title: name, onclick: action}, text));
  button('−', 'Smaller', () => show(scale / 1.25));
  button('+', 'Larger', () => show(scale * 1.25));
  button('Fit', 'Fit the width', () => show(fitting()));
  button('1:1', 'Natural size', () => show(1));
  // Shrunk to fit as long as it can still be read.
  requestAnimationFrame(() => {
    show(Math.max(0.7, fitting()));
    box.scrollTo(centre.x * scale - box.clientWidth / 2, centre.y * scale - box.clientHeight / 2);
  });
  return element('div', {}, sizes, box);
}

// `hrefOf` gives a node's link, or null. `lit`, where given, says of a node or an edge whether it takes part.
function picture(drawing, label, hrefOf, lit) {
  const width = Number(drawing.width) + 24;
  const height = Number(drawing.height) + 24;
  const on = lit || (() => false);
  const svg = svgElement('svg', {class: 'drawing' + (lit ? ' some-lit' : ''), viewBox: '-12 -12 ' + width + ' ' + height,
                                 width, height, role: 'group', 'aria-label': label},
                         drawing.edges.map((edge) => drawnEdge(edge, on(edge))),
                         drawing.nodes.map((node) => drawnNode(node, hrefOf(node), on(node))));
  const leftmost = drawing.nodes.reduce((best, node) => (Number(node.x) < Number(best.x) ? node : best), drawing.nodes[0] || {x: 0, y: 0});
  return [scrollable(svg, width, height, label, {x: Number(leftmost.x), y: Number(leftmost.y)}), legend(drawing.edges)];
}

// The same as text: for screen readers, for searching, and for what is too large to draw.
function connections(drawing, hrefOf) {
  const nodes = new Map(drawing.nodes.map((node) => [node.id, node]));
  const named = (id) => {
    const node = nodes.get(id);
    const href = node && hrefOf(node);
    return href ? link(href, node.name) : id;
  };
  let wanted = '';
  const [list, again] = live(() => {
    const edges = drawing.edges.filter((edge) => matches([edge.from, edge.to, ...edge.labels].join(' '), wanted));
    if (edges.length === 0) return element('p', {}, 'No connection.');
    return growing(edges, (edge) => element('li', {}, named(edge.from), ' → ', named(edge.to), ': ', edge.labels.join(', ')),
                   element('ul', {class: 'rows'}));
  });
  return [textFilter('Filter connections', '', (value) => { wanted = value; again(); }), list];
}

function pictureOrList(drawing, label, hrefOf, lit) {
  if (drawing.drawable)
    return [picture(drawing, label, hrefOf, lit),
            element('details', {}, element('summary', {}, 'The same as a list'), connections(drawing, hrefOf))];
  return [element('p', {class: 'hint'}, drawing.nodes.length + ' nodes are more than a picture can show (' + mostDrawn +
                  '). Filter the list, or look at one saga or the neighbourhood of one event.'),
          connections(drawing, hrefOf)];
}
