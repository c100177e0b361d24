#include "runtime/loops.hpp"

#include "core/subject.hpp"
#include "core/uuid.hpp"

#include <cstdint>
#include <vector>

namespace quadrille::runtime {
namespace {

/// Unique to this process: a restarted instance of the same name must not share an epoch with a frozen one.
std::string lease_owner(const std::string& instance) { return instance + "/" + new_uuid().substr(0, 8); }

std::vector<std::string> lane_leases() {
  std::vector<std::string> names;
  for (std::uint32_t lane = 0; lane < lane_count; ++lane) names.push_back(lane_lease(lane));
  return names;
}

}  // namespace

Loops::Loops(const Part& part, const Ports& ports, const telemetry::Log& log, telemetry::Instruments& instruments,
             Stopper& stopper, const Settings& settings)
    : log_(log), settings_(settings) {
  const auto& [store, source, broker, measured, clock] = ports;
  const Limits limits{.max_message_bytes = broker.max_message_bytes()};
  leases_.emplace(store, log, lease_owner(settings_.instance), std::vector<std::string>{Relay::lease_name},
                  settings_.lease_time, &instruments, lane_leases(), settings_.drive, clock);
  relay_.emplace(store, source, measured, *leases_, log, stopper,
                 Relay::Settings{.beat = [&instruments] { instruments.heartbeats.beat(telemetry::Loop::relay); },
                                 .drive = settings_.drive});
  dispatcher_.emplace(
      part, store, broker, *relay_, *leases_, settings_.retry, clock, log, instruments, stopper,
      Dispatcher::Settings{
          .batch = settings_.batch, .poll = settings_.poll, .limits = limits, .drive = settings_.drive});
  sweeper_.emplace(part, store, *relay_, clock, log, instruments, stopper,
                   Sweeper::Settings{.drive = settings_.drive,
                                     .limits = limits,
                                     .backoff = settings_.retry.backoff,
                                     .max_attempts = settings_.retry.max_attempts,
                                     .log_kept = [&source = source] { return source.lag_bytes(); }});
}

Loops::~Loops() {
  sweeper_.reset();
  dispatcher_.reset();
  if (settings_.drive == Drive::threads && !relay_->drain(settings_.stop_timeout))
    log_.warn("stopped with events in the outbox; the next instance publishes them");
  relay_.reset();
  leases_.reset();
}

}  // namespace quadrille::runtime
