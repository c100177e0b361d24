// How a trace looks, for people and for programs.
#include "admin/text.hpp"
#include "admin/trace.hpp"
#include "core/reason.hpp"
#include "core/short_name.hpp"
#include "core/time_text.hpp"
#include "core/timestamp.hpp"
#include "replay/decode.hpp"
#include "terminal/table.hpp"

#include <algorithm>

namespace quadrille::admin {
namespace {

using control::v1::Answer;
using control::v1::StuckMessage;

std::string state_of(const StuckMessage& message) {
  return std::string(name_of(static_cast<Waiting>(message.state())));
}

std::string sentence(const StuckMessage& message, TimePoint now) {
  auto text = "waits (" + state_of(message) + (message.stuck() ? ", stuck" : "") + ") for " +
              terminal::age_text(std::chrono::seconds(seconds_since(message.first_failed_at(), now))) + " after " +
              std::to_string(message.attempts()) + " tries";
  if (message.has_next_try()) text += ", next " + to_rfc3339(to_time(message.next_try()));
  if (!message.step().empty()) text += ", step " + message.step();
  return text + ": " + std::string(name_of(static_cast<ReasonClass>(message.reason_class()))) + ", " + message.reason();
}

using Rows = std::vector<std::vector<std::string>>;

void add_event(const Answer& answer, const control::v1::EventPlace& event, TimePoint now, Rows& rows) {
  const auto add = [&](const std::string& text) { rows.push_back({"", answer.participant(), text}); };
  if (event.has_recorded()) {
    const auto& recorded = event.recorded();
    add("recorded " + to_rfc3339(to_time(recorded.recorded_at())) + " as version " +
        std::to_string(recorded.version()) + " of " + recorded.stream() +
        (recorded.published() ? ", published" : ", still in its OUTBOX"));
  }
  if (event.has_waiting())
    add("taken over, and " + sentence(event.waiting(), now));
  else if (event.claimed())
    add("taken over and handled, or it has passed");
}

nlohmann::ordered_json waiting_json(const StuckMessage& message) {
  nlohmann::ordered_json shown{{"message_id", message.message_id()},
                               {"state", state_of(message)},
                               {"stuck", message.stuck()},
                               {"reason_class", name_of(static_cast<ReasonClass>(message.reason_class()))},
                               {"reason", message.reason()},
                               {"attempts", message.attempts()},
                               {"since", to_rfc3339(to_time(message.first_failed_at()))},
                               {"step", message.step()},
                               {"event_type", message.event_type()}};
  if (message.has_next_try()) shown["next_try"] = to_rfc3339(to_time(message.next_try()));
  return shown;
}

nlohmann::ordered_json event_json(const control::v1::EventPlace& event) {
  nlohmann::ordered_json shown{{"claimed", event.claimed()}};
  if (event.has_recorded())
    shown["recorded"] = {{"stream", event.recorded().stream()},
                         {"version", event.recorded().version()},
                         {"type", event.recorded().type()},
                         {"saga_id", event.recorded().saga_id()},
                         {"at", to_rfc3339(to_time(event.recorded().recorded_at()))},
                         {"published", event.recorded().published()}};
  if (event.has_waiting()) shown["waiting"] = waiting_json(event.waiting());
  return shown;
}

nlohmann::ordered_json participant_json(const Answer& answer) {
  nlohmann::ordered_json shown{{"participant", answer.participant()}};
  if (answer.has_failure()) {
    shown["failure"] = answer.failure().text();
    return shown;
  }
  if (answer.located().event_size() > 0) shown["event"] = event_json(answer.located().event(0));
  auto& waiting = shown["waiting"] = nlohmann::ordered_json::array();
  for (const auto& message : answer.located().waiting()) waiting.push_back(waiting_json(message));
  auto& deadlines = shown["deadlines"] = nlohmann::ordered_json::array();
  for (const auto& deadline : answer.located().deadline())
    deadlines.push_back({{"step", deadline.step()},
                         {"key", deadline.key()},
                         {"due_at", to_rfc3339(to_time(deadline.due_at()))},
                         {"attempts", deadline.attempts()}});
  return shown;
}

}  // namespace

std::string as_text(const Trace& trace, TimePoint now) {
  Rows rows;
  if (trace.in_stream)
    rows.push_back({"", "stream EVT",
                    "sequence " + std::to_string(trace.in_stream->sequence) + ", " + trace.in_stream->subject +
                        ", saga " + trace.in_stream->saga_id});
  for (const auto& at : trace.consumers)
    rows.push_back(
        {"", at.consumer, at.state == "delivered" ? "delivered, not acknowledged or out of turn" : at.state});
  for (const auto& answer : trace.said) {
    if (answer.has_failure())
      rows.push_back({"", answer.participant(), "could not be asked: " + answer.failure().text()});
    for (const auto& event : answer.located().event()) add_event(answer, event, now, rows);
    for (const auto& message : answer.located().waiting())
      rows.push_back({"", answer.participant(),
                      short_name(message.event_type()) + " " + message.message_id() + " " + sentence(message, now)});
    for (const auto& deadline : answer.located().deadline())
      rows.push_back({"", answer.participant(),
                      "timer step " + deadline.step() + " is armed, due " + to_rfc3339(to_time(deadline.due_at())) +
                          "; of a saga that is over it changes nothing"});
  }
  return trace.id + "\n" + (rows.empty() ? "" : terminal::table(rows));
}

nlohmann::ordered_json as_json(const Trace& trace) {
  nlohmann::ordered_json shown{{"id", trace.id}, {"found", trace.found()}};
  if (trace.in_stream)
    shown["stream"] = {{"name", "EVT"},
                       {"sequence", trace.in_stream->sequence},
                       {"subject", trace.in_stream->subject},
                       {"type", trace.in_stream->type},
                       {"saga_id", trace.in_stream->saga_id}};
  auto& consumers = shown["consumers"] = nlohmann::ordered_json::array();
  for (const auto& at : trace.consumers)
    consumers.push_back({{"participant", at.participant}, {"consumer", at.consumer}, {"state", at.state}});
  auto& participants = shown["participants"] = nlohmann::ordered_json::array();
  for (const auto& answer : trace.said) participants.push_back(participant_json(answer));
  return shown;
}

}  // namespace quadrille::admin
