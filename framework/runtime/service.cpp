#include "runtime/service.hpp"

#include "contract/topology.hpp"

namespace quadrille::runtime {

Service::Service(const Part& part, const Edge& edge, Store& store, OutboxSource& source, Broker& broker,
                 const Clock& clock, const telemetry::Log& log, telemetry::Instruments& instruments, Stopper& stopper,
                 const Settings& settings)
    : settings_(settings), metered_(broker, instruments.metrics) {
  auto topology = contract::topology_of(part.declared());
  topology.replicas = settings.replicas;
  broker.ensure(topology);
  loops_.emplace(
      part, Loops::Ports{store, source, broker, metered_, clock}, log, instruments, stopper,
      Loops::Settings{.instance = settings.instance,
                      .lease_time = settings.lease_time,
                      .stop_timeout = settings.stop_timeout,
                      .retry = {.max_attempts = settings.max_attempts, .backoff = {.first = settings.first_retry}},
                      .batch = settings.batch});
  registrar_.emplace(part, broker, log, settings.instance);
  edge_.emplace(part, edge, store, loops_->relay(), clock, log, instruments.metrics,
                EdgeService::Settings{.limits = {.max_message_bytes = broker.max_message_bytes()}});
  vitals_.emplace(store, broker, loops_->leases(), instruments);
  control_.emplace(part, store, source, broker, loops_->leases(), *vitals_, clock, log,
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
  loops_.reset();
}

}  // namespace quadrille::runtime
