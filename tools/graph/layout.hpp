#pragma once

#include "graph/shape.hpp"

#include <string>
#include <vector>

namespace quadrille::graph {

struct Point {
  double x = 0;
  double y = 0;
};

struct PlacedNode {
  Box box;
  std::string title;  ///< as shown: a very long one is shortened
  std::string subtitle;
};

struct PlacedEdge {
  std::vector<Point> curve;  ///< start, then for each cubic curve its two control points and its end
  Box label;                 ///< empty where there is none; the edge runs along its lower side
  std::vector<std::string> lines;
};

/// Where everything of a drawing goes, from left to right. Parallel to the drawing's nodes and edges.
struct Layout {
  double width = 0;
  double height = 0;
  std::vector<PlacedNode> nodes;
  std::vector<PlacedEdge> edges;
};

inline constexpr std::size_t most_nodes = 300;

/// Columns of nodes with the labels of edges between them: no node or label is on another, and edges go round nodes.
/// Equal drawings have equal layouts. Throws std::runtime_error with a way out above `most_nodes`.
[[nodiscard]] Layout lay_out(const Drawing& drawing);

/// The curve as the data of an SVG path, and the head of its arrow.
[[nodiscard]] std::string line_path(const PlacedEdge& edge);
[[nodiscard]] std::string head_path(const PlacedEdge& edge);

}  // namespace quadrille::graph
