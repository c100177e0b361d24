#pragma once

#include "core/store.hpp"
#include "quadrille/v1/supervision_events.pb.h"

#include <string>

namespace quadrille::runtime {

/// Who says that a message of a saga is stuck, and with which contract.
struct Speaker {
  std::string participant;
  std::string contract;  ///< fingerprint; empty for a tool
};

/// Records StepStuck in the transaction that parks the message, through the outbox like any other event. Its stream is
/// the message's own, so that no version of a business stream is used up. False, and nothing recorded, where the
/// message does not say which saga it belongs to.
bool say_stuck(Transaction& transaction, const Speaker& speaker, const WaitingMessage& message, TimePoint now);

/// The same for StepResumed. `because` is a person's reason.
bool say_resumed(Transaction& transaction, const Speaker& speaker, const WaitingMessage& message,
                 v1::StepResumed::How how, const std::string& because, TimePoint now);

/// Without passwords, and not longer than an event should carry.
[[nodiscard]] std::string shown_error(const std::string& reason);

}  // namespace quadrille::runtime
