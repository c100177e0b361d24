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
  const auto place = instance_of(event);
  auto& instance = instances_[place];
  Happening happening;
  happening.recorded_at = event.recorded_at;
  if (const auto type = event_by_type_.find(event.type); type != event_by_type_.end()) happening.event = type->second;
  if (const auto cause = by_event_id_.find(event.causation_id);
      cause != by_event_id_.end() && cause->second.instance == place)
    happening.cause = static_cast<std::int32_t>(cause->second.happening);
  int next_saga = -1;
  if (happening.event >= 0) {
    const auto cause = happening.cause < 0 ? -1 : instance.happened[static_cast<std::size_t>(happening.cause)].event;
    happening.step = step_between(event.source, cause, happening.event);
    for (const auto& role : graph_.event(happening.event).roles) {
      const auto saga = saga_by_name_.find(role.saga());
      if (saga == saga_by_name_.end()) continue;
      const bool starts = role.role() == v1::SagaRole::START;
      if (starts && instance.saga < 0)
        instance.saga = saga->second;
      else if (starts)
        next_saga = saga->second;
      else if (instance.saga < 0 || instance.saga == saga->second)
        instance.ends.push_back(happening.event);
    }
  }
  instance.started = std::min(instance.started, event.recorded_at);
  instance.latest = std::max(instance.latest, event.recorded_at);
  const auto added = static_cast<std::uint32_t>(instance.happened.size());
  by_event_id_[event.id] = {place, added};
  instance.happened.push_back(happening);
  if (instance.has_ended() && next_saga >= 0) begin_next(event, happening, next_saga);
  return {&instances_[place], added, false};
}

/// Where its cause is; else the newest of its saga id.
std::uint32_t Instances::instance_of(const Event& event) {
  if (const auto cause = by_event_id_.find(event.causation_id);
      cause != by_event_id_.end() && instances_[cause->second.instance].saga_id == event.saga_id)
    return cause->second.instance;
  const auto [entry, is_new] = by_saga_id_.try_emplace(event.saga_id, static_cast<std::uint32_t>(instances_.size()));
  if (is_new) {
    instances_.emplace_back();
    instances_.back().saga_id = event.saga_id;
    instances_.back().started = event.recorded_at;
  }
  return entry->second;
}

void Instances::begin_next(const Event& event, Happening start, int saga) {
  start.cause = -1;  // what led to it is the other saga's
  start.step = -1;
  const auto place = static_cast<std::uint32_t>(instances_.size());
  instances_.emplace_back();
  auto& next = instances_.back();
  next.saga_id = event.saga_id;
  next.saga = saga;
  next.started = next.latest = event.recorded_at;
  next.happened.push_back(start);
  by_saga_id_[event.saga_id] = place;
  by_event_id_[event.id] = {place, 0};
}

std::vector<Graph::Node> Instances::waits_for(const Instance& instance) const {
  return instance.has_ended() ? std::vector<Graph::Node>{} : unanswered(instance);
}

std::vector<Graph::Node> Instances::unanswered(const Instance& instance) const {
  std::vector<Graph::Node> steps;
  for (std::size_t i = 0; i < instance.happened.size(); ++i) {
    const auto event = instance.happened[i].event;
    if (event < 0 || std::ranges::find(instance.ends, event) != instance.ends.end()) continue;
    for (const auto step : graph_.next(instance.happened[i].event)) {
      const auto& groups = graph_.step(step).outcomes;
      const bool silent = std::ranges::any_of(groups, [](const auto& group) { return group.may_be_nothing; });
      const bool answered = std::ranges::any_of(instance.happened, [&](const Happening& later) {
        // A join answers all it heard, because of the last of them.
        const bool joined = graph_.step(step).start == contract::Start::all_of;
        return (later.step == step && (joined || later.cause == static_cast<std::int32_t>(i))) ||
               (later.step >= 0 && settle_one_question(graph_.step(step), graph_.step(later.step)));
      });
      if (!silent && !answered && std::ranges::find(steps, step) == steps.end()) steps.push_back(step);
    }
  }
  return steps;
}

}  // namespace quadrille::traffic
