#pragma once

#include "core/clock.hpp"
#include "quadrille/error.hpp"
#include "telemetry/metrics.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace quadrille::runtime {

/// What a transaction adds to the numbers of this process. Reported after the commit only: what is rolled back and run
/// again must not count twice.
struct Tally {
  struct Finish {
    std::string saga;
    std::string state;
    std::optional<double> seconds;  ///< empty where the saga's id does not say when it began
  };

  std::map<std::pair<std::string, std::string>, std::uint64_t> steps;  ///< by step and event
  std::map<std::string, std::vector<double>> step_seconds;             ///< by step
  std::map<std::string, std::vector<TimePoint>> triggered;             ///< by step: when what started it was recorded
  std::vector<std::string> started;                                    ///< sagas
  std::vector<Finish> finished;
  std::map<ReasonClass, std::uint64_t> retries;
  std::map<ReasonClass, std::uint64_t> parked;
  std::uint64_t resumed = 0;
  std::uint64_t duplicates = 0;
  std::uint64_t stale = 0;
  std::uint64_t gaps = 0;

  void report(const telemetry::Metrics& metrics) const;
};

}  // namespace quadrille::runtime
