#pragma once

#include "core/backoff.hpp"
#include "core/store.hpp"

#include <chrono>
#include <cstdint>
#include <string>

namespace quadrille::runtime {

/// When a failed message is handled again, and when it is parked instead.
struct RetryPolicy {
  std::uint32_t max_attempts = 12;
  Backoff backoff;  ///< exponential, jitter, ceiling one hour
  /// How long a message waits for older versions of its stream. Longer than the broker's ack wait: what a dead instance
  /// held comes again only then.
  std::chrono::milliseconds gap_wait{60'000};

  /// Notes one more failure. `never_give_up`: a compensation; only a person may end it, by mending what fails.
  void note_failure(WaitingMessage& message, const std::string& reason, bool hopeless, bool never_give_up,
                    TimePoint now) const {
    ++message.attempts;
    message.reason = reason;
    const bool give_up = !never_give_up && (hopeless || message.attempts >= max_attempts);
    message.state = give_up ? Waiting::parked : Waiting::retry;
    message.due_at = now + backoff.delay(message.attempts);
  }
};

}  // namespace quadrille::runtime
