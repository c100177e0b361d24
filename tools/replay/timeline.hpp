#pragma once

#include "core/event.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace quadrille::replay {

/// One line of a saga's story.
struct Entry {
  Event event;
  std::chrono::microseconds since_start{0};
  std::chrono::microseconds since_before{0};
  std::string
      cause;  ///< `OrderPlaced order-1@1`; "-" at the start; the bare id where the cause is not among the events
};

/// Tells events of one saga in the order in which they are given.
class Story {
 public:
  Entry add(Event event);

 private:
  std::map<std::string, std::string> labels_;  ///< by event id
  std::optional<TimePoint> start_;
  TimePoint before_{};
};

/// The events of one saga in the order in which they were recorded; an event never stands before the one that caused
/// it, even when clocks disagree.
[[nodiscard]] std::vector<Entry> timeline(std::vector<Event> events);

/// A table for people: time, delta, participant, event, stream and version, cause.
[[nodiscard]] std::string as_text(const std::vector<Entry>& entries);
/// One line of it, with columns of fixed width, as entries come one by one.
[[nodiscard]] std::string as_line(const Entry& entry);
/// One object an event, for machines.
[[nodiscard]] nlohmann::ordered_json as_json(const std::vector<Entry>& entries);

}  // namespace quadrille::replay
