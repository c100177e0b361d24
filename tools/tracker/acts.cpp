#include "tracker/acts.hpp"

#include "http/body.hpp"
#include "quadrille/error.hpp"
#include "tracker/inquiries.hpp"
#include "tracker/question.hpp"

#include <algorithm>
#include <optional>

namespace quadrille::tracker {
namespace {

using control::v1::Answer;
using control::v1::Ask;
using control::v1::Failure;
using http::Response;
using Json = View::Json;

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

enum class About { messages, saga };

Response told(const std::string& participant, const std::optional<Answer>& answer, About about) {
  if (!answer)
    return http::problem(504, participant + " does not answer",
                         "whether it has acted is not known: look before trying again");
  if (answer->has_failure())
    return http::problem(status_of(answer->failure().kind()), participant + " did not do it", answer->failure().text());
  const auto& done = answer->done();
  Json json{{"participant", participant}};
  // An act about a saga as a whole, such as its cancelling, is of no message: there is nothing to count.
  if (about == About::messages)
    json.update({{"dry_run", done.dry_run()},
                 {"count", done.message_id_size()},
                 {"more", done.more()},
                 {"message_ids", Json(std::vector<std::string>(done.message_id().begin(), done.message_id().end()))}});
  return {.body = json.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

/// What the act is about: a message; without one, the saga, a part of it, a step of it.
struct Target {
  std::string message_id = {};
  std::optional<std::uint64_t> part = {};
  std::string step = {};
};

/// The act among those that could be.
std::optional<Json> possible(const Json& saga, const std::string& act, const Target& target) {
  const auto is_meant = [&](const Json& can) {
    return can["message_id"] == target.message_id && (target.step.empty() || can["step"] == target.step);
  };
  std::optional<Json> found;
  for (const auto& of_part : saga["parts"]) {
    if (target.part && of_part["part"] != *target.part) continue;
    for (const auto& can : of_part["can"]) {
      if (can["act"] != act) continue;
      const bool meant = is_meant(can);
      if (meant && can["allowed"]) return can;
      if (!found || meant) found = can;
    }
  }
  if (found && found->at("allowed") && !is_meant(*found)) found.reset();
  return found;
}

}  // namespace

Response Acts::act(const http::Request& request) {
  if (!request.header("content-type").starts_with("application/json"))
    return http::problem(415, "An act is JSON", "send Content-Type: application/json");
  const ActBody body(request.body);
  const auto name = body.act();
  Ask ask;
  ask.set_who(body.who());
  ask.set_why(body.why());
  if (name == "cancel" || name == "resolve" || body.has("saga_id")) return about_saga(name, body, std::move(ask));
  if (name == "rebuild") return rebuild(body, ask);
  const auto participant = body.needed("participant");
  if (auto unknown = unknown_participant(view_, participant)) return *unknown;
  if (name == "retry_all") return retry_all(participant, body, std::move(ask));
  return about_message(name, participant, body, std::move(ask));
}

Response Acts::about_message(const std::string& name, const std::string& participant, const ActBody& body, Ask ask) {
  const auto message_id = body.needed("message_id");
  Ask question;
  question.mutable_show_stuck()->set_message_id(message_id);
  const auto shown = control_.ask(participant, question);
  if (!shown || !shown->has_shown()) return told(participant, shown, About::messages);
  // The message itself says which saga it is of, not the page. One of no saga concerns nobody else.
  if (const auto& id = shown->shown().saga_id(); !id.empty()) {
    const auto saga = view_.saga(id, false);
    const auto can = saga ? possible(*saga, name, {.message_id = message_id}) : std::nullopt;
    if (!can) return refuse("the tracker does not know yet that saga " + id + " is stuck at this message");
    if (!can->at("allowed")) return refuse(can->at("reason"));
  }
  if (name == "discard") {
    ask.mutable_discard()->set_message_id(message_id);
  } else {
    ask.mutable_retry()->set_message_id(message_id);
    if (const auto payload = body.object("payload")) ask.mutable_retry()->set_payload_json(*payload);
  }
  return told(participant, control_.act(participant, ask), About::messages);
}

Response Acts::about_saga(const std::string& name, const ActBody& body, Ask ask) {
  const auto id = body.needed("saga_id");
  const auto saga = view_.saga(id, false);
  if (!saga) return http::problem(404, "No such saga", "no event of saga " + id + " is known");
  const bool retry = name == "retry";
  const auto can =
      possible(*saga, name, {.part = body.number("part"), .step = retry ? body.needed("step") : std::string()});
  if (!can) return refuse("the saga has no such part");
  if (!can->at("allowed")) return refuse(can->at("reason"));
  if (name == "cancel" || retry) {
    ask.mutable_fire_timer()->set_saga_id(id);
    ask.mutable_fire_timer()->set_step(can->at("step"));
    ask.mutable_fire_timer()->set_retry(retry);
    return told(can->at("participant"), control_.act(can->at("participant"), ask), About::saga);
  }
  const auto outcome = body.needed("outcome");
  if (outcome != "COMPLETED" && outcome != "CANCELLED")
    throw Error(Disposition::park, "outcome: '" + outcome + "' is not COMPLETED or CANCELLED");
  const auto begun =
      std::ranges::find_if(saga->at("timeline"), [](const Json& event) { return !event["supervision"]; });
  if (begun == saga->at("timeline").end()) return refuse("nobody is known who has begun it, to keep the record");
  ask.mutable_note()->set_saga_id(id);
  ask.mutable_note()->set_act("resolve:" + outcome);
  return told(begun->at("participant"), control_.act(begun->at("participant"), ask), About::saga);
}

Response Acts::retry_all(const std::string& participant, const ActBody& body, Ask ask) {
  const auto reason_class = reason_class_called("class", body.needed("class"));
  ask.mutable_retry_all()->set_reason_class(static_cast<v1::ReasonClass>(reason_class));
  ask.mutable_retry_all()->set_dry_run(body.flag("dry_run"));
  return told(participant, control_.act(participant, ask), About::messages);
}

Response Acts::rebuild(const ActBody& body, const Ask& ask) {
  const auto from = body.number("from").value_or(1);
  const auto read = engine_.progress().sequence;
  if (from < 1 || from > read + 1)
    throw Error(Disposition::park, "from: " + std::to_string(from) + " is not from 1 to " + std::to_string(read + 1) +
                                       ": so far the stream has been read");
  log_.info("rebuild from message " + std::to_string(from) + " on asked for by " + ask.who() + ": " + ask.why());
  engine_.rebuild(from);
  return {.status = 202, .body = R"({"rebuild": "begun"})"};
}

}  // namespace quadrille::tracker
