#pragma once

#include "contract/topology.hpp"
#include "core/broker.hpp"
#include "core/clock.hpp"
#include "core/store.hpp"
#include "runtime/batch.hpp"
#include "runtime/beginning.hpp"
#include "runtime/drive.hpp"
#include "runtime/event_handler.hpp"
#include "runtime/lease_keeper.hpp"
#include "runtime/part.hpp"
#include "runtime/relay.hpp"
#include "runtime/retry_policy.hpp"
#include "runtime/waiting_room.hpp"
#include "telemetry/instruments.hpp"
#include "telemetry/log.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace quadrille::runtime {

/// `lane-<n>`: the lease on a lane of one participant.
[[nodiscard]] std::string lane_lease(std::uint32_t lane);

/// Broker -> steps -> store: takes a batch of deliveries of the lanes it has the lease of into one transaction,
/// commits, acknowledges. Isolates what throws. Runs in a thread of its own from construction to destruction; the
/// destructor finishes the batch in hand.
class Dispatcher {
 public:
  struct Settings {
    std::size_t batch = 100;
    std::chrono::milliseconds poll{200};  ///< longest wait for a delivery, and between looks into the waiting room
    std::chrono::milliseconds ack_wait = contract::usual_ack_wait;
    Limits limits;
    Drive drive = Drive::threads;
    Backoff backoff{std::chrono::milliseconds(100), std::chrono::seconds(10)};  ///< while the database is away
  };

  Dispatcher(const Part& part, Store& store, Broker& broker, Relay& relay, const LeaseKeeper& leases,
             const RetryPolicy& retry, const Clock& clock, const telemetry::Log& log,
             telemetry::Instruments& instruments, Stopper& stopper, Settings settings);
  ~Dispatcher();

  /// Goes round once; how long to wait before the next time. Nothing once it has stopped for good.
  std::optional<std::chrono::milliseconds> step() { return step({}); }

 private:
  [[nodiscard]] std::optional<std::chrono::milliseconds> step(const std::stop_token& stopping);
  void run(const std::stop_token& stopping);
  void turn(const std::stop_token& stopping);
  /// Listens to the lanes whose leases are held now. True when they are others than before.
  bool follow_leases();
  /// Shows how many messages wait at the broker.
  void show_pending(const std::vector<Delivery>& deliveries);
  void handle(std::vector<Delivery> deliveries, const std::stop_token& stopping);
  /// Leaves those of our lanes.
  void give_back_what_is_others(std::vector<Delivery>& deliveries);
  /// True when the batch is committed; false when it has to be run again.
  [[nodiscard]] bool attempt(Batch& batch);
  void work_off_waiting_room();
  void pause(std::chrono::milliseconds length, const std::vector<Delivery>& in_hand, const std::stop_token& stopping);

  const Part& part_;
  Store& store_;
  Relay& relay_;
  const LeaseKeeper& leases_;
  const RetryPolicy& retry_;
  const Clock& clock_;
  const telemetry::Log& log_;
  telemetry::Instruments& instruments_;
  Stopper& stopper_;
  const Settings settings_;
  EventHandler handler_;
  Beginning beginning_;
  WaitingRoom waiting_room_;
  std::unique_ptr<Receiver> receiver_;
  std::vector<Lease> lanes_;
  std::map<std::string, std::map<std::string, std::uint64_t>> pending_;  ///< by context and durable, of our lanes
  bool somebody_waits_ = true;  ///< the waiting room may have something to handle
  std::chrono::steady_clock::time_point next_look_{};
  std::uint32_t failures_ = 0;
  std::jthread thread_;
};

}  // namespace quadrille::runtime
