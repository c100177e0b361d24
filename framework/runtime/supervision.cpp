#include "runtime/supervision.hpp"

#include "core/envelope.hpp"
#include "core/redact.hpp"
#include "core/subject.hpp"
#include "core/timestamp.hpp"
#include "core/trace_context.hpp"
#include "core/utf8.hpp"
#include "core/uuid.hpp"
#include "quadrille/error.hpp"

#include <span>

namespace quadrille::runtime {
namespace {

constexpr const char* context = "supervision";
constexpr std::size_t longest_error = 500;

/// The fields that both events about a stuck step have.
template <class Said>
Said about(const Speaker& speaker, const StuckStep& stuck) {
  Said said;
  said.set_stuck_id(speaker.participant + "-" + stuck.message_id);
  said.set_saga_id(stuck.cause.saga_id);
  said.set_participant(speaker.participant);
  said.set_step(stuck.step);
  if (!stuck.by_timer) said.set_message_id(stuck.message_id);
  said.set_event_type(stuck.cause.type);
  return said;
}

template <class Said>
void record(Transaction& transaction, const Speaker& speaker, const Event& cause, const Said& said, TimePoint now) {
  Event event;
  event.id = new_uuid();
  event.type = said.GetTypeName();
  event.source = speaker.participant;
  event.stream = {context, said.stuck_id()};
  event.subject = event_subject(event.stream.key, context, speaker.participant, said.GetDescriptor()->name());
  const auto histories = transaction.events().load(std::span(&event.stream, 1));
  const auto history = histories.find(event.stream);
  event.version = history == histories.end() ? 1 : history->second.back().version + 1;
  event.saga_id = cause.saga_id;
  event.causation_id = cause.id;
  event.hops = cause.hops + 1;
  event.contract = speaker.contract;
  event.traceparent = next_traceparent(cause.traceparent);
  event.recorded_at = now;
  event.payload = said.SerializeAsString();
  transaction.events().append(std::span(&event, 1));
}

}  // namespace

std::string shown_error(const std::string& reason) {
  auto text = to_text(without_password(reason));
  if (text.size() <= longest_error) return text;
  auto end = longest_error;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;  // not within a character
  return text.substr(0, end);
}

std::optional<StuckStep> stuck_step(const WaitingMessage& message) {
  try {
    return StuckStep{.message_id = message.message_id,
                     .step = message.step,
                     .cause = to_event(message.message),
                     .reason_class = message.reason_class,
                     .reason = message.reason,
                     .attempts = message.attempts,
                     .first_failed_at = message.first_failed_at,
                     .parked = message.state == Waiting::parked};
  } catch (const Error&) {
    return std::nullopt;
  }
}

StuckStep stuck_step(const Deadline& deadline) {
  StuckStep stuck;
  stuck.message_id = deadline.id;
  stuck.by_timer = true;
  stuck.step = deadline.step;
  stuck.attempts = deadline.attempts;
  stuck.cause.id = deadline.causation_id;
  stuck.cause.type = v1::Timer::descriptor()->full_name();
  stuck.cause.saga_id = deadline.saga_id;
  stuck.cause.hops = deadline.hops;
  stuck.cause.traceparent = deadline.traceparent;
  return stuck;
}

void say_stuck(Transaction& transaction, const Speaker& speaker, const StuckStep& stuck, TimePoint now) {
  auto said = about<v1::StepStuck>(speaker, stuck);
  said.set_consumer(speaker.participant);
  said.set_reason_class(static_cast<v1::ReasonClass>(stuck.reason_class));
  said.set_last_error(shown_error(stuck.reason));
  said.set_attempts(stuck.attempts);
  if (stuck.first_failed_at) *said.mutable_first_failed_at() = to_timestamp(*stuck.first_failed_at);
  said.set_parked(stuck.parked);
  record(transaction, speaker, stuck.cause, said, now);
}

void say_resumed(Transaction& transaction, const Speaker& speaker, const StuckStep& stuck, v1::StepResumed::How how,
                 const std::string& because, TimePoint now) {
  auto said = about<v1::StepResumed>(speaker, stuck);
  said.set_how(how);
  said.set_because(because);
  record(transaction, speaker, stuck.cause, said, now);
}

void say_act(Transaction& transaction, const Speaker& speaker, const StuckStep& about, const std::string& act,
             const Hand& hand, TimePoint now) {
  v1::ActTaken said;
  said.set_stuck_id(speaker.participant + "-" + (about.message_id.empty() ? about.cause.saga_id : about.message_id));
  said.set_act(act);
  said.set_who(hand.who);
  said.set_why(hand.why);
  said.set_saga_id(about.cause.saga_id);
  said.set_message_id(about.message_id);
  said.set_step(about.step);
  said.set_participant(speaker.participant);
  *said.mutable_at() = to_timestamp(now);
  record(transaction, speaker, about.cause, said, now);
}

bool say_stuck(Transaction& transaction, const Speaker& speaker, const WaitingMessage& message, TimePoint now) {
  const auto stuck = stuck_step(message);
  if (stuck) say_stuck(transaction, speaker, *stuck, now);
  return stuck.has_value();
}

bool say_resumed(Transaction& transaction, const Speaker& speaker, const WaitingMessage& message,
                 v1::StepResumed::How how, const std::string& because, TimePoint now) {
  const auto stuck = stuck_step(message);
  if (stuck) say_resumed(transaction, speaker, *stuck, how, because, now);
  return stuck.has_value();
}

}  // namespace quadrille::runtime
