#include "cases/collect.hpp"

#include "archive/writer.hpp"
#include "casefile/case_events.hpp"
#include "cases/frame_cache.hpp"
#include "embedded/child_process.hpp"

#include <algorithm>
#include <map>
#include <optional>
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

/// Whether the events hold every version of their streams, up to the newest among them.
bool is_whole(const std::vector<Event>& events, const std::map<StreamName, std::uint64_t>& streams) {
  return std::ranges::all_of(streams, [&](const auto& stream) {
    return std::ranges::count(events, stream.first, &Event::stream) == static_cast<std::ptrdiff_t>(stream.second);
  });
}

/// The events once each, and what `history` has of their streams from before.
Case with_history(const std::string& saga_id, std::vector<Event> found,
                  const std::function<std::vector<Event>(const StreamName&)>& history) {
  std::unordered_set<std::string> seen;
  std::erase_if(found, [&](const Event& event) { return !seen.insert(event.id).second; });
  const auto streams = reach(found);
  if (!is_whole(found, streams))
    for (const auto& [stream, newest] : streams)
      for (auto& event : history(stream))
        if (event.version < newest && seen.insert(event.id).second) found.push_back(std::move(event));
  return to_case(saga_id, std::move(found));
}

}  // namespace

Case collect(const traffic::Source& source, const std::string& saga_id) {
  if (!source.archive.empty()) {
    const archive::Archive archive(source.archive);
    return with_history(saga_id, archive.saga(saga_id),
                        [&](const StreamName& stream) { return archive.stream(stream); });
  }
  std::vector<Event> events;
  std::unordered_set<std::string> seen;  // a stream may hold an event twice
  traffic::read(source, [&](const Event& event) {
    if (event.saga_id == saga_id && seen.insert(event.id).second) events.push_back(event);
  });
  const auto streams = reach(events);
  if (!is_whole(events, streams))
    traffic::read(source, [&](const Event& event) {
      const auto stream = streams.find(event.stream);
      if (stream != streams.end() && event.version < stream->second && seen.insert(event.id).second)
        events.push_back(event);
    });
  return to_case(saga_id, std::move(events));
}

void collect_all(traffic::Source source, const archive::Window& began,
                 const std::function<void(const Case&, std::uint64_t sagas)>& take) {
  const embedded::TemporaryFolder folder;
  if (source.archive.empty()) {
    const auto file = folder.path() / "sagas.qarc";
    source.any_order = true;  // a case has its own
    archive::Writer writer(file, {});
    traffic::read(source, [&](const Event& event) { writer.add(event); });
    writer.finish();
    source = {};
    source.archive = file.string();
  }
  const archive::Archive archive(source.archive);
  FrameCache frames(archive);
  for (std::uint32_t number = 0; number < archive.frames(); ++number) {
    std::unordered_set<std::string> met;
    const auto frame = frames.at(number);
    for (const auto& event : frame->events) {
      if (event.saga_id.empty() || !began.has(event.recorded_at) || !met.insert(event.saga_id).second) continue;
      if (frames.first_of(event.saga_id) != number) continue;
      auto events = frames.saga(event.saga_id);
      if (events.front().id != event.id) continue;  // it began outside of the window
      take(with_history(event.saga_id, std::move(events),
                        [&](const StreamName& stream) { return frames.stream(stream); }),
           archive.directory().sagas());
    }
  }
}

std::set<std::string> participants(const Case& one) {
  std::set<std::string> names;
  for (const auto& event : one.event()) names.insert(event.source());
  return names;
}

}  // namespace quadrille::cases
