#pragma once

#include "core/backoff.hpp"
#include "core/broker.hpp"
#include "core/outbox_source.hpp"
#include "core/store.hpp"
#include "runtime/drive.hpp"
#include "runtime/lease_keeper.hpp"
#include "telemetry/log.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace quadrille::runtime {

/// What the process does when something can only be mended by a person.
class Stopper {
 public:
  virtual ~Stopper() = default;
  virtual void stop_because(const std::string& reason) = 0;
};

/// Outbox -> broker, whatever the source: publishes, waits for the broker's answers, and only then removes. A crash in
/// between gives a duplicate, never a loss. One active relay a participant, by lease; removal is fenced by its epoch.
/// Within a stream the next event is sent only when the one before it is stored.
class Relay {
 public:
  static constexpr const char* lease_name = "relay";

  struct Settings {
    std::size_t batch = 500;
    std::chrono::milliseconds slow_poll{1000};  ///< the safety net when no bell rings
    Backoff backoff{std::chrono::milliseconds(100), std::chrono::seconds(10)};
    std::function<void()> beat = [] {};  ///< called each time round
    Drive drive = Drive::threads;
  };

  /// Everything it is given outlives it.
  Relay(Store& store, OutboxSource& source, Broker& broker, const LeaseKeeper& leases, const telemetry::Log& log,
        Stopper& stopper, Settings settings);
  ~Relay();

  /// Goes round once; how long to wait before the next time, unless it is woken. Nothing once it has stopped for good.
  std::optional<std::chrono::milliseconds> step();
  /// The outbox has grown by a commit of this process. Wakes this relay, or the one of another process.
  void wake();
  /// The end of its work: publishes what is committed until the outbox is empty, at most this long. True when it is.
  bool drain(std::chrono::milliseconds longest);

 private:
  void ring();
  void end_work();
  void run(const std::stop_token& stopping);
  void listen(const std::stop_token& stopping);
  /// True when the source has more at once, or what the broker did not take may be asked of it again at once; of what
  /// comes later it rings, or somebody does.
  [[nodiscard]] bool pass(OutboxSource& source);
  [[nodiscard]] bool remove(std::span<const std::uint64_t> positions, const Lease& lease);
  [[nodiscard]] std::vector<std::uint64_t> publish(const std::vector<Outbox::Entry>& entries);
  void wait(const std::stop_token& stopping, std::chrono::milliseconds longest);

  Store& store_;
  OutboxSource& source_;
  Broker& broker_;
  const LeaseKeeper& leases_;
  const telemetry::Log& log_;
  Stopper& stopper_;
  const Settings settings_;
  std::mutex mutex_;
  std::condition_variable_any bell_;
  bool rung_ = false;
  // Of the worker, and of drain() after its end.
  std::uint32_t failures_ = 0;
  std::set<std::uint64_t> published_;  ///< not removed yet
  std::jthread listener_;
  std::jthread worker_;
};

}  // namespace quadrille::runtime
