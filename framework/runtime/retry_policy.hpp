#pragma once

#include "core/backoff.hpp"
#include "core/store.hpp"
#include "runtime/step_failed.hpp"

#include <chrono>
#include <cstdint>

namespace quadrille::runtime {

/// When a failed message is handled again, and when it is parked instead.
struct RetryPolicy {
  std::uint32_t max_attempts = 12;
  Backoff backoff;  ///< exponential, jitter, ceiling one hour
  /// How long a message waits for older versions of its stream. Longer than the broker's ack wait: what a dead instance
  /// held comes again only then.
  std::chrono::milliseconds gap_wait{60'000};

  /// Notes one more failure. `never_give_up`: a compensation; only a person may end it, by mending what fails. True
  /// when the message is stuck by this failure: parked, or a compensation whose patience is over.
  [[nodiscard]] bool note_failure(WaitingMessage& message, const Failure& failure, bool never_give_up,
                                  TimePoint now) const {
    if (message.attempts == 0 && !message.stuck) message.first_failed_at = now;
    ++message.attempts;
    message.reason = failure.reason;
    message.reason_class = failure.reason_class;
    message.step = failure.step;
    const bool out_of_patience =
        failure.hopeless ? !message.stuck || message.attempts == 1 : message.attempts == max_attempts;
    const bool give_up = !never_give_up && (failure.hopeless || message.attempts >= max_attempts);
    message.state = give_up ? Waiting::parked : Waiting::retry;
    message.due_at = now + backoff.delay(message.attempts);
    const bool stuck_now = give_up || (never_give_up && out_of_patience);
    message.stuck = message.stuck || stuck_now;
    return stuck_now;
  }
};

}  // namespace quadrille::runtime
