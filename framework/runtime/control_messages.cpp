#include "runtime/control_messages.hpp"

#include "core/redact.hpp"
#include "core/timestamp.hpp"
#include "core/utf8.hpp"
#include "quadrille/error.hpp"
#include "quadrille/v1/options.pb.h"
#include "runtime/acts.hpp"

#include <google/protobuf/util/json_util.h>

#include <memory>

namespace quadrille::runtime {
namespace {

using google::protobuf::MessageFactory;
using Why = control::v1::Failure;

constexpr std::size_t longest_failure = 4'000;

Why::Kind kind_of(const Error& error) {
  switch (error.disposition()) {
    case Disposition::retry:
      return Why::UNAVAILABLE;
    case Disposition::park:
      return Why::REFUSED;
    case Disposition::stop:
      return Why::INTERNAL;
  }
  return Why::INTERNAL;
}

std::string header(const WaitingMessage& message, const char* name) {
  const auto found = message.message.headers.find(name);
  return found == message.message.headers.end() ? std::string{} : to_text(found->second);
}

/// An empty message of the type; nullptr where this program is not linked with it.
std::unique_ptr<google::protobuf::Message> linked(const std::string& type) {
  const auto* descriptor = google::protobuf::DescriptorPool::generated_pool()->FindMessageTypeByName(type);
  if (descriptor == nullptr) return nullptr;
  return std::unique_ptr<google::protobuf::Message>(
      MessageFactory::generated_factory()->GetPrototype(descriptor)->New());
}

Error will_not_do(const std::string& why) {
  return {Disposition::park, "the edited payload will not do: " + why, ReasonClass::contract};
}

/// The text of the field that says which aggregate an event is about.
std::string key_of(const google::protobuf::Message& message) {
  const auto& type = *message.GetDescriptor();
  for (int i = 0; i < type.field_count(); ++i)
    if (type.field(i)->options().GetExtension(v1::field).key())
      return message.GetReflection()->GetString(message, type.field(i));
  return {};
}

}  // namespace

void set_failure(control::v1::Answer& answer, Why::Kind kind, const std::string& why) {
  auto& failure = *answer.mutable_failure();
  failure.set_kind(kind);
  failure.set_text(to_text(without_password(why).substr(0, longest_failure)));
}

void or_failure(control::v1::Answer& answer, const std::function<void()>& body) {
  try {
    body();
  } catch (const Refusal& refusal) {
    set_failure(answer, refusal.kind(), refusal.what());
  } catch (const StillBehind& blocked) {
    set_failure(answer, Why::BLOCKED, blocked.what());
  } catch (const Error& error) {
    set_failure(answer, kind_of(error), error.what());
  } catch (const std::exception& error) {
    set_failure(answer, Why::INTERNAL, error.what());
  }
}

control::v1::StuckMessage summary_of(const WaitingMessage& message) {
  control::v1::StuckMessage shown;
  shown.set_message_id(to_text(message.message_id));
  shown.set_state(static_cast<control::v1::WaitingState>(message.state));
  shown.set_stuck(message.stuck);
  shown.set_reason_class(static_cast<v1::ReasonClass>(message.reason_class));
  shown.set_reason(shown_error(message.reason));
  shown.set_attempts(message.attempts);
  *shown.mutable_first_failed_at() = to_timestamp(message.first_failed_at);
  if (message.state == Waiting::retry || message.state == Waiting::gap)
    *shown.mutable_next_try() = to_timestamp(message.due_at);
  shown.set_step(to_text(message.step));
  shown.set_stream(header(message, "ce-stream"));
  shown.set_version(message.version);
  shown.set_saga_id(header(message, "ce-sagaid"));
  shown.set_event_type(header(message, "ce-type"));
  shown.set_key(header(message, "ce-subject"));
  return shown;
}

control::v1::StuckMessage in_full(const WaitingMessage& message) {
  auto shown = summary_of(message);
  shown.set_subject(to_text(message.message.subject));
  for (const auto& [name, value] : message.message.headers) (*shown.mutable_headers())[to_text(name)] = to_text(value);
  shown.set_payload(message.message.payload);
  const auto content = linked(shown.event_type());
  if (!content || !content->ParseFromString(message.message.payload)) return shown;
  google::protobuf::util::JsonPrintOptions options;
  options.preserve_proto_field_names = true;
  options.always_print_primitive_fields = true;
  std::string json;
  if (google::protobuf::util::MessageToJsonString(*content, &json, options).ok()) shown.set_payload_json(json);
  return shown;
}

std::string payload_from_json(const WaitingMessage& message, const std::string& json) {
  const auto type = header(message, "ce-type");
  const auto content = linked(type);
  if (!content) throw will_not_do("this program was not built with event type '" + type + "'");
  const auto parsed = google::protobuf::util::JsonStringToMessage(json, content.get());
  if (!parsed.ok()) throw will_not_do("it is not a " + type + " as JSON: " + std::string(parsed.message()));
  if (const auto key = key_of(*content); key != header(message, "ce-subject"))
    throw will_not_do("its key is '" + key + "', and the message is about '" + header(message, "ce-subject") +
                      "': an edit cannot move it to another stream");
  return content->SerializeAsString();
}

}  // namespace quadrille::runtime
