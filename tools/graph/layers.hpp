#pragma once

#include "graph/drawing.hpp"

#include <vector>

/// The first half of a layered drawing (Sugiyama, Tagawa and Toda 1981): which column everything is in, and in which
/// order. Nodes are in even columns; odd ones are for the labels of edges.
namespace quadrille::graph {

/// A node, or a place where an edge passes a column.
struct Spot {
  int column = 0;
  int node = -1;  ///< index in the drawing; -1 where an edge passes
  int edge = -1;  ///< index in the drawing; -1 for a node
  bool has_label = false;
  std::vector<int> left;  ///< spots of the column before that it is joined to
  std::vector<int> right;
};

struct Columns {
  std::vector<Spot> spots;                ///< nodes first, in the drawing's order
  std::vector<std::vector<int>> columns;  ///< spots from top to bottom
  std::vector<std::vector<int>> chains;   ///< for each edge its spots from left to right; empty where it is a self-loop
  std::vector<bool> backward;             ///< for each edge: it runs from right to left
};

/// Columns in the drawing's order; `reduce_crossings` orders them.
[[nodiscard]] Columns arrange(const Drawing& drawing);
/// Barycentre sweeps; keeps the best order met. Deterministic.
void reduce_crossings(Columns& columns);
[[nodiscard]] long crossings(const Columns& columns);

}  // namespace quadrille::graph
