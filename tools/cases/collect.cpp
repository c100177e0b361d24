#include "cases/collect.hpp"

#include "casefile/case_events.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace quadrille::cases {
namespace {

using casefile::v1::Case;

/// The newest version of each stream that the saga recorded.
std::map<StreamName, std::uint64_t> reach(const std::vector<Event>& events) {
  std::map<StreamName, std::uint64_t> reach;
  for (const auto& event : events) {
    auto& newest = reach[event.stream];
    newest = std::max(newest, event.version);
  }
  return reach;
}

Case to_case(const std::string& saga_id, std::vector<Event> events) {
  std::ranges::stable_sort(events, {}, &Event::recorded_at);
  Case one;
  one.mutable_header()->set_saga_id(saga_id);
  for (const auto& event : events) *one.add_event() = casefile::to_recorded(event);
  return one;
}

}  // namespace

Case collect(const traffic::Source& source, const std::string& saga_id) {
  std::vector<Event> events;
  std::unordered_set<std::string> seen;  // a stream may hold an event twice
  traffic::read(source, [&](const Event& event) {
    if (event.saga_id == saga_id && seen.insert(event.id).second) events.push_back(event);
  });
  const auto streams = reach(events);
  const bool whole = std::ranges::all_of(streams, [&](const auto& stream) {
    return std::ranges::count(events, stream.first, &Event::stream) == static_cast<std::ptrdiff_t>(stream.second);
  });
  if (!whole)
    traffic::read(source, [&](const Event& event) {
      const auto stream = streams.find(event.stream);
      if (stream != streams.end() && event.version < stream->second && seen.insert(event.id).second)
        events.push_back(event);
    });
  return to_case(saga_id, std::move(events));
}

void collect_all(const traffic::Source& source, const std::function<void(const Case&)>& take) {
  std::unordered_set<std::string> seen;
  std::vector<std::string> sagas;
  std::unordered_map<std::string, std::vector<Event>> by_saga;
  std::map<StreamName, std::vector<std::pair<std::uint64_t, std::string>>> sagas_of;
  traffic::read(source, [&](const Event& event) {
    if (event.saga_id.empty() || !seen.insert(event.id).second) return;
    auto& events = by_saga[event.saga_id];
    if (events.empty()) sagas.push_back(event.saga_id);
    sagas_of[event.stream].emplace_back(event.version, event.saga_id);
    events.push_back(event);
  });
  for (const auto& saga : sagas) {
    auto events = by_saga.at(saga);
    std::set<std::string> others;
    const auto streams = reach(events);
    for (const auto& [stream, newest] : streams)
      for (const auto& [version, other] : sagas_of.at(stream))
        if (other != saga && version < newest) others.insert(other);
    for (const auto& other : others)
      for (const auto& event : by_saga.at(other))
        if (const auto stream = streams.find(event.stream); stream != streams.end() && event.version < stream->second)
          events.push_back(event);
    take(to_case(saga, std::move(events)));
  }
}

std::set<std::string> participants(const Case& one) {
  std::set<std::string> names;
  for (const auto& event : one.event()) names.insert(event.source());
  return names;
}

}  // namespace quadrille::cases
