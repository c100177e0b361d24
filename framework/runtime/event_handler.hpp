#pragma once

#include "core/event.hpp"
#include "runtime/part.hpp"
#include "runtime/unit_of_work.hpp"
#include "telemetry/log.hpp"

#include <set>
#include <string>

namespace quadrille::runtime {

/// Runs every step that an event starts, or that what it says today does. Stateless; thread-safe.
class EventHandler {
 public:
  EventHandler(const Part& part, const telemetry::Log& log) : part_(part), log_(log) {}

  /// The keys of the aggregates that will decide about the event; empty when it starts no step or cannot be read.
  [[nodiscard]] std::set<std::string> keys(const Event& event) const;
  /// Throws what a step throws.
  void handle(const Event& event, UnitOfWork& unit) const;
  /// True when the event starts a compensation: that is tried for ever.
  [[nodiscard]] bool compensates(const Event& event) const;

 private:
  [[nodiscard]] bool may_start_something(const Event& event) const;
  void run(const PlannedStep& step, const google::protobuf::Message& message, const Event& event,
           UnitOfWork& unit) const;

  const Part& part_;
  const telemetry::Log& log_;
};

}  // namespace quadrille::runtime
