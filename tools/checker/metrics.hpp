#pragma once

#include "checker/saga_flow.hpp"

#include <cstdint>
#include <string>

namespace quadrille::checker {

/// Messages that have been passed on more often than this are parked by the runtime (setting --max-hops).
constexpr std::uint64_t runtime_hop_limit = 64;

/// What a saga is like, in numbers.
struct Metrics {
  std::string saga;
  std::size_t steps = 0;
  std::size_t events = 0;
  std::size_t participants = 0;
  std::size_t widest_fan_out = 0;  ///< most consumers of one event
  /// Steps one after another on the longest legal way, loops taken as often as their bounds allow: above it a message
  /// is running away.
  std::uint64_t longest_way = 0;
};

[[nodiscard]] Metrics measure(const SagaFlow& saga);

}  // namespace quadrille::checker
