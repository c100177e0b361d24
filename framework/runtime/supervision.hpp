#pragma once

#include "core/store.hpp"
#include "quadrille/v1/supervision_events.pb.h"

#include <cstdint>
#include <optional>
#include <string>

namespace quadrille::runtime {

/// Who says that a message of a saga is stuck, and with which contract.
struct Speaker {
  std::string participant;
  std::string contract;  ///< fingerprint; empty for a tool
};

/// The person who acts on a saga, and why.
struct Hand {
  std::string who;
  std::string why;
};

/// A step that does not get on with its saga.
struct StuckStep {
  std::string message_id;  ///< or what else tells it from others, such as the deadline's id
  bool by_timer = false;   ///< no message waits that a person could retry: a timer tries it on
  std::string step;
  Event cause;  ///< id, type, saga, hops and trace of what started the step
  ReasonClass reason_class = ReasonClass::technical;
  std::string reason;
  std::uint32_t attempts = 0;
  std::optional<TimePoint> first_failed_at;
  bool parked = false;
};
/// Empty where the message does not say which saga it belongs to.
[[nodiscard]] std::optional<StuckStep> stuck_step(const WaitingMessage& message);
/// A timer step that fails.
[[nodiscard]] StuckStep stuck_step(const Deadline& deadline);

/// Records StepStuck in the transaction that parks the message, through the outbox like any other event. Its stream is
/// the message's own, so that no version of a business stream is used up.
void say_stuck(Transaction& transaction, const Speaker& speaker, const StuckStep& stuck, TimePoint now);
/// The same for StepResumed. `because` is a person's reason.
void say_resumed(Transaction& transaction, const Speaker& speaker, const StuckStep& stuck, v1::StepResumed::How how,
                 const std::string& because, TimePoint now);
/// Records ActTaken: what a person did about the step, or about the saga where there is no message.
void say_act(Transaction& transaction, const Speaker& speaker, const StuckStep& about, const std::string& act,
             const Hand& hand, TimePoint now);
/// The same where a message says which saga it belongs to; otherwise false, and nothing recorded.
bool say_stuck(Transaction& transaction, const Speaker& speaker, const WaitingMessage& message, TimePoint now);
bool say_resumed(Transaction& transaction, const Speaker& speaker, const WaitingMessage& message,
                 v1::StepResumed::How how, const std::string& because, TimePoint now);

/// Without passwords, and not longer than an event should carry.
[[nodiscard]] std::string shown_error(const std::string& reason);

}  // namespace quadrille::runtime
