#include "tracker/flow_drawing.hpp"

namespace quadrille::tracker {

graph::Drawing draw_flow(const checker::Graph& graph, const checker::SagaView& saga, const Census::Counts& counts) {
  auto drawing = graph::draw_saga(graph, saga);
  for (auto& node : drawing.nodes) {
    const auto waiting = counts.waiting.find(node.id);
    if (waiting == counts.waiting.end() || waiting->second <= 0) continue;
    node.subtitle += (node.subtitle.empty() ? "" : ", ") + std::to_string(waiting->second) + " waiting";
  }
  // An event is told by its participant and its short name, which is what a drawing's edge shows first.
  std::map<std::pair<std::string, std::string>, std::uint64_t> said;
  for (const auto& [what, count] : counts.passed)
    said[{what.first, what.second.substr(what.second.rfind('.') + 1)}] += count;
  for (auto& edge : drawing.edges) {
    if (edge.line == graph::Line::timer || edge.labels.empty()) continue;
    const auto participant = edge.from.substr(0, edge.from.find('.'));
    const auto found = said.find({participant, edge.labels.front()});
    edge.labels.push_back(found == said.end() ? "0" : std::to_string(found->second));
  }
  return drawing;
}

}  // namespace quadrille::tracker
