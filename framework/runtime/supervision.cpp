#include "runtime/supervision.hpp"

#include "core/envelope.hpp"
#include "core/redact.hpp"
#include "core/subject.hpp"
#include "core/utf8.hpp"
#include "core/uuid.hpp"
#include "quadrille/error.hpp"

#include <optional>
#include <span>

namespace quadrille::runtime {
namespace {

constexpr const char* context = "supervision";
constexpr std::size_t longest_error = 500;

std::optional<Event> readable(const Message& message) {
  try {
    return to_event(message);
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// The fields that both events have.
template <class Said>
Said about(const Speaker& speaker, const WaitingMessage& message, const Event& cause) {
  Said said;
  said.set_stuck_id(speaker.participant + "-" + message.message_id);
  said.set_saga_id(cause.saga_id);
  said.set_participant(speaker.participant);
  said.set_step(message.step);
  said.set_message_id(message.message_id);
  said.set_event_type(cause.type);
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

bool say_stuck(Transaction& transaction, const Speaker& speaker, const WaitingMessage& message, TimePoint now) {
  const auto cause = readable(message.message);
  if (!cause) return false;
  auto stuck = about<v1::StepStuck>(speaker, message, *cause);
  stuck.set_consumer(speaker.participant);
  stuck.set_reason_class(static_cast<v1::ReasonClass>(message.reason_class));
  stuck.set_last_error(shown_error(message.reason));
  stuck.set_attempts(message.attempts);
  const auto micros = message.first_failed_at.time_since_epoch().count();
  stuck.mutable_first_failed_at()->set_seconds(micros / 1'000'000);
  stuck.mutable_first_failed_at()->set_nanos(static_cast<int>(micros % 1'000'000) * 1000);
  stuck.set_parked(message.state == Waiting::parked);
  record(transaction, speaker, *cause, stuck, now);
  return true;
}

bool say_resumed(Transaction& transaction, const Speaker& speaker, const WaitingMessage& message,
                 v1::StepResumed::How how, const std::string& because, TimePoint now) {
  const auto cause = readable(message.message);
  if (!cause) return false;
  auto resumed = about<v1::StepResumed>(speaker, message, *cause);
  resumed.set_how(how);
  resumed.set_because(because);
  record(transaction, speaker, *cause, resumed, now);
  return true;
}

}  // namespace quadrille::runtime
