#pragma once

#include "checker/graph.hpp"

#include <functional>
#include <vector>

namespace quadrille::checker {

/// The strongly connected components with a cycle in them, among the nodes that `in` names (Tarjan 1972, iterative:
/// estates are deeper than a stack). Linear in nodes and edges.
[[nodiscard]] std::vector<std::vector<Graph::Node>> cyclic_components(const Graph& graph,
                                                                      const std::function<bool(Graph::Node)>& in);

/// A shortest cycle through `node` within the nodes that `in` names; empty when there is none. Never enumerates cycles.
[[nodiscard]] std::vector<Graph::Node> shortest_cycle(const Graph& graph, Graph::Node node,
                                                      const std::function<bool(Graph::Node)>& in);

}  // namespace quadrille::checker
