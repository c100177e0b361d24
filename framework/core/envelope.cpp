#include "core/envelope.hpp"

#include "core/time_text.hpp"
#include "core/utf8.hpp"
#include "quadrille/error.hpp"

#include <charconv>
#include <cstdint>

namespace quadrille {
namespace {

void optional(const HeaderOf& header_of, const std::string& name, std::string& into) {
  const auto value = header_of(name);
  if (value && !is_text(*value))
    throw Error(Disposition::park, "header " + name + " is not UTF-8 text", ReasonClass::contract);
  into = value.value_or(std::string_view());
}

void required(const HeaderOf& header_of, const std::string& name, std::string& into) {
  optional(header_of, name, into);
  if (into.empty()) throw Error(Disposition::park, "header " + name + " is missing", ReasonClass::contract);
}

template <class Number>
Number number(const HeaderOf& header_of, const std::string& name) {
  std::string text;
  required(header_of, name, text);
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    throw Error(Disposition::park, "header " + name + " is not a number: '" + text + "'", ReasonClass::contract);
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
  const HeaderOf header_of = [&](const std::string& name) -> std::optional<std::string_view> {
    const auto header = message.headers.find(name);
    return header == message.headers.end() ? std::nullopt : std::optional<std::string_view>(header->second);
  };
  read_event(message.subject, message.payload, header_of, event);
  return event;
}

void read_event(std::string_view subject, std::string_view payload, const HeaderOf& header_of, Event& event) {
  static const std::string id = "ce-id";
  static const std::string type = "ce-type";
  static const std::string source = "ce-source";
  static const std::string stream = "ce-stream";
  static const std::string version = "ce-version";
  static const std::string saga_id = "ce-sagaid";
  static const std::string causation_id = "ce-causationid";
  static const std::string hops = "ce-hops";
  static const std::string contract = "ce-contract";
  static const std::string traceparent = "traceparent";
  static const std::string time = "ce-time";
  std::string text;
  required(header_of, id, event.id);
  required(header_of, type, event.type);
  required(header_of, source, event.source);
  event.subject = subject;
  if (!is_text(subject)) event.subject = to_text(subject);
  required(header_of, stream, text);
  event.stream = StreamName::parse(text);
  event.version = number<std::uint64_t>(header_of, version);
  if (event.version == 0)
    throw Error(Disposition::park, "header ce-version is 0; versions begin at 1", ReasonClass::contract);
  required(header_of, saga_id, event.saga_id);
  optional(header_of, causation_id, event.causation_id);
  event.hops = number<std::uint32_t>(header_of, hops);
  optional(header_of, contract, event.contract);
  optional(header_of, traceparent, event.traceparent);
  required(header_of, time, text);
  const auto recorded_at = from_rfc3339(text);
  if (!recorded_at)
    throw Error(Disposition::park, "header ce-time is not RFC 3339 in UTC: '" + text + "'", ReasonClass::contract);
  event.recorded_at = *recorded_at;
  event.payload = payload;
}

std::size_t wire_bytes(const Message& message) {
  constexpr std::size_t first_line_and_end = 14;  // "NATS/1.0\r\n" and the blank line, rounded up
  constexpr std::size_t colon_and_line_end = 4;
  std::size_t bytes = message.payload.size() + first_line_and_end;
  for (const auto& [name, value] : message.headers) bytes += name.size() + value.size() + colon_and_line_end;
  return bytes;
}

}  // namespace quadrille
