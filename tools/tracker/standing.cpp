#include "tracker/standing.hpp"

#include <algorithm>
#include <array>

namespace quadrille::tracker {
namespace {

constexpr std::array<std::pair<State, std::string_view>, 5> state_names{{{State::running, "RUNNING"},
                                                                         {State::compensating, "COMPENSATING"},
                                                                         {State::completed, "COMPLETED"},
                                                                         {State::cancelled, "CANCELLED"},
                                                                         {State::stuck, "STUCK"}}};

}  // namespace

std::string_view name_of(State state) {
  return std::ranges::find(state_names, state, &std::pair<State, std::string_view>::first)->second;
}

std::string_view name_of(Pivot pivot) {
  switch (pivot) {
    case Pivot::open:
      return "open";
    case Pivot::passed:
      return "passed";
    case Pivot::refused:
      return "refused";
  }
  return "open";
}

std::optional<State> state_of(std::string_view name) {
  const auto found = std::ranges::find(state_names, name, &std::pair<State, std::string_view>::second);
  if (found == state_names.end()) return std::nullopt;
  return found->first;
}

std::vector<std::string> Standing::owed() const {
  std::vector<std::string> names;
  if (!undoing) return names;
  for (const auto& entry : ledger)
    if (entry.undone_by.empty()) names.push_back(entry.compensation);
  return names;
}

std::map<std::string, std::string> spoken_contracts(const Trail& trail) {
  std::map<std::string, std::pair<TimePoint, std::string>> latest;
  for (const auto& [event, sequence] : trail.events()) {
    if (event.contract.empty() || is_supervision(event)) continue;
    const std::pair said{event.recorded_at, event.contract};
    const auto [entry, is_new] = latest.try_emplace(event.source, said);
    if (!is_new && entry->second < said) entry->second = said;
  }
  std::map<std::string, std::string> spoken;
  for (auto& [participant, said] : latest) spoken[participant] = std::move(said.second);
  return spoken;
}

}  // namespace quadrille::tracker
