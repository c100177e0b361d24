#pragma once

#include "core/clock.hpp"
#include "core/store.hpp"
#include "runtime/event_handler.hpp"
#include "runtime/part.hpp"
#include "runtime/retry_policy.hpp"
#include "runtime/unit_of_work.hpp"
#include "telemetry/log.hpp"

namespace quadrille::runtime {

/// Handles what waits once its time has come, each message in a transaction of its own, each stream in order.
class WaitingRoom {
 public:
  WaitingRoom(const Part& part, Store& store, const EventHandler& handler, const RetryPolicy& retry, const Clock& clock,
              const telemetry::Log& log, Limits limits)
      : part_(part), store_(store), handler_(handler), retry_(retry), clock_(clock), log_(log), limits_(limits) {}

  enum class Progress { nothing_due, handled, recorded };
  /// Handles the next message that is due. Throws what the store throws.
  Progress handle_next();

 private:
  [[nodiscard]] Progress handle(Transaction& transaction, const WaitingMessage& message);
  void note_failure(const WaitingMessage& message, const std::string& reason, bool hopeless);

  const Part& part_;
  Store& store_;
  const EventHandler& handler_;
  const RetryPolicy& retry_;
  const Clock& clock_;
  const telemetry::Log& log_;
  Limits limits_;
};

}  // namespace quadrille::runtime
