#include "graph/layout.hpp"

#include "graph/layers.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace quadrille::graph {
namespace {

constexpr std::size_t longest_text = 44;
constexpr std::size_t most_lines = 4;
constexpr double label_line = 13;
constexpr double between = 14;  // two spots of a column
constexpr double head = 8;      // length of an arrow's head

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// What of an edge's labels is shown; the rest is counted.
std::vector<std::string> shown_lines(const Edge& edge) {
  std::vector<std::string> lines;
  for (const auto& label : edge.labels) {
    if (lines.size() + 1 == most_lines && edge.labels.size() > most_lines) {
      lines.push_back("and " + std::to_string(edge.labels.size() - lines.size()) + " more");
      break;
    }
    lines.push_back(shortened(label, longest_text));
  }
  return lines;
}

/// The working state: how far spots reach above and below the line that edges take through them, and where that is.
class Plan {
 public:
  explicit Plan(const Drawing& drawing) : drawing_(drawing), columns_(arrange(drawing)) {
    reduce_crossings(columns_);
    layout_.nodes.resize(drawing.nodes.size());
    layout_.edges.resize(drawing.edges.size());
    loops_.resize(drawing.nodes.size());
    for (std::size_t i = 0; i < drawing.edges.size(); ++i)
      if (columns_.chains[i].empty())
        loops_[at(static_cast<int>(std::ranges::find(drawing.nodes, drawing.edges[i].from, &Node::id) -
                                   drawing.nodes.begin()))]
            .push_back(i);
    sort_neighbours();
    measure();
    choose_heights();
    choose_columns();
    place_nodes();
    for (std::size_t i = 0; i < drawing.edges.size(); ++i)
      if (!columns_.chains[i].empty()) route(i);
    for (std::size_t node = 0; node < loops_.size(); ++node) route_loops(node);
  }

  Layout take() { return std::move(layout_); }

 private:
  void sort_neighbours();
  void measure();
  void choose_heights();
  void settle(const std::vector<int>& column, bool by_left, bool by_right);
  void choose_columns();
  void place_nodes();
  [[nodiscard]] double port_offset(int spot, int neighbour, bool rightwards) const;
  [[nodiscard]] Point port(int spot, int neighbour, bool rightwards) const;
  void route(std::size_t edge);
  void route_loops(std::size_t node);
  [[nodiscard]] double weight(int one, int other) const;

  const Drawing& drawing_;
  Columns columns_;
  Layout layout_;
  std::vector<double> above_, below_, y_;
  std::vector<double> left_, right_;             // of each column
  std::vector<std::vector<std::size_t>> loops_;  // of each node: the edges from it to itself
};

/// From top to bottom.
void Plan::sort_neighbours() {
  std::vector<std::size_t> place(columns_.spots.size());
  for (const auto& column : columns_.columns)
    for (std::size_t i = 0; i < column.size(); ++i) place[at(column[i])] = i;
  const auto by_place = [&](int spot) { return place[at(spot)]; };
  for (auto& spot : columns_.spots) {
    std::ranges::sort(spot.left, {}, by_place);
    std::ranges::sort(spot.right, {}, by_place);
  }
}

void Plan::measure() {
  const auto& spots = columns_.spots;
  above_.assign(spots.size(), 1);
  below_.assign(spots.size(), 1);
  y_.assign(spots.size(), 0);
  for (std::size_t i = 0; i < drawing_.nodes.size(); ++i) {
    auto& placed = layout_.nodes[i];
    const auto& node = drawing_.nodes[i];
    placed.title = shortened(node.title, longest_text);
    placed.subtitle = shortened(node.subtitle, longest_text);
    placed.box = size_of(node, std::max(spots[i].left.size(), spots[i].right.size()));
    above_[i] = below_[i] = placed.box.height / 2;
  }
  for (std::size_t i = 0; i < drawing_.edges.size(); ++i) {
    auto& placed = layout_.edges[i];
    placed.lines = shown_lines(drawing_.edges[i]);
    for (const auto& line : placed.lines)
      placed.label.width = std::max(placed.label.width, text_width(line, small_size) + 12);
    placed.label.height = placed.lines.empty() ? 0 : label_line * static_cast<double>(placed.lines.size()) + 4;
  }
  for (std::size_t i = 0; i < spots.size(); ++i)
    if (spots[i].has_label) above_[i] = layout_.edges[at(spots[i].edge)].label.height;
  for (std::size_t node = 0; node < loops_.size(); ++node)
    for (const auto edge : loops_[node]) above_[node] += layout_.edges[edge].label.height + between;
}

/// Long edges are kept straightest, then what goes well.
double Plan::weight(int one, int other) const {
  const auto& a = columns_.spots[at(one)];
  const auto& b = columns_.spots[at(other)];
  const auto edge = a.edge >= 0 ? a.edge : b.edge;
  const double importance = drawing_.edges[at(edge)].line == Line::forward ? 3 : 1;
  return importance * (a.node < 0 && b.node < 0 ? 6 : 2);
}

/// The heights nearest to the neighbours' (least squares) that keep the column's order and distances: isotonic
/// regression by pooling adjacent violators.
void Plan::settle(const std::vector<int>& column, bool by_left, bool by_right) {
  struct Block {
    double sum, weight;
    std::size_t count;
    [[nodiscard]] double mean() const { return sum / weight; }
  };
  std::vector<Block> blocks;
  std::vector<double> offsets;
  for (std::size_t i = 0; i < column.size(); ++i) {
    const auto id = column[i];
    const auto& spot = columns_.spots[at(id)];
    offsets.push_back(i == 0 ? 0 : offsets.back() + below_[at(column[i - 1])] + above_[at(id)] + between);
    double sum = y_[at(id)] * 0.01;  // without neighbours it stays
    double weights = 0.01;
    const auto pull = [&](const std::vector<int>& others, bool rightwards) {
      for (const auto other : others) {
        const double level = y_[at(other)] + port_offset(other, id, !rightwards) - port_offset(id, other, rightwards);
        sum += level * weight(id, other);
        weights += weight(id, other);
      }
    };
    if (by_left) pull(spot.left, false);
    if (by_right) pull(spot.right, true);
    blocks.push_back({sum - offsets.back() * weights, weights, 1});
    while (blocks.size() > 1 && blocks[blocks.size() - 2].mean() >= blocks.back().mean()) {
      const auto last = blocks.back();
      blocks.pop_back();
      blocks.back() = {blocks.back().sum + last.sum, blocks.back().weight + last.weight,
                       blocks.back().count + last.count};
    }
  }
  std::size_t i = 0;
  for (const auto& block : blocks)
    for (std::size_t member = 0; member < block.count; ++member, ++i) y_[at(column[i])] = block.mean() + offsets[i];
}

void Plan::choose_heights() {
  for (const auto& column : columns_.columns) settle(column, false, false);
  constexpr std::size_t large = 20'000;  // spots; above that it has to do to be nearly straight
  const int sweeps = y_.size() > large ? 3 : 12;
  const auto count = columns_.columns.size();
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (std::size_t i = 0; i < count; ++i) settle(columns_.columns[i], true, false);
    for (std::size_t i = count; i-- > 0;) settle(columns_.columns[i], false, true);
  }
  for (int sweep = 0; sweep < 2 * sweeps; ++sweep)
    for (std::size_t i = 0; i < count; ++i) settle(columns_.columns[sweep % 2 == 0 ? i : count - 1 - i], true, true);
  double top = y_.empty() ? 0 : 1e12;
  for (std::size_t i = 0; i < y_.size(); ++i) top = std::min(top, y_[i] - above_[i]);
  for (std::size_t i = 0; i < y_.size(); ++i) {
    y_[i] -= top;
    layout_.height = std::max(layout_.height, y_[i] + below_[i]);
  }
}

/// As wide as what is in them; the gap to the next is wider where an edge has far to climb.
void Plan::choose_columns() {
  double x = 0;
  for (const auto& column : columns_.columns) {
    double width = 0;
    double climb = 0;
    for (const auto id : column) {
      const auto& spot = columns_.spots[at(id)];
      if (spot.node >= 0) {
        width = std::max(width, layout_.nodes[at(spot.node)].box.width);
        for (const auto edge : loops_[at(spot.node)]) width = std::max(width, layout_.edges[edge].label.width);
      }
      if (spot.has_label) width = std::max(width, layout_.edges[at(spot.edge)].label.width);
      for (const auto to : spot.right) climb = std::max(climb, std::abs(y_[at(to)] - y_[at(id)]));
    }
    left_.push_back(x);
    right_.push_back(x + width);
    x += width + std::clamp(18 + climb * 0.12, 24.0, 90.0);
  }
  layout_.width = right_.back();
}

void Plan::place_nodes() {
  for (std::size_t i = 0; i < layout_.nodes.size(); ++i) {
    auto& box = layout_.nodes[i].box;
    const auto column = at(columns_.spots[i].column);
    box.x = (left_[column] + right_[column] - box.width) / 2;
    box.y = y_[i] + below_[i] - box.height;  // room for self-loops is above
  }
}

/// How far from a node's middle an edge leaves or meets it: edges are spread over the side in the order of where they
/// go.
double Plan::port_offset(int spot, int neighbour, bool rightwards) const {
  if (columns_.spots[at(spot)].node < 0) return 0;
  const auto& others = rightwards ? columns_.spots[at(spot)].right : columns_.spots[at(spot)].left;
  const auto index = std::ranges::find(others, neighbour) - others.begin();
  const double part = static_cast<double>(index + 1) / static_cast<double>(others.size() + 1) - 0.5;
  constexpr double of_side = 0.8;
  constexpr double of_slope = 0.6;
  return part * layout_.nodes[at(spot)].box.height *
         (drawing_.nodes[at(spot)].kind == Kind::query ? of_slope : of_side);
}

Point Plan::port(int spot, int neighbour, bool rightwards) const {
  const auto& box = layout_.nodes[at(spot)].box;
  const double y = box.middle_y() + port_offset(spot, neighbour, rightwards);
  const double inset = side_inset(drawing_.nodes[at(spot)].kind, box, y);
  return {rightwards ? box.x + box.width - inset : box.x + inset, y};
}

void add_line(std::vector<Point>& curve, Point to) {
  const auto from = curve.back();
  curve.insert(curve.end(), {from, to, to});
}

/// Leaves and arrives horizontally.
void add_bend(std::vector<Point>& curve, Point to) {
  const auto from = curve.back();
  const double middle = (from.x + to.x) / 2;
  curve.insert(curve.end(), {{middle, from.y}, {middle, to.y}, to});
}

/// Straight through columns, bent between them only: so no edge meets a node or a label.
void Plan::route(std::size_t edge) {
  const auto& chain = columns_.chains[edge];
  auto& placed = layout_.edges[edge];
  auto& curve = placed.curve;
  const auto column_of = [&](int spot) { return at(columns_.spots[at(spot)].column); };
  curve.push_back(port(chain.front(), chain[1], true));
  add_line(curve, {right_[column_of(chain.front())] + head, curve.back().y});
  for (std::size_t i = 1; i + 1 < chain.size(); ++i) {
    const auto column = column_of(chain[i]);
    const double y = y_[at(chain[i])];
    add_bend(curve, {left_[column], y});
    add_line(curve, {right_[column], y});
    if (!columns_.spots[at(chain[i])].has_label) continue;
    placed.label.x = (left_[column] + right_[column] - placed.label.width) / 2;
    placed.label.y = y - placed.label.height;
  }
  const auto end = port(chain.back(), chain[chain.size() - 2], false);
  add_bend(curve, {left_[column_of(chain.back())] - head, end.y});
  add_line(curve, end);
  if (columns_.backward[edge]) std::ranges::reverse(curve);
}

/// One above the other, over the node.
void Plan::route_loops(std::size_t node) {
  const auto& box = layout_.nodes[node].box;
  double height = 0;
  for (const auto edge : loops_[node]) {
    auto& placed = layout_.edges[edge];
    const double reach = 10 + height / 6;
    const double border_y = box.y + top_inset(drawing_.nodes[node].kind, box, reach);
    height += between;
    const double top = box.y - height + 2;
    height += placed.label.height;
    placed.label.x = box.middle_x() - placed.label.width / 2;
    placed.label.y = top - placed.label.height;
    const double control = border_y - (border_y - top) * 4 / 3;  // a cubic curve gets three quarters of the way
    placed.curve = {{box.middle_x() + reach, border_y},
                    {box.middle_x() + reach, control},
                    {box.middle_x() - reach, control},
                    {box.middle_x() - reach, border_y}};
  }
}

}  // namespace

Layout lay_out(const Drawing& drawing) {
  if (drawing.nodes.size() > most_nodes)
    throw std::runtime_error("the drawing has " + std::to_string(drawing.nodes.size()) +
                             " nodes, more than anybody can read (" + std::to_string(most_nodes) +
                             "); draw one saga (--view saga:NAME), or one neighbourhood in --format html");
  return Plan(drawing).take();
}

std::string line_path(const PlacedEdge& edge) {
  auto curve = edge.curve;
  auto& end = curve.back();  // the head hides the end of a thick line
  if (curve.size() == 4)
    end.y -= head - 1;
  else
    end.x -= (curve.front().x <= end.x ? 1 : -1) * (head - 1);
  const auto text = [](const Point& point) { return number(point.x) + " " + number(point.y); };
  std::string path = "M" + text(curve.front());
  std::size_t before_line =
      0;  // where in the path the last piece begins, if it is a straight line: a next one prolongs it
  for (std::size_t i = 1; i + 2 < curve.size(); i += 3) {
    const bool straight = curve[i - 1].y == curve[i].y && curve[i].y == curve[i + 1].y && curve[i].y == curve[i + 2].y;
    if (straight && before_line > 0) path.resize(before_line);
    before_line = straight ? path.size() : 0;
    if (straight)
      path += "H" + number(curve[i + 2].x);
    else
      path += "C" + text(curve[i]) + " " + text(curve[i + 1]) + " " + text(curve[i + 2]);
  }
  return path;
}

std::string head_path(const PlacedEdge& edge) {
  const auto& tip = edge.curve.back();
  const bool vertical = edge.curve.size() == 4;  // a self-loop comes down
  const double direction = edge.curve.front().x <= tip.x ? 1 : -1;
  constexpr double half = 4;
  const auto corner = [&](double back, double aside) {
    const Point point = vertical ? Point{tip.x + aside, tip.y - back} : Point{tip.x - direction * back, tip.y + aside};
    return number(point.x) + " " + number(point.y);
  };
  return "M" + corner(0, 0) + "L" + corner(head, half) + "L" + corner(head, -half) + "Z";
}

}  // namespace quadrille::graph
