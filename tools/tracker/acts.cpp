#include "tracker/acts.hpp"

#include "http/body.hpp"
#include "quadrille/error.hpp"
#include "tracker/inquiries.hpp"

#include <algorithm>
#include <cctype>

namespace quadrille::tracker {
namespace {

using control::v1::Answer;
using control::v1::Ask;
using control::v1::Failure;
using http::Response;
using Json = View::Json;

constexpr std::size_t longest_text = 500;
constexpr int fewest_letters_of_a_name = 2;
constexpr int fewest_letters_of_a_reason = 5;

std::string text_of(const Json& body, const char* name) {
  const auto found = body.find(name);
  if (found == body.end() || found->is_null()) return {};
  if (!found->is_string()) throw Error(Disposition::park, std::string(name) + " has to be a text");
  return found->get<std::string>();
}

std::string needed(const Json& body, const char* name) {
  auto text = text_of(body, name);
  if (text.empty()) throw Error(Disposition::park, std::string(name) + " is missing");
  return text;
}

/// Of any alphabet: what is not ASCII counts.
std::string said_by_a_person(const Json& body, const char* name, int fewest_letters) {
  auto text = needed(body, name);
  const auto letters = std::ranges::count_if(text, [](unsigned char c) { return std::isalpha(c) != 0 || c >= 0xC0; });
  if (letters < fewest_letters || text.size() > longest_text)
    throw Error(Disposition::park, std::string(name) + " needs at least " + std::to_string(fewest_letters) +
                                       " letters, and at most " + std::to_string(longest_text) +
                                       " bytes: it stays in the audit trail");
  return text;
}

Response refuse(const std::string& why) { return http::problem(409, "This may not be done now", why); }

int status_of(Failure::Kind kind) {
  switch (kind) {
    case Failure::REFUSED:
    case Failure::BLOCKED:
      return 409;
    case Failure::NOT_FOUND:
      return 404;
    case Failure::UNAVAILABLE:
      return 503;
    default:
      return 502;
  }
}

Response told(const std::string& participant, const std::optional<Answer>& answer) {
  if (!answer)
    return http::problem(504, participant + " does not answer",
                         "whether it has acted is not known: look before trying again");
  if (answer->has_failure())
    return http::problem(status_of(answer->failure().kind()), participant + " did not do it", answer->failure().text());
  Json json{{"participant", participant},
            {"dry_run", answer->done().dry_run()},
            {"count", answer->done().message_id_size()},
            {"more", answer->done().more()},
            {"message_ids", Json::array()}};
  for (const auto& id : answer->done().message_id()) json["message_ids"].push_back(id);
  return {.body = json.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

/// The act among those that could be; `message_id` empty for acts about the saga.
std::optional<Json> possible(const Json& saga, const std::string& act, const std::string& message_id, int part) {
  std::optional<Json> found;
  for (const auto& of_part : saga["parts"]) {
    if (part >= 0 && of_part["part"] != part) continue;
    for (const auto& can : of_part["can"]) {
      if (can["act"] != act) continue;
      const bool meant = can["message_id"] == message_id;
      if (meant && can["allowed"]) return can;
      if (!found || meant) found = can;
    }
  }
  if (found && found->at("allowed") && found->at("message_id") != message_id) found.reset();
  return found;
}

}  // namespace

Response Acts::act(const http::Request& request) {
  if (!request.header("content-type").starts_with("application/json"))
    return http::problem(415, "An act is JSON", "send Content-Type: application/json");
  const auto body = Json::parse(request.body, nullptr, false);
  if (!body.is_object()) throw Error(Disposition::park, "the body is no JSON object");
  const auto name = needed(body, "act");
  Ask ask;
  ask.set_who(said_by_a_person(body, "who", fewest_letters_of_a_name));
  ask.set_why(said_by_a_person(body, "why", fewest_letters_of_a_reason));
  if (name == "retry" || name == "discard") return about_message(name, body, std::move(ask));
  if (name == "cancel" || name == "resolve") return about_saga(name, body, std::move(ask));
  if (name == "retry_all") return retry_all(body, std::move(ask));
  if (name == "rebuild") return rebuild(ask);
  throw Error(Disposition::park, "act: '" + name + "' is not retry, retry_all, discard, cancel, resolve or rebuild");
}

Response Acts::about_message(const std::string& name, const Json& body, Ask ask) {
  const auto participant = needed(body, "participant");
  const auto message_id = needed(body, "message_id");
  Ask question;
  question.mutable_show_stuck()->set_message_id(message_id);
  const auto shown = control_.ask(participant, question);
  if (!shown || !shown->has_shown()) return told(participant, shown);
  // The message itself says which saga it is of, not the page. One of no saga concerns nobody else.
  if (const auto& id = shown->shown().saga_id(); !id.empty()) {
    const auto saga = view_.saga(id, false);
    const auto can = saga ? possible(*saga, name, message_id, -1) : std::nullopt;
    if (!can) return refuse("the tracker does not know yet that saga " + id + " is stuck at this message");
    if (!can->at("allowed")) return refuse(can->at("reason"));
  }
  if (name == "discard") {
    ask.mutable_discard()->set_message_id(message_id);
  } else {
    ask.mutable_retry()->set_message_id(message_id);
    if (body.contains("payload")) {
      if (!body["payload"].is_object()) throw Error(Disposition::park, "payload has to be a JSON object");
      ask.mutable_retry()->set_payload_json(body["payload"].dump());
    }
  }
  return tell(participant, ask);
}

Response Acts::about_saga(const std::string& name, const Json& body, Ask ask) {
  const auto id = needed(body, "saga_id");
  const auto saga = view_.saga(id, false);
  if (!saga) return http::problem(404, "No such saga", "no event of saga " + id + " is known");
  const auto can = possible(*saga, name, "", body.value("part", -1));
  if (!can) return refuse("the saga has no such part");
  if (!can->at("allowed")) return refuse(can->at("reason"));
  if (name == "cancel") {
    ask.mutable_fire_timer()->set_saga_id(id);
    ask.mutable_fire_timer()->set_step(can->at("step"));
    return tell(can->at("participant"), ask);
  }
  const auto outcome = needed(body, "outcome");
  if (outcome != "COMPLETED" && outcome != "CANCELLED")
    throw Error(Disposition::park, "outcome: '" + outcome + "' is not COMPLETED or CANCELLED");
  const auto begun =
      std::ranges::find_if(saga->at("timeline"), [](const Json& event) { return !event["supervision"]; });
  if (begun == saga->at("timeline").end()) return refuse("nobody is known who has begun it, to keep the record");
  ask.mutable_note()->set_saga_id(id);
  ask.mutable_note()->set_act("resolve:" + outcome);
  return tell(begun->at("participant"), ask);
}

Response Acts::retry_all(const Json& body, Ask ask) {
  const auto participant = needed(body, "participant");
  const auto name = needed(body, "class");
  const auto reason_class = class_called(name);
  if (!reason_class)
    throw Error(Disposition::park,
                "class: '" + name + "' is not technical, business, contract, configuration or overload");
  ask.mutable_retry_all()->set_reason_class(*reason_class);
  ask.mutable_retry_all()->set_dry_run(body.value("dry_run", false));
  return tell(participant, ask);
}

Response Acts::rebuild(const Ask& ask) {
  log_.info("rebuild asked for by " + ask.who() + ": " + ask.why());
  engine_.rebuild();
  return {.status = 202, .body = R"({"rebuild": "begun"})"};
}

Response Acts::tell(const std::string& participant, const Ask& ask) {
  return told(participant, control_.act(participant, ask));
}

}  // namespace quadrille::tracker
