#include "tracker/view.hpp"

#include "checker/check.hpp"
#include "checker/metrics.hpp"
#include "checker/report.hpp"
#include "core/time_text.hpp"
#include "postgres/session.hpp"
#include "replay/decode.hpp"
#include "replay/timeline.hpp"
#include "tracker/contract_watch.hpp"
#include "tracker/flow_drawing.hpp"
#include "tracker/legal_acts.hpp"
#include "tracker/row.hpp"

#include <google/protobuf/util/time_util.h>

#include <algorithm>

namespace quadrille::tracker {
namespace {

using Json = View::Json;

constexpr std::uint64_t most_counted = 1'000'000;

constexpr postgres::Statement oldest_wait{"find the oldest wait",
                                          "SELECT since FROM waiting WHERE step = $1 ORDER BY since LIMIT 1"};
constexpr postgres::Statement oldest_open{"find the oldest open saga",
                                          "SELECT min(started) FROM (SELECT (SELECT started FROM saga WHERE saga = $1 "
                                          "AND state = n.state ORDER BY started LIMIT 1) AS started FROM "
                                          "unnest(ARRAY[1, 2, 5]) AS n (state)) AS oldest"};

void mask_fields(Json& payload, const contract::EventType* type) {
  if (type == nullptr || !payload.is_object()) return;
  for (const auto& field : type->personal_fields)
    if (payload.contains(field)) payload[field] = "(personal)";
}

}  // namespace

View::View(const Engine& engine, const EngineSettings& settings, const Clock& clock)
    : engine_(engine), clock_(clock), pool_(settings.database), payloads_(settings.nats) {}

Json View::sagas(const Filter& filter) const {
  const auto tables = engine_.served();
  const auto page = list(tables->pool(), filter);
  Json json{{"sagas", Json::array()}, {"next", page.next}};
  for (const auto& row : page.rows) json["sagas"].push_back(Json::parse(row));
  return json;
}

Json View::count(const Filter& filter) const {
  const auto tables = engine_.served();
  if (is_by_type_and_state(filter)) {  // which is known without counting
    std::int64_t sum = 0;
    for (const auto& [what, number] : engine_.counts().by_state)
      if ((filter.saga.empty() || filter.saga == what.first) &&
          (filter.states.empty() || std::ranges::find(filter.states, what.second) != filter.states.end()))
        sum += number;
    return {{"count", sum}, {"at_least", false}};
  }
  const auto found = tracker::count(tables->pool(), filter, most_counted);
  return {{"count", found}, {"at_least", found == most_counted}};
}

std::shared_ptr<const Choreography> View::choreography(const std::map<std::string, std::string>& spoken) {
  if (const auto version = engine_.progress().contracts; version != contracts_seen_) {
    load_contracts(pool_, choreographies_);
    contracts_seen_ = version;
  }
  return choreographies_.of(spoken);
}

std::optional<Json> View::saga(const std::string& id, bool personal) {
  const auto known = engine_.served()->load({id});
  if (known.empty()) return std::nullopt;
  const auto& trail = known.begin()->second.trail;
  const std::lock_guard lock(mutex_);
  const auto declared = choreography(spoken_contracts(trail));
  Json json{{"saga_id", id}, {"parts", Json::array()}};
  for (const auto& standing : judge(trail, declared.get(), clock_.now())) {
    auto part = in_full(standing);
    part["can"] = Json::array();
    for (const auto& act : legal_acts(standing, declared.get()))
      part["can"].push_back({{"act", act.act},
                             {"allowed", act.allowed},
                             {"reason", act.reason},
                             {"participant", act.participant},
                             {"message_id", act.message_id},
                             {"step", act.step}});
    json["parts"].push_back(std::move(part));
  }
  json["timeline"] = timeline(trail, declared.get(), personal);
  return json;
}

Json View::timeline(const Trail& trail, const Choreography* choreography, bool personal) {
  std::map<std::string, std::uint64_t> sequences;
  std::vector<Event> events;
  for (const auto& [event, sequence] : trail.events()) {
    sequences[event.id] = sequence;
    events.push_back(event);
  }
  auto lines = Json::array();
  for (auto& entry : replay::timeline(std::move(events))) {
    auto& event = entry.event;
    const auto sequence = sequences.at(event.id);
    Json line{{"event_id", event.id},
              {"type", event.type},
              {"participant", event.source},
              {"recorded_at", to_rfc3339(event.recorded_at)},
              {"stream", event.stream.text()},
              {"version", event.version},
              {"cause", event.causation_id},
              {"contract", event.contract},
              {"sequence", sequence},
              {"supervision", is_supervision(event)},
              {"payload", nullptr}};
    if (event.payload.empty())
      if (auto payload = payloads_.read(sequence, event.id)) event.payload = std::move(*payload);
    if (is_supervision(event)) {
      line["payload"] = replay::decode(event, *google::protobuf::DescriptorPool::generated_pool());
    } else if (choreography != nullptr) {
      line["payload"] = replay::decode(event, choreography->contracts.pool());
      if (!personal) mask_fields(line["payload"], choreography->model().find_event(event.type));
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

Json View::overview() {
  const auto counts = engine_.counts();
  const auto progress = engine_.progress();
  const auto tables = engine_.served();
  Json json{{"now", to_rfc3339(clock_.now())}, {"sagas", Json::object()}, {"waiting", Json::array()}};
  const auto shown = [](const std::string& saga) { return saga.empty() ? std::string("(unknown)") : saga; };
  postgres::Session session(tables->pool());
  for (const auto& [what, number] : counts.by_state) {
    auto& of_saga = json["sagas"][shown(what.first)];
    of_saga["states"][std::string(name_of(what.second))] = number;
    if (of_saga.contains("oldest_open_at")) continue;
    const auto oldest = session.run(oldest_open, {what.first});
    of_saga["oldest_open_at"] = oldest.is_null(0, 0) ? Json(nullptr) : Json(to_rfc3339(oldest.time(0, 0)));
  }
  for (const auto& [what, number] : counts.stuck)
    if (number > 0) json["sagas"][shown(what.first)]["stuck"][what.second] = number;
  for (const auto& [step, number] : counts.waiting) {
    if (number <= 0) continue;
    const auto oldest = session.run(oldest_wait, {step});
    json["waiting"].push_back({{"step", step},
                               {"count", number},
                               {"oldest_since", oldest.empty() ? Json(nullptr) : Json(to_rfc3339(oldest.time(0, 0)))}});
  }
  json["tracker"] = {{"sequence", progress.sequence},
                     {"stream_last", progress.stream_last},
                     {"lag_ms", progress.lag.count()},
                     {"broker", progress.broker},
                     {"database", progress.database},
                     {"generation", progress.generation},
                     {"rebuild", nullptr}};
  if (progress.rebuild)
    json["tracker"]["rebuild"] = {{"sequence", progress.rebuild->sequence},
                                  {"until", progress.rebuild->until},
                                  {"started_at", to_rfc3339(progress.rebuild->started_at)}};
  return json;
}

std::optional<std::string> View::flow_svg(const std::string& saga, graph::Style style) {
  const std::lock_guard lock(mutex_);
  const auto declared = choreography({});
  const int place = declared == nullptr ? -1 : declared->declared.saga_of(saga);
  if (place < 0) return std::nullopt;
  const auto counts = engine_.counts();
  std::map<std::string, std::chrono::seconds> longest;
  const auto tables = engine_.served();
  postgres::Session session(tables->pool());
  for (const auto& [step, number] : counts.waiting)
    if (const auto oldest = session.run(oldest_wait, {step}); number > 0 && !oldest.empty())
      longest[step] = std::chrono::duration_cast<std::chrono::seconds>(clock_.now() - oldest.time(0, 0));
  return graph::as_svg(draw_flow(declared->graph, declared->sagas[static_cast<std::size_t>(place)], counts, longest),
                       style);
}

std::string View::findings() {
  const std::lock_guard lock(mutex_);
  const auto declared = choreography({});
  if (declared == nullptr) return R"({"findings": []})";
  std::vector<checker::Metrics> sizes;
  for (const auto& saga : declared->sagas) sizes.push_back(checker::measure(checker::SagaFlow(declared->graph, saga)));
  return checker::as_json(declared->model(), sizes, checker::check(declared->contracts.reading()));
}

std::vector<std::string> View::participants() {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> names;
  if (const auto declared = choreography({}))
    for (const auto& participant : declared->model().participants)
      if (!participant.external) names.push_back(participant.name);
  return names;
}

void View::mask(const std::string& event_type, Json& payload) {
  const std::lock_guard lock(mutex_);
  if (const auto declared = choreography({})) mask_fields(payload, declared->model().find_event(event_type));
}

Json View::contracts() {
  const std::lock_guard lock(mutex_);
  const auto declared = choreography({});
  auto json = Json::array();
  if (declared == nullptr) return json;
  for (const auto& participant : declared->model().participants) {
    const auto found = declared->fingerprints.find(participant.name);
    json.push_back({{"participant", participant.name},
                    {"owner", participant.owner},
                    {"external", participant.external},
                    {"steps", participant.steps.size()},
                    {"contract", found == declared->fingerprints.end() ? "" : found->second}});
  }
  return json;
}

}  // namespace quadrille::tracker
