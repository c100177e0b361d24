#include "traffic/instances.hpp"

#include <algorithm>

namespace quadrille::traffic {

namespace {

/// The first of the two has decided; the other has nothing to say any more.
bool settle_one_question(const contract::Step& one, const contract::Step& other) {
  const auto names = [](const contract::Step& step, const contract::Step& settled) {
    return std::ranges::find(step.settles, settled.name) != step.settles.end();
  };
  return one.service == other.service && (names(one, other) || names(other, one));
}

}  // namespace

Instances::Instances(const Graph& graph, const std::vector<checker::SagaView>& sagas) : graph_(graph), sagas_(sagas) {
  for (const auto node : graph.all_events()) event_by_type_[graph.event(node).name] = node;
  for (std::size_t i = 0; i < sagas.size(); ++i) saga_by_name_[sagas[i].name] = static_cast<int>(i);
}

Graph::Node Instances::step_between(const std::string& source, Graph::Node cause, Graph::Node event) const {
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

Instances::Added Instances::take(const Event& event) {
  if (const auto known = by_event_id_.find(event.id); known != by_event_id_.end())
    return {&instances_[known->second.instance], known->second.happening, true};
  const auto [entry, is_new] = by_saga_id_.try_emplace(event.saga_id, static_cast<std::uint32_t>(instances_.size()));
  if (is_new) {
    instances_.emplace_back();
    instances_.back().saga_id = event.saga_id;
    instances_.back().started = event.recorded_at;
  }
  auto& instance = instances_[entry->second];
  Happening happening;
  happening.recorded_at = event.recorded_at;
  if (const auto type = event_by_type_.find(event.type); type != event_by_type_.end()) happening.event = type->second;
  if (const auto cause = by_event_id_.find(event.causation_id);
      cause != by_event_id_.end() && cause->second.instance == entry->second)
    happening.cause = static_cast<std::int32_t>(cause->second.happening);
  if (happening.event >= 0) {
    const auto cause = happening.cause < 0 ? -1 : instance.happened[static_cast<std::size_t>(happening.cause)].event;
    happening.step = step_between(event.source, cause, happening.event);
    for (const auto& role : graph_.event(happening.event).roles) {
      const auto saga = saga_by_name_.find(role.saga());
      if (saga == saga_by_name_.end()) continue;
      if (role.role() == v1::SagaRole::START && instance.saga < 0) instance.saga = saga->second;
      if (role.role() != v1::SagaRole::START && (instance.saga < 0 || instance.saga == saga->second))
        instance.ends.push_back(happening.event);
    }
  }
  instance.started = std::min(instance.started, event.recorded_at);
  instance.latest = std::max(instance.latest, event.recorded_at);
  by_event_id_[event.id] = {entry->second, static_cast<std::uint32_t>(instance.happened.size())};
  instance.happened.push_back(happening);
  return {&instance, instance.happened.size() - 1, false};
}

std::vector<Graph::Node> Instances::waits_for(const Instance& instance) const {
  std::vector<Graph::Node> steps;
  if (instance.has_ended()) return steps;
  for (std::size_t i = 0; i < instance.happened.size(); ++i) {
    if (instance.happened[i].event < 0) continue;
    for (const auto step : graph_.next(instance.happened[i].event)) {
      const auto& groups = graph_.step(step).outcomes;
      const bool silent = std::ranges::any_of(groups, [](const auto& group) { return group.may_be_nothing; });
      const bool answered = std::ranges::any_of(instance.happened, [&](const Happening& later) {
        return (later.cause == static_cast<std::int32_t>(i) && later.step == step) ||
               (later.step >= 0 && settle_one_question(graph_.step(step), graph_.step(later.step)));
      });
      if (!silent && !answered && std::ranges::find(steps, step) == steps.end()) steps.push_back(step);
    }
  }
  return steps;
}

}  // namespace quadrille::traffic
