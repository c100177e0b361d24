#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <string>
#include <vector>

namespace quadrille::telemetry {

/// The loops of a process that have to go round for it to be alive.
enum class Loop { dispatcher, relay, sweeper, leases };

/// Tells which loops have not gone round for too long. Thread-safe.
class Heartbeats {
 public:
  using Time = std::chrono::steady_clock::time_point;

  Heartbeats();
  void beat(Loop loop, Time now = std::chrono::steady_clock::now());
  /// One sentence for each loop whose last beat is older than that.
  [[nodiscard]] std::vector<std::string> silent_for(std::chrono::milliseconds longest,
                                                    Time now = std::chrono::steady_clock::now()) const;

 private:
  std::array<std::atomic<Time>, 4> last_;
};

}  // namespace quadrille::telemetry
