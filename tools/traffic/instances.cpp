#include "traffic/instances.hpp"

#include <algorithm>

namespace quadrille::traffic {

Instances::Added Instances::take(const Event& event) {
  if (const auto known = by_event_id_.find(event.id); known != by_event_id_.end())
    return {&instances_[known->second.instance], known->second.happening, true};
  const auto place = instance_of(event);
  auto& instance = instances_[place];
  Happening happening;
  happening.recorded_at = event.recorded_at;
  happening.number = taken_++;
  happening.event = declared_.event_of(event.type);
  if (const auto cause = by_event_id_.find(event.causation_id);
      cause != by_event_id_.end() && cause->second.instance == place)
    happening.cause = static_cast<std::int32_t>(cause->second.happening);
  int next_saga = -1;
  if (happening.event >= 0) {
    const auto cause = happening.cause < 0 ? -1 : instance.happened[static_cast<std::size_t>(happening.cause)].event;
    happening.step = declared_.step_between(event.source, cause, happening.event);
    for (const auto& role : declared_.graph().event(happening.event).roles) {
      const auto saga = declared_.saga_of(role.saga());
      if (saga < 0) continue;
      const bool starts = role.role() == v1::SagaRole::START;
      if (starts && instance.saga < 0)
        instance.saga = saga;
      else if (starts)
        next_saga = saga;
      else if (instance.saga < 0 || instance.saga == saga)
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

std::vector<Wait> Instances::waits_for(const Instance& instance) const {
  return instance.has_ended() ? std::vector<Wait>{} : unanswered(instance);
}

std::vector<Wait> Instances::unanswered(const Instance& instance) const {
  const auto& graph = declared_.graph();
  std::vector<Wait> waits;
  for (std::size_t i = 0; i < instance.happened.size(); ++i) {
    const auto event = instance.happened[i].event;
    if (event < 0 || std::ranges::find(instance.ends, event) != instance.ends.end()) continue;
    for (const auto step : graph.next(instance.happened[i].event)) {
      const auto& groups = graph.step(step).outcomes;
      const bool silent = std::ranges::any_of(groups, [](const auto& group) { return group.may_be_nothing; });
      const bool answered = std::ranges::any_of(instance.happened, [&](const Happening& later) {
        // A join answers all it heard, because of the last of them.
        const bool joined = graph.step(step).start == contract::Start::all_of;
        return (later.step == step && (joined || later.cause == static_cast<std::int32_t>(i))) ||
               (later.step >= 0 && settle_one_question(graph.step(step), graph.step(later.step)));
      });
      if (!silent && !answered && std::ranges::find(waits, step, &Wait::step) == waits.end())
        waits.push_back({step, i});
    }
  }
  return waits;
}

}  // namespace quadrille::traffic
