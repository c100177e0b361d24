#include "conform/overlay.hpp"

#include <algorithm>

namespace quadrille::conform {
namespace {

std::string milliseconds(std::chrono::microseconds time) { return std::to_string((time.count() + 500) / 1000); }

/// What is known of `step` saying `event`, whatever made it.
EdgeUse emitted(const Report& report, const Graph& graph, const std::string& step, const std::string& event) {
  EdgeUse sum;
  for (const auto& [edge, use] : report.edges)
    if (graph.label(edge[1]) == step && graph.event(edge[2]).short_name == event) {
      sum.count += use.count;
      if (use.p50 > sum.p50) sum.p50 = use.p50;
      if (use.p99 > sum.p99) sum.p99 = use.p99;
    }
  return sum;
}

}  // namespace

graph::Drawing overlay(const Graph& graph, const checker::SagaView& saga, const Report& report) {
  auto drawing = quadrille::graph::draw_saga(graph, saga);
  for (auto& edge : drawing.edges) {
    if (edge.line == quadrille::graph::Line::timer) continue;
    const auto use = emitted(report, graph, edge.from, edge.labels.front());
    if (use.count == 0) {
      edge.line = quadrille::graph::Line::never;
      edge.labels.emplace_back("never seen");
    } else {
      edge.labels.push_back(std::to_string(use.count) + " times");
      if (use.p99.count() > 0)
        edge.labels.push_back("p50 " + milliseconds(use.p50) + " ms, p99 " + milliseconds(use.p99) + " ms");
    }
  }
  for (const auto& [edge, count] : report.undeclared) {
    // `cause -> participant -> event`: a node of its own, since no step is declared for it.
    const auto first = edge.find(" -> ");
    const auto second = edge.rfind(" -> ");
    const auto cause = edge.substr(0, first);
    const auto participant = edge.substr(first + 4, second - first - 4) + " (undeclared)";
    if (std::ranges::find(drawing.nodes, participant, &quadrille::graph::Node::id) == drawing.nodes.end())
      drawing.nodes.push_back({participant, participant, "", quadrille::graph::Kind::outside});
    for (const auto& node : std::vector(drawing.nodes)) {
      const auto use = emitted(report, graph, node.id, cause);
      if (use.count > 0)
        drawing.edges.push_back({node.id,
                                 participant,
                                 {cause + " / " + edge.substr(second + 4), std::to_string(count) + " times"},
                                 quadrille::graph::Line::undeclared});
    }
  }
  return drawing;
}

}  // namespace quadrille::conform
