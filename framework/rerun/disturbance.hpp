#pragma once

#include "core/clock.hpp"

#include <chrono>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace quadrille::rerun {

/// A delivery of the broker.
struct Delivered {
  std::string event_id;
  std::string type;  ///< without its package
  TimePoint at{};

  bool operator==(const Delivered&) const = default;
};

/// One thing a broker may do to a delivery without breaking its promise.
struct Disturbance {
  enum class Kind {
    moved,  ///< comes `amount` places later, or earlier where negative
    twice,  ///< comes again `amount` places later
    lost,   ///< comes only when the broker's patience with its acknowledgement has run out
    late,   ///< comes `amount` milliseconds later
  };
  Kind kind = Kind::moved;
  std::string event_id;
  std::int64_t amount = 0;
};

/// A few at random. Deterministic by the state of `random` alone, on every platform.
[[nodiscard]] std::vector<Disturbance> draw(const std::vector<Delivered>& deliveries, std::chrono::milliseconds latest,
                                            std::mt19937_64& random);
[[nodiscard]] std::vector<Delivered> disturb(std::vector<Delivered> deliveries, const std::vector<Disturbance>& all);
/// `StockReserved comes again 2 places later`
[[nodiscard]] std::string text(const Disturbance& one, const std::vector<Delivered>& deliveries);

}  // namespace quadrille::rerun
