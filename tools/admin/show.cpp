#include "admin/show.hpp"

#include "core/envelope.hpp"
#include "core/reason.hpp"
#include "core/time_text.hpp"
#include "core/utf8.hpp"
#include "quadrille/error.hpp"
#include "replay/decode.hpp"
#include "runtime/supervision.hpp"

#include <algorithm>
#include <cstdint>

namespace quadrille::admin {
namespace {

std::string header(const WaitingMessage& message, const std::string& name) {
  const auto found = message.message.headers.find(name);
  return found == message.message.headers.end() ? std::string{} : to_text(found->second);
}

std::string state_of(const WaitingMessage& message) { return message.state == Waiting::parked ? "parked" : "tried on"; }

std::int64_t age_seconds(const WaitingMessage& message, TimePoint now) {
  return std::chrono::duration_cast<std::chrono::seconds>(now - message.first_failed_at).count();
}

/// 42 s, 5 min, 3 h, 2 d
std::string age(const WaitingMessage& message, TimePoint now) {
  const auto seconds = age_seconds(message, now);
  if (seconds < 120) return std::to_string(seconds) + " s";
  if (seconds < 2 * 3600) return std::to_string(seconds / 60) + " min";
  if (seconds < 2 * 86'400) return std::to_string(seconds / 3600) + " h";
  return std::to_string(seconds / 86'400) + " d";
}

nlohmann::ordered_json summary(const WaitingMessage& message, TimePoint now) {
  return {{"message_id", message.message_id},
          {"state", state_of(message)},
          {"reason_class", name_of(message.reason_class)},
          {"reason", runtime::shown_error(message.reason)},
          {"attempts", message.attempts},
          {"first_failed_at", to_rfc3339(message.first_failed_at)},
          {"age_seconds", age_seconds(message, now)},
          {"stream", header(message, "ce-stream")},
          {"key", header(message, "ce-subject")},
          {"version", header(message, "ce-version")},
          {"saga_id", header(message, "ce-sagaid")},
          {"step", message.step},
          {"event_type", header(message, "ce-type")}};
}

}  // namespace

std::string as_table(const std::vector<WaitingMessage>& messages, TimePoint now) {
  std::vector<std::vector<std::string>> rows{
      {"MESSAGE", "STATE", "CLASS", "TRIES", "AGE", "STEP", "EVENT", "KEY", "SAGA", "REASON"}};
  for (const auto& message : messages)
    rows.push_back({message.message_id, state_of(message), std::string(name_of(message.reason_class)),
                    std::to_string(message.attempts), age(message, now), message.step,
                    replay::short_name(header(message, "ce-type")), header(message, "ce-subject"),
                    header(message, "ce-sagaid"), runtime::shown_error(message.reason)});
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const auto& row : rows)
    for (std::size_t column = 0; column < row.size(); ++column)
      widths[column] = std::max(widths[column], row[column].size());
  std::string text;
  for (const auto& row : rows) {
    for (std::size_t column = 0; column + 1 < row.size(); ++column)
      text += row[column] + std::string(widths[column] - row[column].size() + 2, ' ');
    auto last = row.back();
    std::ranges::replace_if(
        last, [](unsigned char c) { return c < ' '; }, ' ');
    text += last + "\n";
  }
  return text;
}

nlohmann::ordered_json as_json(const std::vector<WaitingMessage>& messages, TimePoint now) {
  auto all = nlohmann::ordered_json::array();
  for (const auto& message : messages) all.push_back(summary(message, now));
  return all;
}

nlohmann::ordered_json in_full(const WaitingMessage& message, TimePoint now,
                               const google::protobuf::DescriptorPool& pool) {
  auto shown = summary(message, now);
  shown["subject"] = to_text(message.message.subject);
  auto& headers = shown["headers"] = nlohmann::ordered_json::object();
  for (const auto& [name, value] : message.message.headers) headers[to_text(name)] = to_text(value);
  Event event;
  event.type = header(message, "ce-type");
  event.payload = message.message.payload;
  shown["payload"] = replay::decode(event, pool);
  return shown;
}

}  // namespace quadrille::admin
