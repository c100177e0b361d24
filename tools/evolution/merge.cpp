#include "evolution/evolution.hpp"

#include <algorithm>

namespace quadrille::evolution {
namespace {

/// Those of `now`, and those of `before` whose names are not among them; by name.
template <class Named>
std::vector<Named> replaced(const std::vector<Named>& before, const std::vector<Named>& now) {
  auto all = now;
  for (const auto& old : before)
    if (std::ranges::find(now, old.name, &Named::name) == now.end()) all.push_back(old);
  std::ranges::stable_sort(all, {}, &Named::name);
  return all;
}

}  // namespace

contract::Model merge(const contract::Model& deployed, const contract::Model& candidate) {
  contract::Model merged;
  merged.participants = replaced(deployed.participants, candidate.participants);
  merged.sagas = replaced(deployed.sagas, candidate.sagas);
  merged.streams = replaced(deployed.streams, candidate.streams);
  merged.events = candidate.events;
  merged.events.insert(deployed.events.begin(), deployed.events.end());
  return merged;
}

}  // namespace quadrille::evolution
