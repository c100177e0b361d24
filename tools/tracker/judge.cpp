// judge(): from a saga's events to where it stands.
#include "checker/saga_flow.hpp"
#include "replay/timeline.hpp"
#include "tracker/standing.hpp"
#include "tracker/supervision.hpp"
#include "traffic/instances.hpp"

#include <algorithm>
#include <set>

namespace quadrille::tracker {
namespace {

using traffic::Happening;
using traffic::Instance;

/// One part of a saga being judged.
class Judgement {
 public:
  Judgement(const Choreography& choreography, const traffic::Instances& instances, const Instance& instance,
            const std::vector<Event>& events)
      : graph_(choreography.graph),
        instance_(instance),
        events_(events),
        view_(instance.saga < 0 ? nullptr : &choreography.sagas[static_cast<std::size_t>(instance.saga)]),
        waits_(instances.waits_for(instance)) {}

  [[nodiscard]] Standing tell() const {
    Standing standing;
    standing.started_at = instance_.started;
    standing.latest_at = instance_.latest;
    standing.key = event_of(0).stream.key;
    if (view_ != nullptr) {
      standing.saga = view_->name;
      if (view_->declared != nullptr && view_->declared->deadline.count() > 0)
        standing.deadline_at = instance_.started + view_->declared->deadline;
    }
    for (const auto& wait : waits_)
      standing.waiting.push_back(
          {graph_.full_name(wait.step), event_of(wait.place).id, instance_.happened[wait.place].recorded_at});
    std::ranges::sort(standing.waiting);
    standing.failure = failure();
    standing.ledger = ledger();
    standing.pivot = pivot();
    standing.undoing = said(v1::SagaRole::END_UNDONE) || is_turned_round();
    if (instance_.has_ended()) standing.ended_at = ended_at();
    if (!instance_.has_ended()) {
      standing.timers = timers();
      standing.remaining = remaining();
    }
    standing.state = state(standing);
    return standing;
  }

 private:
  [[nodiscard]] const Event& event_of(std::size_t place) const { return events_[instance_.happened[place].number]; }
  [[nodiscard]] bool has_happened(Graph::Node step) const {
    return std::ranges::find(instance_.happened, step, &Happening::step) != instance_.happened.end();
  }
  [[nodiscard]] std::vector<Graph::Node> steps_of_saga() const {
    std::vector<Graph::Node> steps;
    if (view_ != nullptr)
      std::ranges::copy_if(view_->nodes, std::back_inserter(steps),
                           [&](Graph::Node node) { return graph_.is_step(node); });
    return steps;
  }
  [[nodiscard]] bool said(v1::SagaRole::Role role) const {
    return std::ranges::any_of(instance_.ends,
                               [&](Graph::Node end) { return checker::has_role(graph_.event(end), role); });
  }

  /// Something was undone last, or is to be undone next.
  [[nodiscard]] bool is_turned_round() const {
    const auto undoes = [&](Graph::Node step) { return step >= 0 && graph_.step(step).kind == v1::COMPENSATION; };
    if (std::ranges::any_of(waits_, [&](const auto& wait) { return undoes(wait.step); })) return true;
    if (instance_.has_ended() || !waits_.empty()) return false;
    return !instance_.happened.empty() && undoes(instance_.happened.back().step);
  }

  [[nodiscard]] State state(const Standing& standing) const {
    if (said(v1::SagaRole::END_STUCK)) return State::stuck;
    if (said(v1::SagaRole::END_UNDONE)) return standing.owed().empty() ? State::cancelled : State::compensating;
    if (instance_.has_ended()) return State::completed;
    return standing.undoing ? State::compensating : State::running;
  }

  [[nodiscard]] std::optional<Failure> failure() const {
    for (std::size_t i = 0; i < instance_.happened.size(); ++i) {
      const auto node = instance_.happened[i].event;
      if (node >= 0 && graph_.event(node).failure)
        return Failure{event_of(i).source, graph_.event(node).short_name, event_of(i).id};
    }
    return std::nullopt;
  }

  /// The compensation has said so; also where nobody recorded what made it.
  [[nodiscard]] bool proves(const Happening& happening, Graph::Node undo) const {
    if (happening.step >= 0 || happening.event < 0) return happening.step == undo;
    return std::ranges::find(graph_.next(undo), happening.event) != graph_.next(undo).end();
  }

  /// What was done beside what undid it, in order: a second doing (a loop's) wants a second undoing.
  [[nodiscard]] std::vector<LedgerEntry> ledger() const {
    std::vector<LedgerEntry> entries;
    std::set<std::size_t> used;
    for (std::size_t i = 0; i < instance_.happened.size(); ++i) {
      const auto& done = instance_.happened[i];
      if (done.step < 0 || graph_.event(done.event).failure) continue;
      const auto undo = checker::compensation_of(graph_, graph_.step(done.step));
      if (undo < 0) continue;
      LedgerEntry entry{graph_.full_name(done.step),
                        graph_.event(done.event).short_name,
                        done.recorded_at,
                        graph_.full_name(undo),
                        "",
                        {}};
      for (std::size_t j = 0; j < instance_.happened.size(); ++j) {
        if (!proves(instance_.happened[j], undo) || used.contains(j)) continue;
        used.insert(j);
        entry.undone_by = event_of(j).id;
        entry.undone_at = instance_.happened[j].recorded_at;
        break;
      }
      entries.push_back(std::move(entry));
    }
    return entries;
  }

  /// The step is the pivot, or answers its question in its place.
  [[nodiscard]] bool decides(Graph::Node node) const {
    const auto& step = graph_.step(node);
    return step.kind == v1::PIVOT || std::ranges::any_of(steps_of_saga(), [&](Graph::Node other) {
             return graph_.step(other).kind == v1::PIVOT && traffic::settle_one_question(step, graph_.step(other));
           });
  }

  [[nodiscard]] Pivot pivot() const {
    auto found = Pivot::open;
    for (const auto& happening : instance_.happened) {
      if (happening.step < 0 || !decides(happening.step)) continue;
      if (!graph_.event(happening.event).failure) return Pivot::passed;
      found = Pivot::refused;
    }
    return found;
  }

  [[nodiscard]] TimePoint ended_at() const {
    for (const auto& happening : instance_.happened)
      if (happening.event == instance_.ends.front()) return happening.recorded_at;
    return instance_.latest;
  }

  [[nodiscard]] std::vector<ArmedTimer> timers() const {
    std::vector<ArmedTimer> armed;
    for (const auto& happening : instance_.happened) {
      if (happening.step < 0) continue;
      for (const auto step : graph_.next(happening.step)) {
        if (!graph_.is_step(step) || has_happened(step) || !graph_.step(step).timeout) continue;
        armed.push_back({graph_.full_name(step), happening.recorded_at + graph_.step(step).timeout->after});
      }
    }
    std::ranges::stable_sort(armed, {}, &ArmedTimer::due_at);
    return armed;
  }

  /// Steps that may still come, behind those it waits for.
  [[nodiscard]] std::vector<std::string> remaining() const {
    std::vector<std::string> names;
    if (view_ == nullptr) return names;
    std::vector<Graph::Node> from;
    for (const auto& wait : waits_) from.push_back(wait.step);
    const auto ahead = graph_.reach(from, [&](Graph::Node node) { return !view_->nodes.contains(node); });
    for (const auto step : steps_of_saga())
      if (ahead.contains(step) && std::ranges::find(from, step) == from.end()) names.push_back(graph_.full_name(step));
    return names;
  }

  const Graph& graph_;
  const Instance& instance_;
  const std::vector<Event>& events_;
  const checker::SagaView* view_;
  const std::vector<traffic::Wait> waits_;
};

/// A saga of which no contract is known: when it was, and no more.
Standing unexplained(const std::vector<Event>& events) {
  Standing standing;
  standing.started_at = events.front().recorded_at;
  standing.latest_at = events.front().recorded_at;
  for (const auto& event : events) {
    standing.started_at = std::min(standing.started_at, event.recorded_at);
    standing.latest_at = std::max(standing.latest_at, event.recorded_at);
    if (standing.key.empty() && !is_supervision(event)) standing.key = event.stream.key;
  }
  return standing;
}

/// The part in which the step is; the last one where that cannot be told.
Standing& part_of(std::vector<Standing>& parts, const Choreography* choreography, const std::string& step) {
  for (auto& part : parts) {
    const int saga = choreography == nullptr ? -1 : choreography->declared.saga_of(part.saga);
    if (saga < 0) continue;
    for (const auto node : choreography->sagas[static_cast<std::size_t>(saga)].nodes)
      if (choreography->graph.is_step(node) && choreography->graph.full_name(node) == step) return part;
  }
  return parts.back();
}

constexpr std::string_view resolved_as = "resolve:";

/// A person's word on how it ended outranks what the events leave open.
void resolve(Standing& standing) {
  for (const auto& act : standing.acts) {
    if (!act.act.starts_with(resolved_as)) continue;
    const auto state = state_of(std::string_view(act.act).substr(resolved_as.size()));
    if (!state || !is_over(*state)) continue;
    standing.state = *state;
    standing.resolved = true;
    standing.ended_at = act.at;
  }
}

}  // namespace

std::vector<Standing> judge(const Trail& trail, const Choreography* choreography, TimePoint now) {
  std::vector<Event> events;
  for (auto& entry : replay::timeline([&] {
         std::vector<Event> all;
         for (const auto& recorded : trail.events()) all.push_back(recorded.event);
         return all;
       }()))
    events.push_back(std::move(entry.event));
  const auto supervision = supervision_of(events);
  std::vector<Standing> parts;
  const bool has_story = !std::ranges::all_of(events, is_supervision);
  if (choreography != nullptr && has_story) {
    std::erase_if(events, is_supervision);
    traffic::Instances instances(choreography->declared);
    for (const auto& event : events) static_cast<void>(instances.take(event));
    for (const auto& instance : instances.all())
      parts.push_back(Judgement(*choreography, instances, instance, events).tell());
  } else {
    parts.push_back(unexplained(events));
  }
  for (const auto& stuck : supervision.stuck) {
    auto& part = part_of(parts, choreography, stuck.step);
    // What was discarded is missed only while the saga waits for it.
    const bool waits = std::ranges::find(part.waiting, stuck.step, &WaitedStep::step) != part.waiting.end();
    if (!stuck.discarded || waits) part.stuck.push_back(stuck);
  }
  for (const auto& act : supervision.acts) parts.back().acts.push_back(act);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    auto& part = parts[i];
    part.saga_id = trail.saga_id();
    part.part = static_cast<int>(i);
    const bool late = part.deadline_at && *part.deadline_at < now;
    if (!is_over(part.state) && part.stuck.empty() && late)
      part.stuck.push_back({.step = part.waiting.empty() ? "" : part.waiting.front().step,
                            .error = "past its deadline",
                            .since = *part.deadline_at});
    if (!part.stuck.empty()) part.state = State::stuck;
    resolve(part);
  }
  return parts;
}

}  // namespace quadrille::tracker
