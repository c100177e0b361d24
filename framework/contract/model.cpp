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

const Field* EventType::find_field(std::string_view field) const {
  const auto found = std::ranges::find(fields, field, &Field::name);
  return found == fields.end() ? nullptr : &*found;
}

std::string EventType::subject_pattern() const {
  if (subject.empty()) return "evt.*." + context + "." + aggregate + "." + short_name;
  std::string pattern;
  for (std::size_t at = 0; at < subject.size();) {
    const auto end = subject[at] == '{' ? subject.find('}', at) : std::string::npos;
    if (end == std::string::npos) {
      pattern += subject[at++];
      continue;
    }
    pattern += subject.substr(at, end - at + 1) == "{Event}" ? short_name : "*";
    at = end + 1;
  }
  return pattern;
}

const Step* Participant::find_step(std::string_view step_name) const {
  const auto found = std::ranges::find(steps, step_name, &Step::name);
  return found == steps.end() ? nullptr : &*found;
}

const OrchestratedStep* Orchestration::find_step(std::string_view step_name) const {
  const auto found = std::ranges::find(steps, step_name, &OrchestratedStep::name);
  return found == steps.end() ? nullptr : &*found;
}

const Participant* Model::find_participant(std::string_view name) const {
  const auto found = std::ranges::lower_bound(participants, name, {}, &Participant::name);
  return found == participants.end() || found->name != name ? nullptr : &*found;
}

const EventType* Model::find_event(std::string_view name) const {
  const auto found = events.find(std::string(name));
  return found == events.end() ? nullptr : &found->second;
}

const Saga* Model::find_saga(std::string_view name) const {
  const auto found = std::ranges::lower_bound(sagas, name, {}, &Saga::name);
  return found == sagas.end() || found->name != name ? nullptr : &*found;
}

}  // namespace quadrille::contract
