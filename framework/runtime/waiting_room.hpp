#pragma once

#include "core/clock.hpp"
#include "core/store.hpp"
#include "runtime/beginning.hpp"
#include "runtime/event_handler.hpp"
#include "runtime/part.hpp"
#include "runtime/retry_policy.hpp"
#include "runtime/supervision.hpp"
#include "runtime/unit_of_work.hpp"
#include "telemetry/log.hpp"
#include "telemetry/metrics.hpp"

#include <string>

namespace quadrille::runtime {

/// Handles what waits once its time has come, each message in a transaction of its own, each stream in order.
class WaitingRoom {
 public:
  WaitingRoom(const Part& part, Store& store, Beginning& beginning, const EventHandler& handler,
              const RetryPolicy& retry, const Clock& clock, const telemetry::Log& log,
              const telemetry::Metrics& metrics, Limits limits)
      : part_(part),
        store_(store),
        beginning_(beginning),
        handler_(handler),
        retry_(retry),
        clock_(clock),
        log_(log),
        metrics_(metrics),
        limits_(limits) {}

  enum class Progress { nothing_due, handled, recorded };
  /// Handles the next message that is due. Throws what the store throws.
  Progress handle_next();

 private:
  /// True when it has recorded something.
  [[nodiscard]] bool handle(Transaction& transaction, const WaitingMessage& message, UnitOfWork& unit);
  /// Of a message without a stream, which was parked on its own: a program built later may know what it is.
  void handle_alone(const WaitingMessage& message, UnitOfWork& unit);
  /// Of a message whose stream has not come to the version before it.
  [[nodiscard]] Progress wait_for_older(const WaitingMessage& message, bool may_begin);
  [[nodiscard]] Progress put_off(const WaitingMessage& message, TimePoint due_at);
  [[nodiscard]] Progress note_failure(const WaitingMessage& message, const Failure& failure);
  [[nodiscard]] Speaker speaker() const { return {part_.name(), part_.fingerprint()}; }

  const Part& part_;
  Store& store_;
  Beginning& beginning_;
  const EventHandler& handler_;
  const RetryPolicy& retry_;
  const Clock& clock_;
  const telemetry::Log& log_;
  const telemetry::Metrics& metrics_;
  Limits limits_;
  std::string begins_with_;  ///< the message with which its stream begins here
};

}  // namespace quadrille::runtime
