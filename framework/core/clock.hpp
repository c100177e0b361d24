#pragma once

#include <chrono>

namespace quadrille {

/// A point in time, UTC, in microseconds: what PostgreSQL stores and what `ce-time` carries.
using TimePoint = std::chrono::time_point<std::chrono::system_clock, std::chrono::microseconds>;

/// Time as the runtime sees it. Tests bring their own. Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  [[nodiscard]] virtual TimePoint now() const = 0;
};

class SystemClock final : public Clock {
 public:
  [[nodiscard]] TimePoint now() const override {
    return std::chrono::time_point_cast<std::chrono::microseconds>(std::chrono::system_clock::now());
  }
};

}  // namespace quadrille
