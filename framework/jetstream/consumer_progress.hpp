#pragma once

#include "core/broker.hpp"
#include "jetstream/connection.hpp"

#include <span>
#include <string>
#include <vector>

namespace quadrille::jetstream {

/// Broker::progress: all durables are asked for at once.
[[nodiscard]] std::vector<ConsumerProgress> consumer_progress(Connection& connection, const std::string& stream,
                                                              std::span<const std::string> consumers);

}  // namespace quadrille::jetstream
