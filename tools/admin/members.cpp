#include "admin/members.hpp"

#include "checker/load.hpp"
#include "contract/topology.hpp"
#include "deploy/registry.hpp"

#include <algorithm>

namespace quadrille::admin {

std::vector<Member> members(const jetstream::JetStreamSettings& settings) {
  const auto registrations = deploy::read_registry(settings);
  std::vector<Member> all;
  if (registrations.empty()) return all;
  const checker::Contracts contracts(deploy::newest_contracts(registrations), "the registry");
  for (const auto& participant : contracts.reading().model.participants) {
    const bool registered = std::ranges::any_of(
        registrations, [&](const auto& registration) { return registration.participant() == participant.name; });
    if (registered) all.push_back({participant.name, contract::topology_of(participant).consumers});
  }
  std::ranges::sort(all, {}, &Member::participant);
  return all;
}

}  // namespace quadrille::admin
