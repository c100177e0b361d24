#pragma once

#include "core/clock.hpp"
#include "core/store.hpp"
#include "runtime/drive.hpp"
#include "runtime/lease_round.hpp"
#include "telemetry/instruments.hpp"
#include "telemetry/log.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace quadrille::runtime {

/// Holds the leases of this instance: takes what is free, of shared ones its part, renews what it has, gives back what
/// is more than its part, and forgets at once what it could not renew in time. What it hands out is only a hint for who
/// should act; Leases::verify inside the acting transaction is the guarantee. Thread-safe.
class LeaseKeeper {
 public:
  /// `names`: each for whoever comes first; `shared`: each instance gets its part of them.
  LeaseKeeper(Store& store, const telemetry::Log& log, std::string owner, std::vector<std::string> names,
              std::chrono::milliseconds time_to_live, telemetry::Instruments* instruments = nullptr,
              std::vector<std::string> shared = {}, Drive drive = Drive::threads, const Clock& clock = system_clock());
  /// Gives the leases back, so that another instance need not wait.
  ~LeaseKeeper();

  /// Takes and renews once; how long it is good to wait before the next time.
  std::chrono::milliseconds step();
  [[nodiscard]] std::optional<Lease> held(const std::string& name) const;
  /// The database has answered in time: leases can be had, whoever has them.
  [[nodiscard]] bool current() const;
  [[nodiscard]] const std::string& owner() const { return owner_; }

 private:
  void renew_until_stopped(std::stop_token stopping);
  void renew();
  void count_changes(const std::map<std::string, std::uint64_t>& now) const;

  Store& store_;
  const telemetry::Log& log_;
  const std::string owner_;
  const LeaseNames names_;
  const std::chrono::milliseconds time_to_live_;
  telemetry::Instruments* const instruments_;  ///< may be absent
  const Clock& clock_;
  mutable std::mutex mutex_;
  std::map<std::string, std::uint64_t> held_;
  std::chrono::steady_clock::time_point valid_until_{};
  std::condition_variable_any wake_;
  std::jthread thread_;
};

}  // namespace quadrille::runtime
