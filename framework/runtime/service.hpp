#pragma once

#include "core/broker.hpp"
#include "core/clock.hpp"
#include "core/store.hpp"
#include "http/http_server.hpp"
#include "quadrille/edge.hpp"
#include "runtime/control.hpp"
#include "runtime/edge_service.hpp"
#include "runtime/loops.hpp"
#include "runtime/metered_broker.hpp"
#include "runtime/part.hpp"
#include "runtime/registrar.hpp"
#include "runtime/settings.hpp"
#include "runtime/vitals.hpp"
#include "telemetry/instruments.hpp"
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
          const telemetry::Log& log, telemetry::Instruments& instruments, Stopper& stopper, const Settings& settings);
  ~Service();

  /// Where the edge listens; 0 where there is none.
  [[nodiscard]] int http_port() const { return http_port_; }
  /// Where /live, /ready and /metrics are: beside the edge, or on a server of their own.
  [[nodiscard]] int metrics_port() const { return metrics_port_; }

 private:
  void open_servers();

  const Settings settings_;
  MeteredBroker metered_;
  std::optional<Loops> loops_;
  std::optional<Registrar> registrar_;
  std::optional<EdgeService> edge_;
  std::optional<Vitals> vitals_;
  std::optional<Control> control_;
  std::optional<http::HttpServer> http_;
  std::optional<http::HttpServer> metrics_;
  int http_port_ = 0;
  int metrics_port_ = 0;
};

}  // namespace quadrille::runtime
