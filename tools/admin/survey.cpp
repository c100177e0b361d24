#include "admin/survey.hpp"

#include "admin/text.hpp"
#include "asking/asker.hpp"
#include "terminal/table.hpp"

#include <algorithm>
#include <map>

namespace quadrille::admin {
namespace {

ConsumerProgress to_progress(const control::v1::ConsumerState& consumer) {
  return {.name = consumer.name(),
          .pending = consumer.pending(),
          .unacknowledged = consumer.unacknowledged(),
          .redelivered = consumer.redelivered(),
          .delivered = consumer.delivered(),
          .ack_floor = consumer.ack_floor()};
}

/// What its instances tell; where they may not see the durables or are silent, what the broker tells us.
void add_consumers(Health& health, Broker& broker, const std::vector<Member>& members) {
  for (const auto& instance : health.instances) {
    if (!health.consumers.empty()) break;
    for (const auto& consumer : instance.status().consumer()) health.consumers.push_back(to_progress(consumer));
  }
  const auto member = std::ranges::find(members, health.participant, &Member::participant);
  if (health.consumers.empty() && member != members.end()) {
    std::vector<std::string> names;
    for (const auto& consumer : member->consumers) names.push_back(consumer.name);
    health.consumers = broker.progress(names);
  }
  for (const auto& consumer : health.consumers) {
    health.pending += consumer.pending;
    health.unacknowledged += consumer.unacknowledged;
  }
}

void add_database(Health& health) {
  for (const auto& instance : health.instances)
    if (instance.status().has_database() && !health.has_database) {
      health.database = instance.status().database();
      health.has_database = true;
    }
  for (const auto& waiting : health.database.waiting()) health.stuck += waiting.stuck() ? waiting.messages() : 0;
}

std::string why_not(const control::v1::StatusReport& status) {
  std::string text;
  const std::map<std::string, std::string> sorted(status.state().begin(), status.state().end());
  for (const auto& [what, state] : sorted)
    if (state != "ok") text += (text.empty() ? "" : "; ") + what + ": " + state;
  return text;
}

}  // namespace

std::vector<Health> survey(Broker& broker, const std::vector<Member>& members) {
  std::map<std::string, Health> by_name;
  for (const auto& member : members) by_name[member.participant].participant = member.participant;
  for (auto& answer : asking::Asker(broker).instances(true)) {
    auto& health = by_name[answer.participant()];
    health.participant = answer.participant();
    health.instances.push_back(std::move(answer));
  }
  std::vector<Health> all;
  for (auto& [name, health] : by_name) {
    add_consumers(health, broker, members);
    add_database(health);
    all.push_back(std::move(health));
  }
  return all;
}

std::vector<std::string> problems(const std::vector<Health>& all, const Limits& limits, TimePoint now) {
  std::vector<std::string> found;
  if (all.empty()) found.emplace_back("nobody is registered, and nobody answers");
  for (const auto& health : all) {
    const auto add = [&](const std::string& text) { found.push_back(health.participant + " " + text); };
    if (health.instances.empty()) add("is SILENT: it is registered, and no instance answers");
    for (const auto& instance : health.instances) {
      if (instance.has_failure()) add("(" + instance.instance() + ") answers: " + instance.failure().text());
      if (instance.has_status() && !(instance.status().ready() && instance.status().live()))
        add("(" + instance.instance() + ") is not " + (instance.status().live() ? "ready" : "live") + ": " +
            why_not(instance.status()));
    }
    if (health.stuck > 0)
      add("has " + std::to_string(health.stuck) + " stuck: quadrille parked list --participant " + health.participant);
    if (health.pending > limits.lag)
      add("is " + std::to_string(health.pending) + " messages behind, more than --max-lag " +
          std::to_string(limits.lag));
    if (!health.database.has_outbox_oldest()) continue;
    const auto age = seconds_since(health.database.outbox_oldest(), now);
    if (age > limits.outbox_age.count())
      add("has had an event in its outbox for " + terminal::age_text(std::chrono::seconds(age)) +
          ", longer than --max-outbox-age " + std::to_string(limits.outbox_age.count()));
  }
  return found;
}

}  // namespace quadrille::admin
