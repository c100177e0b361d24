#include "tracker/inquiries.hpp"

#include "core/time_text.hpp"
#include "core/timestamp.hpp"
#include "http/body.hpp"
#include "quadrille/error.hpp"
#include "tracker/question.hpp"
#include "traffic/base64.hpp"

#include <algorithm>
#include <cctype>

namespace quadrille::tracker {
namespace {

using control::v1::Answer;
using control::v1::StuckMessage;
using Json = View::Json;

constexpr std::uint32_t most_messages = 500;
/// Every open page asks; the participants are asked for all of them at once.
constexpr std::chrono::seconds asked_again_after{3};

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

Json time_or_null(bool there, const google::protobuf::Timestamp& time) {
  if (!there) return nullptr;
  return to_rfc3339(to_time(time));
}

Json message_json(const std::string& participant, const StuckMessage& message) {
  return {{"participant", participant},
          {"message_id", message.message_id()},
          {"state", lower(control::v1::WaitingState_Name(message.state()))},
          {"class", name_of_class(message.reason_class())},
          {"reason", message.reason()},
          {"attempts", message.attempts()},
          {"first_failed_at", time_or_null(message.has_first_failed_at(), message.first_failed_at())},
          {"step", message.step().empty() ? "" : participant + "." + message.step()},
          {"stream", message.stream()},
          {"version", message.version()},
          {"saga_id", message.saga_id()},
          {"event_type", message.event_type()},
          {"key", message.key()}};
}

Json database_json(const control::v1::Database& from) {
  Json json{{"outbox_pending", from.outbox_pending()},
            {"outbox_oldest", time_or_null(from.has_outbox_oldest(), from.outbox_oldest())},
            {"slot_lag_bytes", from.has_slot_lag_bytes() ? Json(from.slot_lag_bytes()) : Json(nullptr)},
            {"waiting", Json::array()},
            {"deadlines_open", from.deadlines_open()},
            {"deadline_oldest", time_or_null(from.has_deadline_oldest(), from.deadline_oldest())}};
  for (const auto& waiting : from.waiting())
    json["waiting"].push_back({{"state", lower(control::v1::WaitingState_Name(waiting.state()))},
                               {"stuck", waiting.stuck()},
                               {"class", name_of_class(waiting.reason_class())},
                               {"messages", waiting.messages()}});
  return json;
}

Json consumers_json(const control::v1::StatusReport& report) {
  auto json = Json::array();
  for (const auto& consumer : report.consumer())
    json.push_back({{"name", consumer.name()},
                    {"pending", consumer.pending()},
                    {"unacknowledged", consumer.unacknowledged()},
                    {"redelivered", consumer.redelivered()}});
  return json;
}

Json instance_json(const Answer& answer) {
  const auto& report = answer.status();
  Json json{{"instance", answer.instance()},
            {"fingerprint", report.fingerprint()},
            {"framework", report.framework()},
            {"started_at", time_or_null(report.has_started_at(), report.started_at())},
            {"lanes", Json::array()},
            {"relay", report.relay() == control::v1::StatusReport::LOG_TAILING ? "log tailing" : "polling"},
            {"active_relay", report.active_relay()},
            {"live", report.live()},
            {"ready", report.ready()},
            {"state", Json::object()}};
  for (const auto lane : report.lane()) json["lanes"].push_back(lane);
  const std::map<std::string, std::string> state(report.state().begin(), report.state().end());
  for (const auto& [what, text] : state) json["state"][what] = text;
  return json;
}

}  // namespace

std::string name_of_class(v1::ReasonClass reason_class) {
  return reason_class == v1::REASON_CLASS_UNSPECIFIED ? "technical" : lower(v1::ReasonClass_Name(reason_class));
}

std::optional<http::Response> unknown_participant(View& view, const std::string& participant) {
  const auto known = view.participants();
  if (std::ranges::find(known, participant) != known.end()) return std::nullopt;
  return http::problem(404, "No such participant",
                       "'" + participant + "' is not known; known: " + either({known.begin(), known.end()}));
}

Json Inquiries::parked(const std::string& reason_class) {
  control::v1::Ask question;
  auto& wanted = *question.mutable_list_stuck();
  wanted.set_limit(most_messages);
  if (!reason_class.empty())
    wanted.set_reason_class(static_cast<v1::ReasonClass>(reason_class_called("class", reason_class)));
  const auto participants = view_.participants();
  const auto answers = control_.ask_each(participants, question);
  Json json{{"messages", Json::array()}, {"silent", Json::array()}, {"more", false}};
  for (const auto& participant : participants) {
    const auto answer = answers.find(participant);
    if (answer == answers.end() || !answer->second.has_stuck()) {
      json["silent"].push_back(participant);
      continue;
    }
    for (const auto& message : answer->second.stuck().message())
      json["messages"].push_back(message_json(participant, message));
    if (answer->second.stuck().more()) json["more"] = true;
  }
  return json;
}

std::optional<Json> Inquiries::parked_message(const std::string& participant, const std::string& message_id,
                                              bool personal) {
  control::v1::Ask question;
  question.mutable_show_stuck()->set_message_id(message_id);
  const auto answer = control_.ask(participant, question);
  if (!answer) throw Error(Disposition::retry, participant + " does not answer");
  if (!answer->has_shown()) return std::nullopt;
  const auto& message = answer->shown();
  auto json = message_json(participant, message);
  json["payload"] = message.has_payload_json() ? Json::parse(message.payload_json(), nullptr, false) : Json(nullptr);
  if (json["payload"].is_discarded()) json["payload"] = nullptr;
  // What cannot be read cannot be masked either.
  json["bytes"] = nullptr;
  if (personal)
    json["bytes"] = traffic::to_base64(message.payload());
  else
    view_.mask(message.event_type(), json["payload"]);
  return json;
}

std::vector<Answer> Inquiries::asked_lately() {
  const std::lock_guard lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  if (asked_at_ == std::chrono::steady_clock::time_point{} || now - asked_at_ > asked_again_after) {
    answers_ = control_.instances(true);
    asked_at_ = std::chrono::steady_clock::now();
  }
  return answers_;
}

Json Inquiries::instances() {
  const auto answers = asked_lately();
  auto json = view_.contracts();
  for (auto& participant : json) {
    participant["instances"] = Json::array();
    participant["database"] = nullptr;
    participant["consumers"] = Json::array();
    for (const auto& answer : answers) {
      if (participant["participant"] != answer.participant() || !answer.has_status()) continue;
      participant["instances"].push_back(instance_json(answer));
      // Each instance says the same of what all share; the first that could be asked will do.
      if (participant["database"].is_null() && answer.status().has_database())
        participant["database"] = database_json(answer.status().database());
      if (participant["consumers"].empty()) participant["consumers"] = consumers_json(answer.status());
    }
    participant["silent"] = participant["instances"].empty() && !participant["external"].get<bool>();
  }
  return json;
}

}  // namespace quadrille::tracker
