#pragma once

#include "checker/graph.hpp"

#include <string>
#include <vector>

namespace quadrille::checker {

/// The strongly connected components with a cycle in them, each ascending (Tarjan 1972, iterative: estates are deeper
/// than a stack). Linear in nodes and edges.
[[nodiscard]] std::vector<std::vector<Graph::Node>> cyclic_components(const Graph& graph);
/// The same among some nodes only.
[[nodiscard]] std::vector<std::vector<Graph::Node>> cyclic_components(const Graph& graph, const NodeSet& within);

/// A shortest cycle through `node` within some nodes; empty when there is none. Never enumerates cycles.
[[nodiscard]] std::vector<Graph::Node> shortest_cycle(const Graph& graph, Graph::Node node, const NodeSet& within);

/// Participants that hear each other in a circle, each group by name.
[[nodiscard]] std::vector<std::vector<std::string>> service_circles(const Graph& graph);

}  // namespace quadrille::checker
