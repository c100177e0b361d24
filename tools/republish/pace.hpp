#pragma once

#include "core/clock.hpp"

#include <chrono>
#include <optional>
#include <string_view>

namespace quadrille::republish {

/// How fast recorded time goes by.
class Pace {
 public:
  using Steady = std::chrono::steady_clock;

  /// `recorded`, `x10` for ten times as fast, `max`; nothing for something else.
  [[nodiscard]] static std::optional<Pace> parse(std::string_view text);

  /// When something recorded at `recorded` is due; the first one asked for at once. What was recorded before the one
  /// before it is due with it.
  [[nodiscard]] Steady::time_point due(TimePoint recorded, Steady::time_point now);

 private:
  explicit Pace(double factor) : factor_(factor) {}

  double factor_;  ///< 0: as fast as it goes
  std::optional<TimePoint> first_;
  Steady::time_point start_{};
};

}  // namespace quadrille::republish
