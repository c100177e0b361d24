#pragma once

#include <chrono>
#include <thread>

namespace quadrille {

/// A point in time, UTC, in microseconds: what PostgreSQL stores and what `ce-time` carries.
using TimePoint = std::chrono::time_point<std::chrono::system_clock, std::chrono::microseconds>;

/// Time as the runtime sees it. Tests bring their own. Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  [[nodiscard]] virtual TimePoint now() const = 0;
  /// For measuring how long something takes or lasts: never set back. The machine's own, unless time is virtual.
  [[nodiscard]] virtual std::chrono::steady_clock::time_point steady() const {
    return std::chrono::steady_clock::now();
  }
  /// Waits so long.
  virtual void sleep(std::chrono::milliseconds length) const { std::this_thread::sleep_for(length); }
};

class SystemClock final : public Clock {
 public:
  [[nodiscard]] TimePoint now() const override {
    return std::chrono::time_point_cast<std::chrono::microseconds>(std::chrono::system_clock::now());
  }
};

/// For those who are given none.
[[nodiscard]] inline const Clock& system_clock() {
  static const SystemClock clock;
  return clock;
}

}  // namespace quadrille
