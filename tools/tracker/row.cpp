#include "tracker/row.hpp"

#include "core/reason.hpp"
#include "core/time_text.hpp"

namespace quadrille::tracker {
namespace {

using Json = nlohmann::ordered_json;

Json time_or_null(const std::optional<TimePoint>& time) { return time ? Json(to_rfc3339(*time)) : Json(nullptr); }

Json stuck_json(const StuckReason& reason) {
  return {{"class", name_of(reason.reason_class)},
          {"step", reason.step},
          {"error", reason.error},
          {"participant", reason.participant},
          {"message_id", reason.message_id},
          {"attempts", reason.attempts},
          {"parked", reason.parked},
          {"discarded", reason.discarded},
          {"since", to_rfc3339(reason.since)}};
}

}  // namespace

Json summary_of(const Standing& standing) {
  Json row{{"saga_id", standing.saga_id},
           {"part", standing.part},
           {"saga", standing.saga},
           {"key", standing.key},
           {"state", name_of(standing.state)},
           {"resolved", standing.resolved},
           {"started_at", to_rfc3339(standing.started_at)},
           {"latest_at", to_rfc3339(standing.latest_at)},
           {"ended_at", time_or_null(standing.ended_at)},
           {"deadline_at", time_or_null(standing.deadline_at)},
           {"waiting", Json::array()},
           {"stuck", Json::array()},
           {"failure", nullptr},
           {"owed", standing.owed()}};
  for (const auto& waited : standing.waiting)
    row["waiting"].push_back({{"step", waited.step}, {"since", to_rfc3339(waited.since)}});
  for (const auto& reason : standing.stuck) row["stuck"].push_back(stuck_json(reason));
  if (standing.failure)
    row["failure"] = {{"participant", standing.failure->participant}, {"event", standing.failure->event}};
  return row;
}

Json in_full(const Standing& standing) {
  auto json = summary_of(standing);
  json["pivot"] = name_of(standing.pivot);
  json["ledger"] = Json::array();
  for (const auto& entry : standing.ledger) {
    Json line{{"step", entry.step},
              {"event", entry.event},
              {"done_at", to_rfc3339(entry.done_at)},
              {"compensation", entry.compensation},
              {"proof", entry.undone_by}};
    line["undone_at"] = entry.undone_by.empty() ? Json(nullptr) : Json(to_rfc3339(entry.undone_at));
    line["owed"] = standing.undoing && entry.undone_by.empty();
    json["ledger"].push_back(std::move(line));
  }
  json["timers"] = Json::array();
  for (const auto& timer : standing.timers)
    json["timers"].push_back({{"step", timer.step}, {"due_at", to_rfc3339(timer.due_at)}});
  json["remaining"] = standing.remaining;
  json["acts"] = Json::array();
  for (const auto& act : standing.acts)
    json["acts"].push_back({{"at", to_rfc3339(act.at)},
                            {"who", act.who},
                            {"act", act.act},
                            {"why", act.why},
                            {"participant", act.participant},
                            {"message_id", act.message_id}});
  return json;
}

}  // namespace quadrille::tracker
