#include "cases/course.hpp"

#include "core/timestamp.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace quadrille::cases {
namespace {

using casefile::v1::Case;
using casefile::v1::RecordedEvent;
using casefile::v1::Report;
using casefile::v1::Run;

/// Each round settles at least the next event of the saga, so only a circle takes more.
constexpr int most_rounds = 200;

const RecordedEvent* find(const Case& one, const std::string& id) {
  const auto event = std::ranges::find(one.event(), id, [](const RecordedEvent& e) { return e.id(); });
  return event == one.event().end() ? nullptr : &*event;
}

bool says_the_same(const RecordedEvent& one, const RecordedEvent& other) {
  const auto content = [](const RecordedEvent& event) {
    return std::tuple(event.id(), event.version(), event.causation_id(), to_time(event.recorded_at()), event.payload());
  };
  return content(one) == content(other);
}

/// The n-th event of its type in its stream is the same event in every course.
class Identities {
 public:
  explicit Identities(const Case& recorded) {
    for (const auto& event : recorded.event())
      if (event.saga_id() == recorded.header().saga_id()) ids_.emplace(name(event, count_), event.id());
  }

  /// Of the next report, in its order.
  void restart() { count_.clear(); }
  std::string of(const RecordedEvent& event) {
    const auto known = ids_.find(name(event, count_));
    return known == ids_.end() ? event.id() : known->second;
  }

 private:
  using Type = std::tuple<std::string, std::string, std::string, std::string>;
  using Name = std::pair<Type, int>;
  static Name name(const RecordedEvent& event, std::map<Type, int>& count) {
    Type type{event.source(), event.category(), event.key(), event.type()};
    const auto ordinal = ++count[type];
    return {std::move(type), ordinal};
  }

  std::map<Type, int> count_;
  std::map<Name, std::string> ids_;
};

class Play {
 public:
  Play(const std::vector<Player>& players, const Case& recorded, const std::vector<Change>& changes)
      : players_(players), recorded_(recorded), changes_(changes), identities_(recorded) {
    for (const auto& player : players) playing_.insert(player.participant);
  }

  Course go() {
    Course course{recorded_, {}};
    set_fields(course.saga, changes_);
    for (int round = 0; round < most_rounds; ++round) {
      auto next = this->round(course.saga);
      const bool settled = std::ranges::equal(course.saga.event(), next.saga.event(), says_the_same);
      course = std::move(next);
      if (settled) return course;
    }
    throw std::runtime_error("saga " + recorded_.header().saga_id() + ": after " + std::to_string(most_rounds) +
                             " rounds its participants still answer each other otherwise; does it run in a circle?");
  }

 private:
  Course round(const Case& heard) {
    Course next;
    *next.saga.mutable_header() = recorded_.header();
    for (const auto& event : heard.event())
      if (event.saga_id() != recorded_.header().saga_id() || !playing_.contains(event.source()))
        *next.saga.add_event() = event;
    for (const auto& player : players_) {
      const auto report = run(player, heard);
      identities_.restart();
      std::map<std::string, std::string> ids;
      for (const auto& run : report.run()) {
        for (const auto& event : run.event()) *next.saga.add_event() = placed(event, run, ids);
        if (!run.error().empty()) next.waits.push_back(player.participant + ": " + run.step() + ": " + run.error());
      }
    }
    drop_what_has_no_cause(next.saga);
    set_fields(next.saga, changes_);
    std::stable_sort(
        next.saga.mutable_event()->pointer_begin(), next.saga.mutable_event()->pointer_end(),
        [](const auto* one, const auto* other) { return to_time(one->recorded_at()) < to_time(other->recorded_at()); });
    return next;
  }

  Report run(const Player& player, const Case& heard) {
    auto given = heard;
    auto& variation = *given.mutable_header()->mutable_variation();
    variation = hearing(heard, changes_);
    variation.set_participant(player.participant);
    variation.set_through_gate(true);
    auto report = player.run(given);
    if (!report.could_not().empty())
      throw std::runtime_error(player.participant + " cannot run saga " + report.saga_id() + ": " + report.could_not());
    return report;
  }

  /// As the event is known in every course, at the time it takes in this one.
  RecordedEvent placed(RecordedEvent event, const Run& run, std::map<std::string, std::string>& ids) {
    const auto id = identities_.of(event);
    ids[event.id()] = id;
    event.set_id(id);
    if (const auto own = ids.find(event.causation_id()); own != ids.end()) event.set_causation_id(own->second);
    if (const auto took = time_taken(event, run))
      *event.mutable_recorded_at() = to_timestamp(to_time(run.at()) + *took);
    return event;
  }

  /// From the cause to the event, as it was recorded; a moment where this is new. Nothing where it was the clock or a
  /// client that chose the time.
  [[nodiscard]] std::optional<TimePoint::duration> time_taken(const RecordedEvent& event, const Run& run) const {
    if (run.start() != Run::EVENT) return std::nullopt;
    const auto* before = find(recorded_, event.id());
    const auto* cause = find(recorded_, event.causation_id());
    if (before == nullptr || cause == nullptr || before->causation_id() != event.causation_id())
      return std::chrono::milliseconds(1);
    return std::max(TimePoint::duration::zero(), to_time(before->recorded_at()) - to_time(cause->recorded_at()));
  }

  /// Of those that do not play: nobody records what follows from what has not happened.
  void drop_what_has_no_cause(Case& saga) const {
    auto& events = *saga.mutable_event();
    for (bool dropped = true; dropped;) {
      const auto gone = std::ranges::find_if(events, [&](const RecordedEvent& event) {
        return event.saga_id() == saga.header().saga_id() && find(recorded_, event.causation_id()) != nullptr &&
               find(saga, event.causation_id()) == nullptr;
      });
      dropped = gone != events.end();
      if (dropped) events.erase(gone);
    }
  }

  const std::vector<Player>& players_;
  const Case& recorded_;
  const std::vector<Change>& changes_;
  std::set<std::string> playing_;
  Identities identities_;
};

}  // namespace

Course play(const std::vector<Player>& players, const Case& recorded, const std::vector<Change>& changes) {
  return Play(players, recorded, changes).go();
}

}  // namespace quadrille::cases
