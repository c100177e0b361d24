#include "runtime/lease_round.hpp"

#include <algorithm>

namespace quadrille::runtime {
namespace {

/// Of the lease that says that an instance lives.
const std::string of_instances = "instance/";

}  // namespace

LeaseRound renew_leases(Store& store, const LeaseNames& names, const std::string& owner,
                        std::chrono::milliseconds time_to_live) {
  LeaseRound round;
  const auto transaction = store.begin();
  auto& leases = transaction->leases();
  const auto keep = [&](const std::vector<Lease>& taken) {
    for (const auto& lease : taken) round.held[lease.name] = lease.epoch;
  };
  keep(leases.acquire(names.alone, owner, time_to_live));
  if (!names.shared.empty()) {
    const auto sign_of_life = of_instances + owner;
    static_cast<void>(leases.acquire(std::span(&sign_of_life, 1), owner, time_to_live));
    round.instances = std::max<std::size_t>(1, leases.held(of_instances));
    const auto part = (names.shared.size() + round.instances - 1) / round.instances;
    keep(leases.acquire_some(names.shared, owner, time_to_live, part));
  }
  transaction->commit();
  return round;
}

}  // namespace quadrille::runtime
