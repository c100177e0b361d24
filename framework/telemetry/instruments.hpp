#pragma once

#include "telemetry/heartbeats.hpp"
#include "telemetry/metrics.hpp"

#include <chrono>
#include <string>

namespace quadrille::telemetry {

/// What the loops of one process report to. Thread-safe.
struct Instruments {
  explicit Instruments(const std::string& participant) : metrics(participant) {}

  Metrics metrics;
  Heartbeats heartbeats;
};

/// Seconds since it was made.
class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace quadrille::telemetry
