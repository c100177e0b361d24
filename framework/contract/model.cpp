#include "contract/model.hpp"

#include <algorithm>
#include <set>

namespace quadrille::contract {

std::vector<std::string> Step::emits() const {
  std::vector<std::string> events;
  std::set<std::string> seen;
  for (const auto& group : outcomes)
    for (const auto& event : group.events)
      if (seen.insert(event).second) events.push_back(event);
  return events;
}

const Step* Participant::find_step(std::string_view step_name) const {
  const auto found = std::ranges::find(steps, step_name, &Step::name);
  return found == steps.end() ? nullptr : &*found;
}

const Participant* Model::find_participant(std::string_view name) const {
  const auto found = std::ranges::find(participants, name, &Participant::name);
  return found == participants.end() ? nullptr : &*found;
}

const EventType* Model::find_event(std::string_view name) const {
  const auto found = events.find(std::string(name));
  return found == events.end() ? nullptr : &found->second;
}

}  // namespace quadrille::contract
