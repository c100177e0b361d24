#pragma once

#include "core/broker.hpp"
#include "jetstream/jetstream_broker.hpp"

#include <string>
#include <vector>

namespace quadrille::admin {

/// A participant that has said within the last hour that it runs.
struct Member {
  std::string participant;
  std::vector<ConsumerSpec> consumers;  ///< by its newest contract
};

/// By name. Throws Error where the registry cannot be read.
[[nodiscard]] std::vector<Member> members(const jetstream::JetStreamSettings& settings);

}  // namespace quadrille::admin
