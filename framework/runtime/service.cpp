#include "runtime/service.hpp"

#include "contract/topology.hpp"
#include "core/subject.hpp"
#include "core/uuid.hpp"

#include <cstdint>

namespace quadrille::runtime {
namespace {

/// Unique to this process: a restarted instance of the same name must not share an epoch with a frozen one.
std::string lease_owner(const Settings& settings) { return settings.instance + "/" + new_uuid().substr(0, 8); }

std::vector<std::string> lane_leases() {
  std::vector<std::string> names;
  for (std::uint32_t lane = 0; lane < lane_count; ++lane) names.push_back(lane_lease(lane));
  return names;
}

}  // namespace

Service::Service(const Part& part, const Edge& edge, Store& store, OutboxSource& source, Broker& broker,
                 const Clock& clock, const telemetry::Log& log, telemetry::Instruments& instruments, Stopper& stopper,
                 const Settings& settings)
    : log_(log),
      settings_(settings),
      retry_{.max_attempts = settings.max_attempts, .backoff = {.first = settings.first_retry}},
      metered_(broker, instruments.metrics) {
  const Limits limits{.max_message_bytes = broker.max_message_bytes()};
  Dispatcher::Settings dispatching{.batch = settings.batch, .limits = limits};
  auto topology = contract::topology_of(part.declared());
  topology.replicas = settings.replicas;
  broker.ensure(topology);
  leases_.emplace(store, log, lease_owner(settings), std::vector<std::string>{Relay::lease_name}, settings.lease_time,
                  &instruments, lane_leases());
  relay_.emplace(store, source, metered_, *leases_, log, stopper,
                 Relay::Settings{.beat = [&instruments] { instruments.heartbeats.beat(telemetry::Loop::relay); }});
  dispatcher_.emplace(part, store, broker, *relay_, *leases_, retry_, clock, log, instruments, stopper, dispatching);
  sweeper_.emplace(part, store, *relay_, clock, log, instruments, stopper,
                   Sweeper::Settings{.limits = limits,
                                     .backoff = retry_.backoff,
                                     .max_attempts = settings.max_attempts,
                                     .log_kept = [&source] { return source.lag_bytes(); }});
  registrar_.emplace(part, broker, log, settings.instance);
  edge_.emplace(part, edge, store, *relay_, clock, log, instruments.metrics, EdgeService::Settings{.limits = limits});
  vitals_.emplace(store, broker, *leases_, instruments);
  control_.emplace(part, store, source, broker, *leases_, *vitals_, clock, log,
                   Control::Instance{settings.instance, settings.relay});
  open_servers();
}

void Service::open_servers() {
  if (!settings_.http.empty()) {
    http_.emplace();
    edge_->serve(*http_);
    vitals_->serve(*http_);
    metrics_port_ = http_port_ = http_->start(settings_.http, "http");
    if (settings_.metrics_listen.empty()) return;
  }
  metrics_.emplace();
  vitals_->serve(*metrics_);
  const auto address = settings_.metrics_listen.empty() ? "127.0.0.1:0" : settings_.metrics_listen;
  metrics_port_ = metrics_->start(address, "metrics_listen");
}

Service::~Service() {
  http_.reset();
  metrics_.reset();
  control_.reset();
  registrar_.reset();
  sweeper_.reset();
  dispatcher_.reset();
  if (!relay_->drain(settings_.stop_timeout))
    log_.warn("stopped with events in the outbox; the next instance publishes them");
  relay_.reset();
  leases_.reset();
}

}  // namespace quadrille::runtime
