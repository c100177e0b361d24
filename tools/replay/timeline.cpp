#include "replay/timeline.hpp"

#include "core/short_name.hpp"
#include "core/time_text.hpp"
#include "replay/decode.hpp"
#include "terminal/table.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <set>
#include <tuple>

namespace quadrille::replay {
namespace {

/// Stable topological order: the earliest event whose cause and older versions have been told comes next.
std::vector<Event> in_causal_order(std::vector<Event> events) {
  std::ranges::stable_sort(events, {}, [](const Event& event) {
    return std::tuple(event.recorded_at, event.hops, event.stream, event.version);
  });
  std::set<std::string> missing;
  for (const auto& event : events) missing.insert(event.id);
  std::vector<Event> ordered;
  while (!events.empty()) {
    auto next = std::ranges::find_if(events, [&](const Event& event) { return !missing.contains(event.causation_id); });
    if (next == events.end()) next = events.begin();  // a circle of causes: broken data is shown, not hidden
    missing.erase(next->id);
    ordered.push_back(std::move(*next));
    events.erase(next);
  }
  return ordered;
}

std::string label(const Event& event) {
  return short_name(event.type) + " " + event.stream.category + "@" + std::to_string(event.version);
}

/// 1.234 s, 12.3 ms
std::string span_text(std::chrono::microseconds span) {
  std::array<char, 32> text{};
  const double micros = static_cast<double>(span.count());
  if (micros >= 1e6)
    std::snprintf(text.data(), text.size(), "%.3f s", micros / 1e6);
  else
    std::snprintf(text.data(), text.size(), "%.1f ms", micros / 1e3);
  return text.data();
}

}  // namespace

Entry Story::add(Event event) {
  labels_[event.id] = label(event);
  Entry entry;
  if (start_) {
    entry.since_start = event.recorded_at - *start_;
    entry.since_before = event.recorded_at - before_;
  } else {
    start_ = event.recorded_at;
  }
  before_ = event.recorded_at;
  const auto cause = labels_.find(event.causation_id);
  entry.cause = event.causation_id.empty() ? "-" : cause == labels_.end() ? event.causation_id : cause->second;
  entry.event = std::move(event);
  return entry;
}

std::vector<Entry> timeline(std::vector<Event> events) {
  Story story;
  std::vector<Entry> entries;
  for (auto& event : in_causal_order(std::move(events))) entries.push_back(story.add(std::move(event)));
  return entries;
}

std::string as_line(const Entry& entry) {
  constexpr std::array<std::size_t, 5> widths{15, 11, 12, 24, 28};
  const std::array<std::string, 5> cells{to_rfc3339(entry.event.recorded_at).substr(11, 15),
                                         (entry.since_before.count() < 0 ? "" : "+") + span_text(entry.since_before),
                                         entry.event.source, short_name(entry.event.type),
                                         entry.event.stream.text() + "@" + std::to_string(entry.event.version)};
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    line += cells[i];
    line.append(widths[i] > cells[i].size() ? widths[i] - cells[i].size() + 2 : 2, ' ');
  }
  // A row of a table alone: nothing in it can steer a terminal.
  auto safe = terminal::table({{line + entry.cause}});
  if (safe.ends_with('\n')) safe.pop_back();
  return safe;
}

std::string as_text(const std::vector<Entry>& entries) {
  std::vector<std::vector<std::string>> rows{
      {"TIME (UTC)", "DELTA", "PARTICIPANT", "EVENT", "STREAM", "VERSION", "CAUSE"}};
  for (const auto& entry : entries)
    rows.push_back({to_rfc3339(entry.event.recorded_at).substr(11, 15), "+" + span_text(entry.since_before),
                    entry.event.source, short_name(entry.event.type), entry.event.stream.text(),
                    std::to_string(entry.event.version), entry.cause});
  return terminal::table(rows);
}

nlohmann::ordered_json as_json(const std::vector<Entry>& entries) {
  auto result = nlohmann::ordered_json::array();
  for (const auto& entry : entries)
    result.push_back({{"time", to_rfc3339(entry.event.recorded_at)},
                      {"since_start_us", entry.since_start.count()},
                      {"participant", entry.event.source},
                      {"event", entry.event.type},
                      {"id", entry.event.id},
                      {"stream", entry.event.stream.text()},
                      {"version", entry.event.version},
                      {"saga", entry.event.saga_id},
                      {"causation", entry.event.causation_id},
                      {"cause", entry.cause},
                      {"hops", entry.event.hops},
                      {"contract", entry.event.contract}});
  return result;
}

}  // namespace quadrille::replay
