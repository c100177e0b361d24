#pragma once

#include "core/backoff.hpp"
#include "core/clock.hpp"
#include "core/store.hpp"
#include "runtime/common_flush.hpp"
#include "runtime/drive.hpp"
#include "runtime/part.hpp"
#include "runtime/relay.hpp"
#include "runtime/step_failed.hpp"
#include "runtime/unit_of_work.hpp"
#include "telemetry/instruments.hpp"
#include "telemetry/log.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace quadrille::runtime {

/// Runs the timer steps whose time has come, as ordinary steps. Several instances may sweep at once: each deadline is
/// locked by the one that runs it. Now and then it keeps the store tidy and names holds past their time, and samples
/// what the database alone can tell the metrics. Runs in a thread of its own from construction to destruction.
class Sweeper {
 public:
  struct Settings {
    std::chrono::milliseconds interval{200};
    std::chrono::milliseconds housekeeping{std::chrono::hours(1)};
    std::chrono::milliseconds sampling{2000};  ///< how often the database is asked for what /metrics shows
    std::size_t batch = 100;
    Drive drive = Drive::threads;
    Limits limits;
    Backoff backoff;                  ///< of a timer step that throws: for ever, ceiling one hour
    std::uint32_t max_attempts = 12;  ///< then it is said to be stuck, and tried on
    /// Bytes of log kept for the relay, sampled too.
    std::function<std::optional<std::uint64_t>()> log_kept = [] { return std::nullopt; };
  };

  Sweeper(const Part& part, Store& store, Relay& relay, const Clock& clock, const telemetry::Log& log,
          telemetry::Instruments& instruments, Stopper& stopper, Settings settings);
  ~Sweeper();

  /// Goes round once; how long to wait before the next time. Nothing once it has stopped for good.
  std::optional<std::chrono::milliseconds> step();

 private:
  void run(const std::stop_token& stopping);
  /// Says that timers which were stuck are not any more. True when there was one.
  [[nodiscard]] bool say_what_goes_on(Transaction& transaction, const std::vector<Deadline>& done) const;
  /// How many deadlines were dealt with.
  [[nodiscard]] std::size_t sweep();
  /// How many of them came too late to matter, by step.
  [[nodiscard]] std::map<std::string, std::uint64_t> run_timers(const std::vector<Deadline>& due,
                                                                UnitOfWork& unit) const;
  /// True when it decided something.
  [[nodiscard]] bool run_timer(const Deadline& deadline, UnitOfWork& unit) const;
  void put_off(Deadline deadline, const Failure& failure);
  void sample();
  void keep_house();

  const Part& part_;
  Store& store_;
  Relay& relay_;
  const Clock& clock_;
  const telemetry::Log& log_;
  telemetry::Instruments& instruments_;
  Stopper& stopper_;
  const Settings settings_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  CommonFlush flush_;
  std::chrono::steady_clock::time_point next_housekeeping_;
  std::chrono::steady_clock::time_point next_sample_;
  std::jthread thread_;
};

}  // namespace quadrille::runtime
