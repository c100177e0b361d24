#pragma once

#include "core/store.hpp"
#include "runtime/part.hpp"
#include "runtime/tally.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace quadrille::runtime {

/// What led to a run of a step.
struct Cause {
  std::string key;      ///< of the aggregate that decides
  std::string saga_id;  ///< empty for a command: its START event begins one
  std::string id;       ///< event, deadline; becomes the causation id
  std::uint32_t hops = 0;
  std::string traceparent;
  std::optional<TimePoint> recorded_at = {};  ///< of the event; empty where none started the step
};

/// What no event may exceed.
struct Limits {
  std::size_t max_message_bytes = 1 << 20;
  std::uint32_t max_hops = 64;
};

/// What a step led to.
struct StepResult {
  std::string saga_id;
  std::vector<std::string> recorded;  ///< ids of the events; empty when there was nothing new to say
};

/// Runs steps of one participant inside one transaction: folds the aggregates they decide for, collects what they say,
/// records it all at the end. Used by one thread; the transaction outlives it and is committed by its owner.
class UnitOfWork {
 public:
  UnitOfWork(const Part& part, Transaction& transaction, Limits limits, TimePoint now);
  ~UnitOfWork();

  /// Loads the aggregates of these keys in one query; keys not loaded before their step are loaded one by one.
  void load(const std::set<std::string>& keys);
  /// Takes what streams_of() says of some keys as loaded, with its events; those absent have none.
  void fold(std::span<const StreamName> streams, const std::map<StreamName, std::vector<Event>>& histories);
  /// Folds no further, only reads. nullptr where the aggregate has no events.
  [[nodiscard]] const Aggregate* state(const std::string& key);
  /// Runs a step. What it says is folded into its aggregate at once, for later steps of this unit. Throws what the step
  /// throws; the whole unit is then void.
  StepResult run(const PlannedStep& step, const google::protobuf::Message& trigger, const Cause& cause);
  /// Appends all events and arms all deadlines, of what ran since the last time. Throws VersionConflict when an
  /// aggregate has moved; the unit is void.
  void flush();
  /// The same where nothing but the end of the transaction follows: what flush() throws may come from a later call of
  /// the transaction instead, its commit at the latest.
  void flush_last();

  /// Flushed or not.
  [[nodiscard]] bool recorded_anything() const { return recorded_anything_; }
  /// What was said and is not appended yet, by key.
  [[nodiscard]] const std::map<std::string, std::vector<Event>>& said() const { return events_; }
  /// The step that runs, that has thrown, or that ran last before a flush that failed; empty between steps.
  [[nodiscard]] const std::string& running_step() const { return running_step_; }
  /// What to report once the transaction is committed.
  [[nodiscard]] Tally& tally() { return tally_; }

 private:
  struct Loaded;
  [[nodiscard]] std::vector<Event> take_events();
  Loaded& loaded(const std::string& key);
  void count(const PlannedStep& step, const contract::EventType& type, const std::string& saga_id);
  std::string record(const PlannedStep& step, google::protobuf::Message& message, const Cause& cause,
                     std::string& saga_id);
  void arm(const PlannedStep& step, const Cause& cause, const StepResult& result,
           const std::map<std::string, std::chrono::milliseconds>& chosen);

  const Part& part_;
  Transaction& transaction_;
  Limits limits_;
  TimePoint now_;
  std::map<std::string, std::unique_ptr<Loaded>> loaded_;
  std::map<std::string, std::vector<Event>> events_;  ///< by key, so that a stream's are contiguous
  std::vector<Deadline> deadlines_;
  std::string running_step_;
  std::string last_step_;
  bool recorded_anything_ = false;
  Tally tally_;
};

}  // namespace quadrille::runtime
