#pragma once

#include "core/event.hpp"
#include "traffic/declared.hpp"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace quadrille::traffic {

/// An event of an instance, as little of it as judging takes.
struct Happening {
  Graph::Node event = -1;   ///< -1 where no contract declares its type
  Graph::Node step = -1;    ///< the step that said it; -1 where the graph has none that could
  std::int32_t cause = -1;  ///< place of its cause among the instance's events; -1 where that was not recorded
  TimePoint recorded_at{};
  std::uint32_t number = 0;  ///< which of all events taken, from 0; repeated ones not counted
};

/// One run of a saga.
struct Instance {
  std::string saga_id;
  int saga = -1;  ///< place among the views; -1 until a START is seen
  std::vector<Happening> happened;
  TimePoint started{};
  TimePoint latest{};
  std::vector<Graph::Node> ends;  ///< END events, in the order they came

  [[nodiscard]] bool has_ended() const { return !ends.empty(); }
};

/// A step that is owed an answer, and to which of the instance's events.
struct Wait {
  Graph::Node step = -1;
  std::size_t place = 0;
};

/// Recorded events by saga, laid over the declared graph. Tolerates events that come twice. Where an END is the START
/// of another saga, the two have one saga id and are two instances.
class Instances {
 public:
  explicit Instances(const Declared& declared) : declared_(declared) {}

  /// Adds an event; its instance and its place in it.
  struct Added {
    Instance* instance;
    std::size_t place;
    bool repeated;  ///< it was there before
  };
  Added take(const Event& event);

  [[nodiscard]] const std::vector<Instance>& all() const { return instances_; }

  /// Steps that an instance waits for: they hear an event of it, and nothing that they say has followed. Steps that may
  /// say nothing are not counted, timers neither, nor those whose question another has settled.
  [[nodiscard]] std::vector<Wait> waits_for(const Instance& instance) const;
  /// The same of an instance that may have ended: what never answered.
  [[nodiscard]] std::vector<Wait> unanswered(const Instance& instance) const;

 private:
  struct Place {
    std::uint32_t instance;
    std::uint32_t happening;
  };
  [[nodiscard]] std::uint32_t instance_of(const Event& event);
  void begin_next(const Event& event, Happening start, int saga);

  const Declared& declared_;
  std::unordered_map<std::string, std::uint32_t> by_saga_id_;
  std::unordered_map<std::string, Place> by_event_id_;
  std::vector<Instance> instances_;
  std::uint32_t taken_ = 0;
};

}  // namespace quadrille::traffic
