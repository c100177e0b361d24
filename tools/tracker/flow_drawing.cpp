#include "tracker/flow_drawing.hpp"

#include "core/short_name.hpp"

namespace quadrille::tracker {
namespace {

/// As far as somebody looks: 45 s, 12 min, 7 h, 3 d.
std::string about(std::chrono::seconds age) {
  using namespace std::chrono;
  if (age >= hours(48)) return std::to_string(age / hours(24)) + " d";
  if (age >= minutes(100)) return std::to_string(age / hours(1)) + " h";
  if (age >= seconds(100)) return std::to_string(age / minutes(1)) + " min";
  return std::to_string(age.count()) + " s";
}

}  // namespace

graph::Drawing draw_flow(const checker::Graph& graph, const checker::SagaView& saga, const Census::Counts& counts,
                         const std::map<std::string, std::chrono::seconds>& longest) {
  auto drawing = graph::draw_saga(graph, saga);
  for (auto& node : drawing.nodes) {
    const auto waiting = counts.waiting.find(node.id);
    if (waiting == counts.waiting.end() || waiting->second <= 0) continue;
    node.subtitle += (node.subtitle.empty() ? "" : ", ") + std::to_string(waiting->second) + " waiting";
    if (const auto age = longest.find(node.id); age != longest.end()) node.subtitle += " for " + about(age->second);
  }
  // An event is told by its participant and its short name, which is what a drawing's edge shows first.
  std::map<std::pair<std::string, std::string>, std::uint64_t> said;
  for (const auto& [what, count] : counts.passed) said[{what.first, short_name(what.second)}] += count;
  for (auto& edge : drawing.edges) {
    if (edge.line == graph::Line::timer || edge.labels.empty()) continue;
    const auto participant = edge.from.substr(0, edge.from.find('.'));
    const auto found = said.find({participant, edge.labels.front()});
    edge.labels.push_back(found == said.end() ? "0" : std::to_string(found->second));
  }
  return drawing;
}

}  // namespace quadrille::tracker
