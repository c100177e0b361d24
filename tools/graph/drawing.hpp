#pragma once

#include "checker/graph.hpp"

#include <string>
#include <vector>

namespace quadrille::graph {

/// What a node stands for; each kind has a shape and a colour of its own, so that colour is never alone.
enum class Kind { participant, compensatable, pivot, retriable, compensation, query, observer, done, undone, outside };

struct Node {
  std::string id;  ///< unique; any text
  std::string title;
  std::string subtitle;
  Kind kind = Kind::participant;
};

enum class Line {
  forward,
  failure,
  timer,
  never,       ///< declared, and not taken in the traffic that is shown
  undeclared,  ///< taken, and not declared
};

struct Edge {
  std::string from;
  std::string to;
  std::vector<std::string> labels;
  Line line = Line::forward;
};

/// One picture, before any format. Nodes and edges are in a fixed order.
struct Drawing {
  std::string title;
  std::vector<Node> nodes;
  std::vector<Edge> edges;
};

/// Participants and the events between them.
[[nodiscard]] Drawing draw_services(const checker::Graph& graph);

/// The saga's steps as they come, breadth first from its beginning.
[[nodiscard]] std::vector<checker::Graph::Node> in_flow_order(const checker::Graph& graph,
                                                              const checker::SagaView& saga);

/// The steps of a saga and what leads from one to the next.
[[nodiscard]] Drawing draw_saga(const checker::Graph& graph, const checker::SagaView& saga);

/// What leads to an event and what follows from it, `depth` steps either way, over the borders of sagas.
[[nodiscard]] Drawing draw_neighbourhood(const checker::Graph& graph, checker::Graph::Node event, int depth);

/// What one finding is about: its nodes and the way that shows it.
[[nodiscard]] Drawing draw_finding(const checker::Graph& graph, const checker::Finding& finding);

[[nodiscard]] std::string as_dot(const Drawing& drawing);
/// Throws std::runtime_error with a way out where the drawing is over Mermaid's limits.
[[nodiscard]] std::string as_mermaid(const Drawing& drawing);
/// For tools that read GraphML (yEd, Gephi, networkx): ids, labels, kinds.
[[nodiscard]] std::string as_graphml(const Drawing& drawing);
/// Who brings svg_style() along.
enum class Style { inside, page };

/// Laid out by us, for light and dark pages; complete in itself unless its page has the style. Throws
/// std::runtime_error with a way out above 300 nodes.
[[nodiscard]] std::string as_svg(const Drawing& drawing, Style style = Style::inside);

/// A saga for a terminal: the happy path as a chain, then what happens after each failure and each time-out.
[[nodiscard]] std::string as_outline(const checker::Graph& graph, const checker::SagaView& saga);

}  // namespace quadrille::graph
