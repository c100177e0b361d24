#include "core/envelope.hpp"

#include "core/time_text.hpp"
#include "core/utf8.hpp"
#include "quadrille/error.hpp"

#include <charconv>
#include <cstdint>

namespace quadrille {
namespace {

std::string optional(const Message& message, const std::string& name) {
  const auto header = message.headers.find(name);
  if (header == message.headers.end()) return {};
  if (!is_text(header->second))
    throw Error(Disposition::park, "header " + name + " is not UTF-8 text", ReasonClass::contract);
  return header->second;
}

std::string required(const Message& message, const std::string& name) {
  auto value = optional(message, name);
  if (value.empty()) throw Error(Disposition::park, "header " + name + " is missing", ReasonClass::contract);
  return value;
}

template <class Number>
Number number(const std::string& text, const char* name) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    throw Error(Disposition::park, std::string("header ") + name + " is not a number: '" + text + "'",
                ReasonClass::contract);
  return value;
}

}  // namespace

Message to_message(const Event& event) {
  Message message{event.subject, {}, event.payload};
  auto& headers = message.headers;
  headers["Nats-Msg-Id"] = event.id;
  headers["ce-specversion"] = "1.0";
  headers["ce-id"] = event.id;
  headers["ce-type"] = event.type;
  headers["ce-source"] = event.source;
  headers["ce-subject"] = event.stream.key;
  headers["ce-time"] = to_rfc3339(event.recorded_at);
  headers["ce-datacontenttype"] = "application/protobuf";
  headers["ce-sagaid"] = event.saga_id;
  if (!event.causation_id.empty()) headers["ce-causationid"] = event.causation_id;
  headers["ce-stream"] = event.stream.text();
  headers["ce-version"] = std::to_string(event.version);
  headers["ce-hops"] = std::to_string(event.hops);
  headers["ce-contract"] = event.contract;
  if (!event.traceparent.empty()) headers["traceparent"] = event.traceparent;
  return message;
}

Event to_event(const Message& message) {
  Event event;
  event.id = required(message, "ce-id");
  event.type = required(message, "ce-type");
  event.source = required(message, "ce-source");
  event.subject = to_text(message.subject);
  event.stream = StreamName::parse(required(message, "ce-stream"));
  event.version = number<std::uint64_t>(required(message, "ce-version"), "ce-version");
  if (event.version == 0)
    throw Error(Disposition::park, "header ce-version is 0; versions begin at 1", ReasonClass::contract);
  event.saga_id = required(message, "ce-sagaid");
  event.causation_id = optional(message, "ce-causationid");
  event.hops = number<std::uint32_t>(required(message, "ce-hops"), "ce-hops");
  event.contract = optional(message, "ce-contract");
  event.traceparent = optional(message, "traceparent");
  const auto time = required(message, "ce-time");
  const auto recorded_at = from_rfc3339(time);
  if (!recorded_at)
    throw Error(Disposition::park, "header ce-time is not RFC 3339 in UTC: '" + time + "'", ReasonClass::contract);
  event.recorded_at = *recorded_at;
  event.payload = message.payload;
  return event;
}

std::size_t wire_bytes(const Message& message) {
  constexpr std::size_t first_line_and_end = 14;  // "NATS/1.0\r\n" and the blank line, rounded up
  constexpr std::size_t colon_and_line_end = 4;
  std::size_t bytes = message.payload.size() + first_line_and_end;
  for (const auto& [name, value] : message.headers) bytes += name.size() + value.size() + colon_and_line_end;
  return bytes;
}

}  // namespace quadrille
