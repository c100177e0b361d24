#pragma once

#include "core/clock.hpp"
#include "jetstream/jetstream_broker.hpp"
#include "path/participants.hpp"
#include "path/stand.hpp"
#include "postgres/postgres_store.hpp"
#include "runtime/lease_keeper.hpp"
#include "runtime/part.hpp"
#include "runtime/relay.hpp"
#include "telemetry/instruments.hpp"
#include "telemetry/log.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace quadrille::bench {

/// Stops nothing: a measurement that fails says so.
class Failing final : public runtime::Stopper {
 public:
  void stop_because(const std::string& reason) override;
};

/// Begins sagas, in this process: as the participant opener would, or past its database straight at the broker.
/// Used by one thread.
class SagaLoad {
 public:
  explicit SagaLoad(Stand& stand);
  ~SagaLoad();

  /// Records that many beginnings in one transaction; answers their keys. Nothing is published before relay().
  std::vector<std::string> record(std::size_t sagas);
  /// The same, each transaction waking the relay after its commit.
  std::string begin();
  /// Starts to publish, by polling or by tailing the log as the stand is meant to.
  void start_relay();
  void stop_relay();
  /// Events not published yet.
  [[nodiscard]] std::size_t pending();
  /// Publishes beginnings that no database knows. Throws std::runtime_error when the broker does not take them.
  void publish(std::size_t sagas);
  [[nodiscard]] Store& store() { return *store_; }
  [[nodiscard]] Broker& broker() { return *broker_; }
  [[nodiscard]] const runtime::Part& part() const { return part_; }
  /// What a beginning looks like on the wire.
  [[nodiscard]] Message message() const;

 private:
  std::vector<std::string> record(Transaction& transaction, std::size_t sagas);

  Stand& stand_;
  Opener participant_;
  runtime::Part part_;
  SystemClock clock_;
  Failing stopper_;
  telemetry::Log log_;
  postgres::PostgresSettings database_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<Broker> broker_;
  std::unique_ptr<OutboxSource> source_;
  std::optional<runtime::LeaseKeeper> leases_;
  std::optional<runtime::Relay> relay_;
};

}  // namespace quadrille::bench
