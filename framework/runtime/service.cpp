#include "runtime/service.hpp"

#include "contract/topology.hpp"
#include "core/subject.hpp"
#include "core/uuid.hpp"

#include <cstdint>

namespace quadrille::runtime {
namespace {

/// Unique to this process: a restarted instance of the same name must not share an epoch with a frozen one.
std::string lease_owner(const Settings& settings) { return settings.instance + "/" + new_uuid().substr(0, 8); }

std::vector<std::string> lease_names() {
  std::vector<std::string> names{Relay::lease_name};
  for (std::uint32_t lane = 0; lane < lane_count; ++lane) names.push_back(lane_lease(lane));
  return names;
}

}  // namespace

Service::Service(const Part& part, const Edge& edge, Store& store, OutboxSource& source, Broker& broker,
                 const Clock& clock, const telemetry::Log& log, Stopper& stopper, const Settings& settings)
    : log_(log),
      settings_(settings),
      retry_{.max_attempts = settings.max_attempts, .backoff = {.first = settings.first_retry}} {
  const Limits limits{.max_message_bytes = broker.max_message_bytes()};
  Dispatcher::Settings dispatching{.batch = settings.batch, .limits = limits};
  broker.ensure(contract::topology_of(part.declared()));
  leases_.emplace(store, log, lease_owner(settings), lease_names(), settings.lease_time);
  relay_.emplace(store, source, broker, *leases_, log, stopper, Relay::Settings{});
  dispatcher_.emplace(part, store, broker, *relay_, *leases_, retry_, clock, log, stopper, dispatching);
  sweeper_.emplace(part, store, *relay_, clock, log, stopper,
                   Sweeper::Settings{.limits = limits, .backoff = retry_.backoff});
  edge_.emplace(part, edge, store, broker, *relay_, clock, log, EdgeService::Settings{.limits = limits});
  if (!settings.http.empty()) {
    http_.emplace();
    edge_->serve(*http_);
    http_port_ = http_->start(settings.http);
  }
}

Service::~Service() {
  http_.reset();
  sweeper_.reset();
  dispatcher_.reset();
  if (!relay_->drain(settings_.stop_timeout))
    log_.warn("stopped with events in the outbox; the next instance publishes them");
  relay_.reset();
  leases_.reset();
}

}  // namespace quadrille::runtime
