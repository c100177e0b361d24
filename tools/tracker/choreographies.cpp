#include "tracker/choreographies.hpp"

#include "core/timestamp.hpp"
#include "deploy/registry.hpp"

namespace quadrille::tracker {

Choreography::Choreography(checker::Contracts joined)
    : contracts(std::move(joined)),
      graph(contracts.reading().model),
      sagas(checker::sagas(graph)),
      declared(graph, sagas) {}

bool Choreographies::learn(const v1::Registration& registration) {
  auto& versions = known_[registration.participant()];
  const auto renewed = [](const v1::Registration& one) { return to_time(one.renewed_at()); };
  const auto [entry, is_new] = versions.try_emplace(registration.fingerprint(), registration);
  if (!is_new && renewed(entry->second) < renewed(registration)) entry->second = registration;
  auto& newest = newest_[registration.participant()];
  const auto before = newest;
  if (newest.empty() || renewed(versions.at(newest)) < renewed(registration)) newest = registration.fingerprint();
  return is_new || newest != before;
}

std::shared_ptr<const Choreography> Choreographies::of(const std::map<std::string, std::string>& spoken) {
  if (known_.empty()) return nullptr;
  std::map<std::string, std::string> chosen;
  std::string key;
  for (const auto& [participant, versions] : known_) {
    const auto said = spoken.find(participant);
    const bool known = said != spoken.end() && versions.contains(said->second);
    chosen[participant] = known ? said->second : newest_.at(participant);
    key += participant + "." + chosen[participant] + " ";
  }
  auto& joined = joined_[key];
  if (!joined) {
    std::vector<v1::Registration> registrations;
    for (const auto& [participant, fingerprint] : chosen)
      registrations.push_back(known_.at(participant).at(fingerprint));
    auto choreography = std::make_shared<Choreography>(
        checker::Contracts(deploy::newest_contracts(registrations), "the registry of contracts"));
    choreography->fingerprints = chosen;
    joined = std::move(choreography);
  }
  return joined;
}

}  // namespace quadrille::tracker
