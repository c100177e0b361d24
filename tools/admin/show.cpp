#include "admin/show.hpp"

#include "admin/text.hpp"
#include "core/event.hpp"
#include "core/reason.hpp"
#include "core/short_name.hpp"
#include "core/time_text.hpp"
#include "core/timestamp.hpp"
#include "replay/decode.hpp"
#include "terminal/table.hpp"

#include <map>
#include <string>

namespace quadrille::admin {
namespace {

using control::v1::StuckMessage;

std::string state_of(const StuckMessage& message) {
  return message.state() == control::v1::PARKED ? "parked" : "tried on";
}

std::string class_of(const StuckMessage& message) {
  return std::string(name_of(static_cast<ReasonClass>(message.reason_class())));
}

nlohmann::ordered_json summary(const StuckMessage& message, TimePoint now) {
  return {{"message_id", message.message_id()},
          {"state", state_of(message)},
          {"reason_class", class_of(message)},
          {"reason", message.reason()},
          {"attempts", message.attempts()},
          {"first_failed_at", to_rfc3339(to_time(message.first_failed_at()))},
          {"age_seconds", seconds_since(message.first_failed_at(), now)},
          {"stream", message.stream()},
          {"key", message.key()},
          {"version", std::to_string(message.version())},
          {"saga_id", message.saga_id()},
          {"step", message.step()},
          {"event_type", message.event_type()}};
}

}  // namespace

std::string as_table(const Messages& messages, TimePoint now) {
  std::vector<std::vector<std::string>> rows{
      {"MESSAGE", "STATE", "CLASS", "TRIES", "AGE", "STEP", "EVENT", "KEY", "SAGA", "REASON"}};
  for (const auto& message : messages)
    rows.push_back({message.message_id(), state_of(message), class_of(message), std::to_string(message.attempts()),
                    terminal::age_text(std::chrono::seconds(seconds_since(message.first_failed_at(), now))),
                    message.step(), short_name(message.event_type()), message.key(), message.saga_id(),
                    message.reason()});
  return terminal::table(rows);
}

nlohmann::ordered_json as_json(const Messages& messages, TimePoint now) {
  auto all = nlohmann::ordered_json::array();
  for (const auto& message : messages) all.push_back(summary(message, now));
  return all;
}

nlohmann::ordered_json in_full(const StuckMessage& message, TimePoint now,
                               const google::protobuf::DescriptorPool* pool) {
  auto shown = summary(message, now);
  shown["subject"] = message.subject();
  auto& headers = shown["headers"] = nlohmann::ordered_json::object();
  const std::map<std::string, std::string> sorted(message.headers().begin(), message.headers().end());
  for (const auto& [name, value] : sorted) headers[name] = value;
  Event event;
  event.type = message.event_type();
  event.payload = message.payload();
  if (pool == nullptr && message.has_payload_json())
    shown["payload"] = nlohmann::ordered_json::parse(message.payload_json());
  else
    shown["payload"] =
        replay::decode(event, pool == nullptr ? *google::protobuf::DescriptorPool::generated_pool() : *pool);
  return shown;
}

}  // namespace quadrille::admin
