#pragma once

#include "quadrille/v1/supervision_events.pb.h"
#include "support/shop_traffic.hpp"
#include "tracker/row.hpp"
#include "tracker/standing.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace quadrille::tracker {

/// A saga of the shop as the tracker would see it.
class ShopSagas : public support::ShopTraffic {
 public:
  ShopSagas() : choreography(std::make_shared<Choreography>(copy_of_shop())) {}

  [[nodiscard]] static Trail trail_of(const std::vector<Event>& from, const std::string& saga = "s1") {
    Trail trail(saga);
    for (const auto& event : from)
      if (event.saga_id == saga) trail.add({event, 0});
    return trail;
  }
  [[nodiscard]] Standing standing(std::chrono::seconds later = std::chrono::seconds(10)) const {
    return judge(trail_of(events), choreography.get(), events.back().recorded_at + later).front();
  }
  /// The framework's word that a message is stuck, or that it goes on.
  template <class Said>
  void supervise(Said said, const std::string& participant, const std::string& message_id, int cause) {
    said.set_stuck_id(participant + "-" + message_id);
    said.set_saga_id("s1");
    said.set_participant(participant);
    said.set_message_id(message_id);
    Event event;
    event.id = "v" + std::to_string(events.size());
    event.type = said.GetTypeName();
    event.source = participant;
    event.stream = {"supervision", said.stuck_id()};
    event.version = ++supervision_versions_[said.stuck_id()];
    event.saga_id = "s1";
    event.causation_id = events[static_cast<std::size_t>(cause)].id;
    event.recorded_at = TimePoint(std::chrono::hours(1)) + std::chrono::seconds(events.size());
    event.payload = said.SerializeAsString();
    events.push_back(event);
  }
  void stuck(const std::string& participant, const std::string& step, const std::string& message_id, int cause) {
    v1::StepStuck said;
    said.set_step(step);
    said.set_reason_class(v1::TECHNICAL);
    said.set_last_error("the card network is away");
    said.set_attempts(12);
    said.set_parked(true);
    supervise(said, participant, message_id, cause);
  }
  void stuck_timer(const std::string& participant, const std::string& step, int cause) {
    v1::StepStuck said;
    said.set_step(step);
    said.set_event_type(v1::Timer::descriptor()->full_name());
    supervise(said, participant, "", cause);
  }
  void discarded(const std::string& participant, const std::string& message_id, int cause) {
    v1::StepResumed said;
    said.set_how(v1::StepResumed::DISCARDED);
    said.set_because("a test order");
    supervise(said, participant, message_id, cause);
  }
  void resumed(const std::string& participant, const std::string& message_id, int cause) {
    v1::StepResumed said;
    said.set_how(v1::StepResumed::HANDLED);
    supervise(said, participant, message_id, cause);
  }

  std::shared_ptr<const Choreography> choreography;

 private:
  static checker::Contracts copy_of_shop() {
    return checker::Contracts({std::string(QUADRILLE_SOURCE_DIR) + "/contracts/shop"}, {});
  }
  std::map<std::string, std::uint64_t> supervision_versions_;
};

/// Names of the steps it waits for.
[[nodiscard]] inline std::vector<std::string> waited(const Standing& standing) {
  std::vector<std::string> steps;
  for (const auto& one : standing.waiting) steps.push_back(one.step);
  return steps;
}

}  // namespace quadrille::tracker
