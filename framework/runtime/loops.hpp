#pragma once

#include "core/broker.hpp"
#include "core/clock.hpp"
#include "core/outbox_source.hpp"
#include "core/store.hpp"
#include "runtime/dispatcher.hpp"
#include "runtime/drive.hpp"
#include "runtime/lease_keeper.hpp"
#include "runtime/part.hpp"
#include "runtime/relay.hpp"
#include "runtime/retry_policy.hpp"
#include "runtime/sweeper.hpp"
#include "telemetry/instruments.hpp"
#include "telemetry/log.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

namespace quadrille::runtime {

/// What one instance of a participant does without being asked: leases, relay, dispatcher, sweeper. With threads they
/// work from construction to destruction, which lets them finish what is in hand, drains the outbox and gives the
/// leases back. With steps, destruction is the end of a process that was killed.
class Loops {
 public:
  struct Settings {
    std::string instance;
    std::chrono::milliseconds lease_time{10'000};
    std::chrono::milliseconds stop_timeout{10'000};  ///< for draining the outbox at the end
    RetryPolicy retry;
    std::size_t batch = 100;
    std::chrono::milliseconds poll{200};  ///< longest wait for a delivery, and between looks at what is due
    Drive drive = Drive::threads;
  };
  struct Ports {
    Store& store;
    OutboxSource& source;
    Broker& broker;    ///< the dispatcher's
    Broker& measured;  ///< the relay's
    const Clock& clock;
  };

  /// Everything it is given outlives it.
  Loops(const Part& part, const Ports& ports, const telemetry::Log& log, telemetry::Instruments& instruments,
        Stopper& stopper, const Settings& settings);
  ~Loops();

  [[nodiscard]] LeaseKeeper& leases() { return *leases_; }
  [[nodiscard]] Relay& relay() { return *relay_; }
  [[nodiscard]] Dispatcher& dispatcher() { return *dispatcher_; }
  [[nodiscard]] Sweeper& sweeper() { return *sweeper_; }

 private:
  const telemetry::Log& log_;
  const Settings settings_;
  std::optional<LeaseKeeper> leases_;
  std::optional<Relay> relay_;
  std::optional<Dispatcher> dispatcher_;
  std::optional<Sweeper> sweeper_;
};

}  // namespace quadrille::runtime
