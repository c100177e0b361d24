#include "testing/saga_state.hpp"

#include "quadrille/v1/supervision_events.pb.h"

#include <algorithm>
#include <ostream>

namespace quadrille::testing {
namespace {

/// Messages of the saga that were said to be stuck and not to be resumed since.
bool waits_for_a_person(std::span<const Event> events) {
  std::set<std::string> stuck;
  for (const auto& event : events) {
    v1::StepStuck began;
    v1::StepResumed ended;
    if (event.type == v1::StepStuck::descriptor()->full_name() && began.ParseFromString(event.payload))
      stuck.insert(began.stuck_id());
    if (event.type == v1::StepResumed::descriptor()->full_name() && ended.ParseFromString(event.payload))
      stuck.erase(ended.stuck_id());
  }
  return !stuck.empty();
}

class Telling {
 public:
  Telling(std::span<const Event> events, const Said& said, const std::vector<const runtime::Part*>& parts)
      : said_(said), parts_(parts) {
    for (const auto& event : events) types_.insert(event.type);
  }

  [[nodiscard]] bool ended(v1::SagaRole::Role role) const {
    return any_event([&](const contract::EventType& type) {
      return std::ranges::any_of(type.roles, [&](const auto& of_saga) { return of_saga.role() == role; });
    });
  }
  [[nodiscard]] bool failed() const {
    return any_event([](const contract::EventType& type) { return type.failure; });
  }
  /// A step that was done has a compensation that has said nothing yet.
  [[nodiscard]] bool owes() const {
    return std::ranges::any_of(said_, [this](const auto& entry) {
      const auto& [step_name, event] = entry;
      const auto* step = find(step_name);
      if (step == nullptr || step->compensated_by.empty() || failure(step->participant, event)) return false;
      const auto undo = step->participant + "." + step->compensated_by;
      return std::ranges::none_of(said_, [&](const auto& other) { return other.first == undo; });
    });
  }
  [[nodiscard]] bool undoes() const {
    return commanded_to_undo() || std::ranges::any_of(said_, [this](const auto& entry) {
             const auto* step = find(entry.first);
             return step != nullptr && step->kind == v1::COMPENSATION;
           });
  }

 private:
  /// A compensation was commanded, and perhaps not heard yet.
  [[nodiscard]] bool commanded_to_undo() const {
    return std::ranges::any_of(parts_, [&](const auto* part) {
      return std::ranges::any_of(part->declared().steps, [&](const contract::Step& step) {
        return step.kind == v1::COMPENSATION && std::ranges::any_of(step.triggers, [&](const auto& trigger) {
                 return types_.contains(trigger) && !part->event_type(trigger).command_to.empty();
               });
      });
    });
  }

  template <class Is>
  [[nodiscard]] bool any_event(const Is& is) const {
    return std::ranges::any_of(parts_, [&](const auto* part) {
      return std::ranges::any_of(part->declared().steps, [&](const contract::Step& step) {
        return std::ranges::any_of(
            step.emits(), [&](const auto& type) { return types_.contains(type) && is(part->event_type(type)); });
      });
    });
  }
  [[nodiscard]] const contract::Step* find(const std::string& full_name) const {
    for (const auto* part : parts_)
      for (const auto& step : part->declared().steps)
        if (step.full_name() == full_name) return &step;
    return nullptr;
  }
  [[nodiscard]] bool failure(const std::string& participant, const std::string& event) const {
    return std::ranges::any_of(
        parts_, [&](const auto* part) { return part->name() == participant && part->event_type(event).failure; });
  }

  const Said& said_;
  const std::vector<const runtime::Part*>& parts_;
  std::set<std::string> types_;
};

}  // namespace

SagaState saga_state(std::span<const Event> events, const Said& said, const std::vector<const runtime::Part*>& parts) {
  if (events.empty()) return SagaState::unknown;
  const Telling saga(events, said, parts);
  if (saga.ended(v1::SagaRole::END_STUCK) || waits_for_a_person(events)) return SagaState::stuck;
  if (saga.ended(v1::SagaRole::END_DONE)) return SagaState::completed;
  if (saga.ended(v1::SagaRole::END_UNDONE)) return saga.owes() ? SagaState::compensating : SagaState::cancelled;
  return saga.failed() || saga.undoes() ? SagaState::compensating : SagaState::running;
}

std::ostream& operator<<(std::ostream& out, SagaState state) {
  switch (state) {
    case SagaState::unknown:
      return out << "UNKNOWN";
    case SagaState::running:
      return out << "RUNNING";
    case SagaState::compensating:
      return out << "COMPENSATING";
    case SagaState::completed:
      return out << "COMPLETED";
    case SagaState::cancelled:
      return out << "CANCELLED";
    case SagaState::stuck:
      return out << "STUCK";
  }
  return out << "?";
}

}  // namespace quadrille::testing
