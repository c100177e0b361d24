#include "runtime/patience.hpp"

#include "contract/orchestration.hpp"
#include "core/envelope.hpp"
#include "quadrille/v1/orchestration.pb.h"
#include "runtime/supervision.hpp"

#include <cstdint>
#include <span>
#include <string>

namespace quadrille::runtime {
namespace {

StuckStep about(const Event& event, const std::string& step, TimePoint now) {
  StuckStep stuck;
  stuck.message_id = event.saga_id + "-" + step;
  stuck.step = step;
  stuck.cause = event;
  stuck.reason_class = ReasonClass::business;
  stuck.first_failed_at = now;
  return stuck;
}

std::uint32_t attempts_of(const v1::SagaProgress& progress, const std::string& step) {
  for (const auto& entry : progress.step())
    if (entry.name() == step) return entry.attempts();
  return 0;
}

WaitingMessage parked(const StuckStep& stuck, TimePoint now) {
  WaitingMessage message;
  message.message_id = stuck.message_id;  // and no stream: it waits alone
  message.state = Waiting::parked;
  message.reason = stuck.reason;
  message.reason_class = stuck.reason_class;
  message.step = stuck.step;
  message.stuck = true;
  message.attempts = stuck.attempts;
  message.first_failed_at = message.due_at = now;
  message.message = to_message(stuck.cause);
  return message;
}

}  // namespace

void watch_patience(const Part& part, Transaction& transaction, const Event& event, TimePoint now, Tally& tally) {
  const auto said = part.parse(event.type, event.payload);
  const auto* field = contract::field_of_type(*said->GetDescriptor(), v1::SagaMove::descriptor()->full_name());
  if (field == nullptr) return;  // a command
  const auto& move = static_cast<const v1::SagaMove&>(said->GetReflection()->GetMessage(*said, field));
  const Speaker speaker{part.name(), part.fingerprint()};
  if (!move.resumed().empty() && move.cause() != v1::SagaMove::PERSON) {  // of a person the waiting room says it
    const auto resumed = about(event, move.resumed(), now);
    transaction.inbox().remove_waiting(part.name(), std::span(&resumed.message_id, 1));
    say_resumed(transaction, speaker, resumed, v1::StepResumed::HANDLED, "", now);
  }
  if (move.stuck().empty()) return;
  auto stuck = about(event, move.stuck(), now);
  stuck.parked = move.progress().state() == v1::SagaProgress::STUCK;
  stuck.attempts = attempts_of(move.progress(), move.stuck());
  stuck.reason = "the patience of step " + move.stuck() + " is spent: " + std::to_string(stuck.attempts) +
                 " commands, and no answer or only a no; " +
                 (stuck.parked ? "retry continues the saga with patience anew" : "its compensation is repeated on");
  stuck.by_timer = !stuck.parked;
  if (stuck.parked) {
    const auto message = parked(stuck, now);
    transaction.inbox().put_waiting(part.name(), std::span(&message, 1));
    ++tally.parked[stuck.reason_class];
  }
  say_stuck(transaction, speaker, stuck, now);
}

}  // namespace quadrille::runtime
