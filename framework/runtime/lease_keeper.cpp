#include "runtime/lease_keeper.hpp"

#include "quadrille/error.hpp"
#include "runtime/fault_point.hpp"

#include <cstdint>
#include <utility>

namespace quadrille::runtime {

LeaseKeeper::LeaseKeeper(Store& store, const telemetry::Log& log, std::string owner, std::vector<std::string> names,
                         std::chrono::milliseconds time_to_live, telemetry::Instruments* instruments,
                         std::vector<std::string> shared, Drive drive, const Clock& clock)
    : store_(store),
      log_(log),
      owner_(std::move(owner)),
      names_{std::move(names), std::move(shared)},
      time_to_live_(time_to_live),
      instruments_(instruments),
      clock_(clock) {
  if (drive == Drive::threads)
    thread_ = std::jthread([this](std::stop_token stopping) { renew_until_stopped(std::move(stopping)); });
}

LeaseKeeper::~LeaseKeeper() {
  if (!thread_.joinable()) return;
  thread_ = std::jthread();
  try {
    const auto transaction = store_.begin();
    transaction->leases().release(owner_);
    transaction->commit();
  } catch (const Error& error) {
    log_.warn(std::string("leases run out by themselves: ") + error.what());
  }
}

std::optional<Lease> LeaseKeeper::held(const std::string& name) const {
  const std::scoped_lock lock(mutex_);
  const auto lease = held_.find(name);
  if (lease == held_.end() || clock_.steady() >= valid_until_) return std::nullopt;
  return Lease{lease->first, lease->second};
}

bool LeaseKeeper::current() const {
  const std::scoped_lock lock(mutex_);
  return clock_.steady() < valid_until_;
}

void LeaseKeeper::renew_until_stopped(std::stop_token stopping) {
  while (!stopping.stop_requested()) {
    const auto pause = step();
    std::unique_lock lock(mutex_);
    wake_.wait_for(lock, stopping, pause, [] { return false; });
  }
}

std::chrono::milliseconds LeaseKeeper::step() {
  if (instruments_ != nullptr) instruments_->heartbeats.beat(telemetry::Loop::leases);
  try {
    renew();
  } catch (const Error& error) {
    log_.warn(std::string("cannot renew leases: ") + error.what());
  }
  return time_to_live_ / 3;
}

void LeaseKeeper::renew() {
  const auto asked_at = clock_.steady();  // before the database's clock starts to count
  auto round = renew_leases(store_, names_, owner_, time_to_live_);
  std::vector<std::string> surplus;
  {
    const std::scoped_lock lock(mutex_);
    if (round.held != held_)
      log_.info("holds " + std::to_string(round.held.size()) + " of " +
                std::to_string(names_.alone.size() + names_.shared.size()) + " leases, one of " +
                std::to_string(round.instances) + (round.instances == 1 ? " instance" : " instances"));
    if (instruments_ != nullptr) count_changes(round.held);
    for (const auto& name : names_.shared)
      if (held_.contains(name) && !round.held.contains(name)) surplus.push_back(name);
    held_ = std::move(round.held);
    valid_until_ = asked_at + time_to_live_;
  }
  if (surplus.empty()) return;
  fault_point(FaultPoint::leases_surplus);
  // Nothing new is begun under them from here on; what is in hand ends first.
  const auto transaction = store_.begin();
  transaction->leases().give_back(surplus, owner_);
  transaction->commit();
}

void LeaseKeeper::count_changes(const std::map<std::string, std::uint64_t>& now) const {
  for (const auto& lease : now)
    if (const auto before = held_.find(lease.first); before == held_.end() || before->second != lease.second)
      instruments_->metrics.add(telemetry::Counter::lease_changes, {"taken"});
  for (const auto& lease : held_)
    if (const auto still = now.find(lease.first); still == now.end() || still->second != lease.second)
      instruments_->metrics.add(telemetry::Counter::lease_changes, {"lost"});
}

}  // namespace quadrille::runtime
