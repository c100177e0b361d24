#pragma once

#include "core/clock.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <utility>

namespace quadrille::testing {

/// Time that goes on only when it is told to. Used by one thread.
class VirtualClock final : public Clock {
 public:
  [[nodiscard]] TimePoint now() const override { return beginning + passed_; }
  [[nodiscard]] std::chrono::steady_clock::time_point steady() const override {
    return std::chrono::steady_clock::time_point(passed_);
  }
  void sleep(std::chrono::milliseconds length) const override { sleeper_(length); }

  /// Does nothing for a time that is over.
  void set(TimePoint time) { passed_ = std::max(passed_, time - beginning); }
  [[nodiscard]] static TimePoint time_of(std::chrono::steady_clock::time_point steady) {
    return beginning + std::chrono::duration_cast<std::chrono::microseconds>(steady.time_since_epoch());
  }
  /// What happens while somebody sleeps.
  void on_sleep(std::function<void(std::chrono::milliseconds)> sleeper) { sleeper_ = std::move(sleeper); }

 private:
  static constexpr TimePoint beginning{std::chrono::hours(24 * 365 * 50)};

  std::chrono::microseconds passed_{0};
  std::function<void(std::chrono::milliseconds)> sleeper_;
};

}  // namespace quadrille::testing
