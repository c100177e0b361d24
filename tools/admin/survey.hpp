#pragma once

#include "admin/members.hpp"
#include "core/clock.hpp"
#include "quadrille/control/v1/control.pb.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace quadrille::admin {

/// How one participant is, as its instances and the broker tell.
struct Health {
  std::string participant;
  std::vector<control::v1::Answer> instances;  ///< none: it is SILENT
  std::vector<ConsumerProgress> consumers;
  std::uint64_t pending = 0;  ///< of all its consumers
  std::uint64_t unacknowledged = 0;
  std::uint64_t stuck = 0;
  control::v1::Database database;  ///< of an instance that could ask it
  bool has_database = false;
};

/// How everybody is who is registered or answers, by name.
[[nodiscard]] std::vector<Health> survey(Broker& broker, const std::vector<Member>& members);

/// From where on something is wrong.
struct Limits {
  std::uint64_t lag = 1'000;
  std::chrono::seconds outbox_age{60};
};
/// What is wrong, a sentence each; none where all is well.
[[nodiscard]] std::vector<std::string> problems(const std::vector<Health>& all, const Limits& limits, TimePoint now);

[[nodiscard]] std::string as_table(const std::vector<Health>& all, const std::vector<std::string>& problems,
                                   TimePoint now);
[[nodiscard]] nlohmann::ordered_json as_json(const std::vector<Health>& all, const std::vector<std::string>& problems,
                                             TimePoint now);

}  // namespace quadrille::admin
