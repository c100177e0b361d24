#include "rerun/arrivals.hpp"

#include "casefile/case_events.hpp"

#include <algorithm>

namespace quadrille::rerun {

Arrivals::Arrivals(const runtime::Part& part, const casefile::v1::Case& one, const casefile::v1::Variation& deliveries)
    : part_(part) {
  std::vector<const Event*> own;
  for (const auto& recorded : one.event()) {
    const auto& event = events_.emplace(recorded.id(), casefile::to_event(recorded)).first->second;
    if (is_own(event)) own.push_back(&event);
  }
  std::ranges::stable_sort(own, {}, &Event::version);
  std::map<Saying, int> count;
  for (const auto* event : own) ordinal_.try_emplace(event->id, ++count[{event->type, event->stream}]);
  std::set<std::string> known;
  for (const auto& hearing : deliveries.hears())
    if (const auto event = events_.find(hearing.event_id());
        event != events_.end() && known.insert(event->first).second)
      in_order_[event->second.stream].push_back(event->first);
  for (auto& [stream, ids] : in_order_)
    std::ranges::stable_sort(ids, {}, [&](const std::string& id) { return events_.at(id).version; });
}

bool Arrivals::is_own(const Event& event) const {
  return event.source == part_.name() && event.stream.category == part_.declared().aggregate;
}

std::optional<std::pair<Arrivals::Saying, int>> Arrivals::follows_from(const std::string& event_id) const {
  std::set<std::string> seen;  // a circle of causes is broken data, and no reason to go round for ever
  for (auto event = events_.find(event_id); event != events_.end() && seen.insert(event->first).second;
       event = events_.find(event->second.causation_id))
    if (is_own(event->second)) return {{{event->second.type, event->second.stream}, ordinal_.at(event->first)}};
  return std::nullopt;
}

bool Arrivals::has_happened(const std::string& event_id) const {
  const auto cause = follows_from(event_id);
  if (!cause) return true;
  const auto said = said_.find(cause->first);
  return said != said_.end() && said->second >= cause->second;
}

void Arrivals::deliver(const std::string& event_id) {
  if (events_.contains(event_id) && claimed_.insert(event_id).second) waiting_.push_back(event_id);
}

void Arrivals::said(const Event& event) { ++said_[{event.type, event.stream}]; }

std::optional<std::string> Arrivals::next() {
  const auto found = std::ranges::find_if(waiting_, [&](const std::string& id) {
    return in_order_.at(events_.at(id).stream).front() == id && has_happened(id);
  });
  if (found == waiting_.end()) return std::nullopt;
  auto id = *found;
  waiting_.erase(found);
  in_order_.at(events_.at(id).stream).pop_front();
  return id;
}

}  // namespace quadrille::rerun
