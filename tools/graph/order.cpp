#include "graph/layers.hpp"

#include <algorithm>

namespace quadrille::graph {
namespace {

std::vector<int> places(const Columns& columns) {
  std::vector<int> result(columns.spots.size(), 0);
  for (const auto& column : columns.columns)
    for (std::size_t i = 0; i < column.size(); ++i) result[static_cast<std::size_t>(column[i])] = static_cast<int>(i);
  return result;
}

/// Crossings between a column and the next: inversions, counted with a binary indexed tree (Barth, Juenger, Mutzel).
long crossings_after(const Columns& columns, std::size_t column, const std::vector<int>& place) {
  std::vector<int> ends;
  for (const auto spot : columns.columns[column]) {
    const auto first = static_cast<std::ptrdiff_t>(ends.size());
    for (const auto to : columns.spots[static_cast<std::size_t>(spot)].right)
      ends.push_back(place[static_cast<std::size_t>(to)]);
    std::sort(ends.begin() + first, ends.end());
  }
  std::vector<long> tree(columns.columns[column + 1].size() + 1, 0);
  long total = 0;
  long seen = 0;
  for (const auto end : ends) {
    long not_below = 0;
    for (auto i = static_cast<std::size_t>(end) + 1; i > 0; i &= i - 1) not_below += tree[i];
    total += seen++ - not_below;
    for (auto i = static_cast<std::size_t>(end) + 1; i < tree.size(); i += i & (~i + 1)) ++tree[i];
  }
  return total;
}

/// Sorts a column by the mean place of the neighbours on one side. Spots without any keep out of the way, at the end.
void sort_column(Columns& columns, std::vector<int>& column, bool by_left, std::vector<int>& place) {
  std::vector<std::pair<double, int>> keyed;
  for (const auto id : column) {
    const auto& spot = columns.spots[static_cast<std::size_t>(id)];
    const auto& neighbours = by_left ? spot.left : spot.right;
    double sum = 0;
    for (const auto one : neighbours) sum += place[static_cast<std::size_t>(one)];
    const bool lonely = spot.left.empty() && spot.right.empty();
    const double own = lonely ? 1e9 : place[static_cast<std::size_t>(id)];
    keyed.emplace_back(neighbours.empty() ? own : sum / static_cast<double>(neighbours.size()), id);
  }
  std::ranges::stable_sort(keyed, {}, &std::pair<double, int>::first);
  for (std::size_t i = 0; i < keyed.size(); ++i) {
    column[i] = keyed[i].second;
    place[static_cast<std::size_t>(column[i])] = static_cast<int>(i);
  }
}

}  // namespace

long crossings(const Columns& columns) {
  const auto place = places(columns);
  long total = 0;
  for (std::size_t i = 0; i + 1 < columns.columns.size(); ++i) total += crossings_after(columns, i, place);
  return total;
}

void reduce_crossings(Columns& columns) {
  constexpr std::size_t large = 20'000;  // spots; above that a few sweeps have to do
  const int sweeps = columns.spots.size() > large ? 4 : 16;
  auto best = columns.columns;
  auto fewest = crossings(columns);
  auto place = places(columns);
  for (int sweep = 0; sweep < sweeps && fewest > 0; ++sweep) {
    const bool rightwards = sweep % 2 == 0;
    const auto count = columns.columns.size();
    for (std::size_t i = 1; i < count; ++i)
      sort_column(columns, columns.columns[rightwards ? i : count - 1 - i], rightwards, place);
    if (const auto now = crossings(columns); now < fewest) {
      fewest = now;
      best = columns.columns;
    }
  }
  columns.columns = std::move(best);
}

}  // namespace quadrille::graph
