// How a survey looks, for people and for programs.
#include "admin/survey.hpp"
#include "admin/text.hpp"
#include "core/time_text.hpp"
#include "core/timestamp.hpp"
#include "terminal/table.hpp"

#include <algorithm>
#include <map>

namespace quadrille::admin {
namespace {

constexpr std::size_t shown_fingerprint = 12;

std::string number_or_dash(bool there, std::uint64_t number) { return there ? std::to_string(number) : "-"; }

std::string outbox_age(const Health& health, TimePoint now) {
  return health.database.has_outbox_oldest() ? terminal::age_text(std::chrono::seconds(std::max<std::int64_t>(
                                                   0, seconds_since(health.database.outbox_oldest(), now))))
                                             : "-";
}

std::string relay(const control::v1::StatusReport& status) {
  if (!status.active_relay()) return "-";
  return status.relay() == control::v1::StatusReport::LOG_TAILING ? "tails" : "polls";
}

/// The columns about the participant, which every row of it has.
std::vector<std::string> of_participant(const Health& health, TimePoint now) {
  const auto& database = health.database;
  return {number_or_dash(health.has_database, database.outbox_pending()),
          outbox_age(health, now),
          number_or_dash(database.has_slot_lag_bytes(), database.slot_lag_bytes()),
          number_or_dash(!health.consumers.empty(), health.pending),
          number_or_dash(!health.consumers.empty(), health.unacknowledged),
          number_or_dash(health.has_database, health.stuck)};
}

nlohmann::ordered_json instance_json(const control::v1::Answer& answer) {
  nlohmann::ordered_json shown{{"instance", answer.instance()}};
  if (answer.has_failure()) shown["failure"] = answer.failure().text();
  if (!answer.has_status()) return shown;
  const auto& status = answer.status();
  shown["ready"] = status.ready();
  shown["live"] = status.live();
  shown["state"] = std::map<std::string, std::string>(status.state().begin(), status.state().end());
  shown["framework"] = status.framework();
  shown["fingerprint"] = status.fingerprint();
  shown["started_at"] = to_rfc3339(to_time(status.started_at()));
  shown["lanes"] = std::vector<std::uint32_t>(status.lane().begin(), status.lane().end());
  shown["relay"] = status.relay() == control::v1::StatusReport::LOG_TAILING ? "log-tailing" : "polling";
  shown["active_relay"] = status.active_relay();
  return shown;
}

nlohmann::ordered_json health_json(const Health& health, TimePoint now) {
  nlohmann::ordered_json shown{{"participant", health.participant}, {"silent", health.instances.empty()}};
  if (health.has_database) {
    const auto& database = health.database;
    shown["stuck"] = health.stuck;
    shown["outbox_pending"] = database.outbox_pending();
    if (database.has_outbox_oldest()) shown["outbox_oldest_age_seconds"] = seconds_since(database.outbox_oldest(), now);
    if (database.has_slot_lag_bytes()) shown["slot_lag_bytes"] = database.slot_lag_bytes();
    shown["deadlines_open"] = database.deadlines_open();
  }
  shown["lag"] = health.pending;
  shown["unacknowledged"] = health.unacknowledged;
  auto& consumers = shown["consumers"] = nlohmann::ordered_json::array();
  for (const auto& consumer : health.consumers)
    consumers.push_back({{"name", consumer.name},
                         {"pending", consumer.pending},
                         {"unacknowledged", consumer.unacknowledged},
                         {"redelivered", consumer.redelivered}});
  auto& instances = shown["instances"] = nlohmann::ordered_json::array();
  for (const auto& instance : health.instances) instances.push_back(instance_json(instance));
  return shown;
}

}  // namespace

std::string as_table(const std::vector<Health>& all, const std::vector<std::string>& problems, TimePoint now) {
  std::vector<std::vector<std::string>> rows{{"PARTICIPANT", "INSTANCE", "READY", "VERSION", "CONTRACT", "UP", "LANES",
                                              "RELAY", "OUTBOX", "OLDEST", "SLOT", "LAG", "UNACKED", "STUCK"}};
  for (const auto& health : all) {
    const auto rest = of_participant(health, now);
    const auto add = [&](std::vector<std::string> row) {
      row.insert(row.end(), rest.begin(), rest.end());
      rows.push_back(std::move(row));
    };
    if (health.instances.empty()) add({health.participant, "-", "SILENT", "-", "-", "-", "-", "-"});
    for (const auto& answer : health.instances) {
      const auto& status = answer.status();
      add({health.participant, answer.instance(), status.ready() && status.live() ? "yes" : "NO", status.framework(),
           status.fingerprint().substr(0, shown_fingerprint),
           terminal::age_text(std::chrono::seconds(seconds_since(status.started_at(), now))),
           std::to_string(status.lane_size()), relay(status)});
    }
  }
  auto text = terminal::table(rows);
  for (const auto& problem : problems) text += "! " + problem + "\n";
  return text;
}

nlohmann::ordered_json as_json(const std::vector<Health>& all, const std::vector<std::string>& problems,
                               TimePoint now) {
  nlohmann::ordered_json shown{{"at", to_rfc3339(now)}, {"good", problems.empty()}, {"problems", problems}};
  auto& participants = shown["participants"] = nlohmann::ordered_json::array();
  for (const auto& health : all) participants.push_back(health_json(health, now));
  return shown;
}

}  // namespace quadrille::admin
