#include "graph/layers.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <queue>

namespace quadrille::graph {
namespace {

using Ends = std::pair<int, int>;

/// Edges as pairs of indices.
std::vector<Ends> ends_of(const Drawing& drawing) {
  std::map<std::string, int> index;
  for (std::size_t i = 0; i < drawing.nodes.size(); ++i) index.emplace(drawing.nodes[i].id, static_cast<int>(i));
  std::vector<Ends> ends;
  for (const auto& edge : drawing.edges) ends.emplace_back(index.at(edge.from), index.at(edge.to));
  return ends;
}

std::vector<std::vector<int>> followers(const std::vector<Ends>& ends, std::size_t nodes) {
  std::vector<std::vector<int>> next(nodes);
  for (const auto& [from, to] : ends)
    if (from != to) next[static_cast<std::size_t>(from)].push_back(to);
  return next;
}

/// Nodes in an order in which only edges that close a cycle run backward: the reverse of the order in which a
/// depth-first search leaves them.
std::vector<int> order_by_depth(const std::vector<std::vector<int>>& next) {
  const auto count = next.size();
  std::vector<int> order;
  std::vector<bool> seen(count, false);
  for (std::size_t root = 0; root < count; ++root) {
    if (seen[root]) continue;
    std::vector<std::pair<int, std::size_t>> open{{static_cast<int>(root), 0}};
    seen[root] = true;
    while (!open.empty()) {
      auto& [node, done] = open.back();
      const auto& mine = next[static_cast<std::size_t>(node)];
      if (done == mine.size()) {
        order.push_back(node);
        open.pop_back();
      } else if (const auto to = static_cast<std::size_t>(mine[done++]); !seen[to]) {
        seen[to] = true;
        open.emplace_back(static_cast<int>(to), 0);
      }
    }
  }
  std::ranges::reverse(order);
  return order;
}

/// Nodes by their distance from those that nothing leads to: shallow where everything talks to everything.
std::vector<int> order_by_breadth(const std::vector<std::vector<int>>& next) {
  const auto count = next.size();
  std::vector<bool> led_to(count, false);
  for (const auto& mine : next)
    for (const auto to : mine) led_to[static_cast<std::size_t>(to)] = true;
  std::vector<bool> seen(count, false);
  std::vector<int> order;
  const auto visit = [&](std::size_t node) {
    if (!seen[node]) order.push_back(static_cast<int>(node));
    seen[node] = true;
  };
  for (std::size_t node = 0; node < count; ++node)
    if (!led_to[node]) visit(node);
  std::size_t done = 0;
  for (std::size_t root = 0; root <= count; ++root) {
    for (; done < order.size(); ++done)
      for (const auto to : next[static_cast<std::size_t>(order[done])]) visit(static_cast<std::size_t>(to));
    if (root < count) visit(root);
  }
  return order;
}

struct Ranking {
  std::vector<int> ranks;
  int count = 0;
};

/// The longest path to each node along edges that run forward in `order`; then nodes move right, to where their edges
/// are short.
Ranking rank(const std::vector<int>& order, const std::vector<Ends>& ends) {
  std::vector<int> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
  std::vector<std::vector<int>> next(order.size());
  std::vector<int> more_out(order.size(), 0);
  for (auto [from, to] : ends) {
    if (from == to) continue;
    if (place[static_cast<std::size_t>(from)] > place[static_cast<std::size_t>(to)]) std::swap(from, to);
    next[static_cast<std::size_t>(from)].push_back(to);
    ++more_out[static_cast<std::size_t>(from)];
    --more_out[static_cast<std::size_t>(to)];
  }
  Ranking ranking{std::vector<int>(order.size(), 0), 0};
  auto& ranks = ranking.ranks;
  for (const auto node : order)
    for (const auto to : next[static_cast<std::size_t>(node)])
      ranks[static_cast<std::size_t>(to)] =
          std::max(ranks[static_cast<std::size_t>(to)], ranks[static_cast<std::size_t>(node)] + 1);
  for (auto node = order.rbegin(); node != order.rend(); ++node) {
    const auto& mine = next[static_cast<std::size_t>(*node)];
    if (mine.empty() || more_out[static_cast<std::size_t>(*node)] <= 0) continue;
    int nearest = ranks[static_cast<std::size_t>(mine.front())];
    for (const auto to : mine) nearest = std::min(nearest, ranks[static_cast<std::size_t>(to)]);
    ranks[static_cast<std::size_t>(*node)] = nearest - 1;
  }
  for (const auto one : ranks) ranking.count = std::max(ranking.count, one + 1);
  return ranking;
}

/// Nodes without edges fill the columns evenly instead of making one tall one.
void spread_lonely(const std::vector<Ends>& ends, Ranking& ranking) {
  std::vector<bool> joined(ranking.ranks.size(), false);
  for (const auto& [from, to] : ends)
    if (from != to) joined[static_cast<std::size_t>(from)] = joined[static_cast<std::size_t>(to)] = true;
  const auto lonely = std::ranges::count(joined, false);
  const int columns =
      std::max(ranking.count, static_cast<int>(std::ceil(std::sqrt(static_cast<double>(lonely) / 2.0))));
  int met = 0;
  for (std::size_t i = 0; i < joined.size(); ++i)
    if (!joined[i]) ranking.ranks[i] = met++ % columns;
  if (lonely > 0) ranking.count = std::max(ranking.count, std::min(columns, static_cast<int>(lonely)));
}

int add_spot(Columns& columns, Spot spot) {
  const auto id = static_cast<int>(columns.spots.size());
  columns.columns[static_cast<std::size_t>(spot.column)].push_back(id);
  columns.spots.push_back(std::move(spot));
  return id;
}

/// The label goes next to the source: that is who says it.
void add_chain(Columns& columns, int edge, int left, int right, bool labelled) {
  std::vector<int> chain{left};
  const int first = columns.spots[static_cast<std::size_t>(left)].column;
  const int last = columns.spots[static_cast<std::size_t>(right)].column;
  const int nearest = columns.backward[static_cast<std::size_t>(edge)] ? last - 1 : first + 1;
  for (int column = first + 1; column < last; ++column)
    chain.push_back(add_spot(columns, {column, -1, edge, labelled && column == nearest, {}, {}}));
  chain.push_back(right);
  for (std::size_t i = 1; i < chain.size(); ++i) {
    columns.spots[static_cast<std::size_t>(chain[i - 1])].right.push_back(chain[i]);
    columns.spots[static_cast<std::size_t>(chain[i])].left.push_back(chain[i - 1]);
  }
  columns.chains[static_cast<std::size_t>(edge)] = std::move(chain);
}

}  // namespace

Columns arrange(const Drawing& drawing) {
  constexpr int deep = 24;  // more columns than anybody scrolls through
  const auto ends = ends_of(drawing);
  const auto next = followers(ends, drawing.nodes.size());
  auto ranking = rank(order_by_depth(next), ends);
  if (ranking.count > deep)
    if (auto shallow = rank(order_by_breadth(next), ends); shallow.count < ranking.count) ranking = std::move(shallow);
  spread_lonely(ends, ranking);
  Columns columns;
  columns.columns.resize(static_cast<std::size_t>(std::max(1, 2 * ranking.count - 1)));
  for (std::size_t i = 0; i < drawing.nodes.size(); ++i)
    add_spot(columns, {2 * ranking.ranks[i], static_cast<int>(i), -1, false, {}, {}});
  columns.chains.resize(ends.size());
  columns.backward.resize(ends.size(), false);
  for (std::size_t i = 0; i < ends.size(); ++i) {
    auto [from, to] = ends[i];
    if (from == to) continue;
    columns.backward[i] = ranking.ranks[static_cast<std::size_t>(from)] > ranking.ranks[static_cast<std::size_t>(to)];
    if (columns.backward[i]) std::swap(from, to);
    add_chain(columns, static_cast<int>(i), from, to, !drawing.edges[i].labels.empty());
  }
  return columns;
}

}  // namespace quadrille::graph
