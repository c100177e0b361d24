#pragma once

#include "memory/memory_store.hpp"
#include "quadrille/casefile/v1/report.pb.h"
#include "rerun/plan.hpp"
#include "rerun/watched.hpp"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace quadrille::rerun {

/// Time of the record.
class RecordedClock final : public Clock {
 public:
  [[nodiscard]] TimePoint now() const override { return now_; }
  void set(TimePoint now) { now_ = now; }

 private:
  TimePoint now_{};
};

/// What a step did in one run.
struct Did {
  std::vector<Event> said;
  std::string error;   ///< what it threw; empty when it decided
  bool later = false;  ///< the error is one after which the runtime hands it the same again
  Watch watch;
};

/// The participant's steps over a store in memory. Used by one thread.
class Bench {
 public:
  Bench(const runtime::Part& part, WatchedParticipant& participant)
      : part_(part), participant_(participant), store_(clock_) {}

  /// What becomes of what a run did.
  enum class Keep {
    silent,    ///< its holds where it said nothing; else it is as if it had not run
    recorded,  ///< its holds, and instead of what it said the events of the record
    own,       ///< everything, and its deadlines
  };
  /// `recorded`: what the record says the step said; empty where it says nothing.
  Did run(const PlannedRun& planned, const std::vector<Event>& recorded, TimePoint at, Keep keep);
  void append(const std::vector<Event>& events, TimePoint at);
  /// Whether the first of the events is the next version of its stream.
  [[nodiscard]] bool continues(const std::vector<Event>& events);

  /// Deadlines that are armed, the next first. `own` runs arm them.
  [[nodiscard]] std::vector<Deadline> armed();
  void disarm(const std::string& id);

  /// The aggregates with events and the counted resources, as they are now.
  void describe(casefile::v1::Report& report);

 private:
  const runtime::Part& part_;
  WatchedParticipant& participant_;
  RecordedClock clock_;
  memory::MemoryStore store_;
  std::set<std::string> keys_;
};

}  // namespace quadrille::rerun
