#include "traffic/declared.hpp"

#include <algorithm>

namespace quadrille::traffic {

Declared::Declared(const Graph& graph, const std::vector<checker::SagaView>& sagas) : graph_(graph), sagas_(sagas) {
  for (const auto node : graph.all_events()) event_by_type_[graph.event(node).name] = node;
  for (std::size_t i = 0; i < sagas.size(); ++i) saga_by_name_[sagas[i].name] = static_cast<int>(i);
}

Graph::Node Declared::event_of(const std::string& type) const {
  const auto found = event_by_type_.find(type);
  return found == event_by_type_.end() ? -1 : found->second;
}

int Declared::saga_of(const std::string& name) const {
  const auto found = saga_by_name_.find(name);
  return found == saga_by_name_.end() ? -1 : found->second;
}

Graph::Node Declared::step_between(std::string_view source, Graph::Node cause, Graph::Node event) const {
  for (const auto step : graph_.before(event)) {
    if (graph_.step(step).participant != source) continue;
    const auto start = graph_.step(step).start;
    const auto& before = graph_.before(step);
    // What a timer says is caused by what the step said that armed it.
    if (start == contract::Start::timer) {
      if (cause < 0 || std::ranges::any_of(graph_.before(cause), [&](Graph::Node arming) {
            return std::ranges::find(before, arming) != before.end();
          }))
        return step;
    } else if (cause < 0 ? start == contract::Start::command : std::ranges::find(before, cause) != before.end()) {
      return step;
    }
  }
  return -1;
}

bool settle_one_question(const contract::Step& one, const contract::Step& other) {
  const auto names = [](const contract::Step& step, const contract::Step& settled) {
    return std::ranges::find(step.settles, settled.name) != step.settles.end();
  };
  return one.service == other.service && (names(one, other) || names(other, one));
}

}  // namespace quadrille::traffic
