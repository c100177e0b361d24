#pragma once

#include "core/broker.hpp"
#include "core/clock.hpp"
#include "core/store.hpp"
#include "http/http_server.hpp"
#include "quadrille/edge.hpp"
#include "runtime/dispatcher.hpp"
#include "runtime/edge_service.hpp"
#include "runtime/lease_keeper.hpp"
#include "runtime/part.hpp"
#include "runtime/relay.hpp"
#include "runtime/retry_policy.hpp"
#include "runtime/settings.hpp"
#include "runtime/sweeper.hpp"
#include "telemetry/log.hpp"

#include <memory>
#include <optional>
#include <string>

namespace quadrille::runtime {

/// One running instance of a participant over its ports: leases, relay, dispatcher, sweeper, edge. Everything works
/// from construction to destruction. The destructor ends in the order of framework/DESIGN.md "Stopping": no more
/// requests, no more deliveries and timers, then the outbox is drained, then the leases are given back.
class Service {
 public:
  Service(const Part& part, const Edge& edge, Store& store, OutboxSource& source, Broker& broker, const Clock& clock,
          const telemetry::Log& log, Stopper& stopper, const Settings& settings);
  ~Service();

  /// Where the edge listens; 0 where there is none.
  [[nodiscard]] int http_port() const { return http_port_; }

 private:
  const telemetry::Log& log_;
  const Settings settings_;
  const RetryPolicy retry_;
  std::optional<LeaseKeeper> leases_;
  std::optional<Relay> relay_;
  std::optional<Dispatcher> dispatcher_;
  std::optional<Sweeper> sweeper_;
  std::optional<EdgeService> edge_;
  std::optional<http::HttpServer> http_;
  int http_port_ = 0;
};

}  // namespace quadrille::runtime
