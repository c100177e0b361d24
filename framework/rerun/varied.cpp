#include "rerun/varied.hpp"

#include "casefile/case_events.hpp"
#include "core/timestamp.hpp"
#include "rerun/arrivals.hpp"
#include "rerun/bench.hpp"
#include "rerun/compare.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace quadrille::rerun {
namespace {

using casefile::v1::Report;
using casefile::v1::Run;

/// A timer that arms itself again goes on for ever.
constexpr int most_timers = 1'000;

class Varied {
 public:
  Varied(const runtime::Part& part, WatchedParticipant& participant, const Plan& plan, const casefile::v1::Case& one)
      : part_(part), bench_(part, participant), plan_(plan), saga_(one.header().saga_id()) {
    if (one.header().variation().through_gate()) arrivals_.emplace(part, one, one.header().variation());
  }

  Report go(const casefile::v1::Variation& variation) {
    for (const auto& item : plan_.items) begin(item);
    for (const auto& hearing : variation.hears()) hear(hearing);
    run_timers(arrivals_ ? TimePoint::max() : plan_.end);
    for (const auto& [run, recorded, error] : waiting_) {
      auto& line = begin_line(*run);
      line.set_error(error);
      line.set_note("waits at the end");
    }
    bench_.describe(report_);
    return std::move(report_);
  }

 private:
  struct Waiting {
    const PlannedRun* run = nullptr;
    const std::vector<Event>* recorded = nullptr;
    std::string why;
  };

  /// What was before the saga, and what clients asked for.
  void begin(const Item& item) {
    const bool before = !item.run && item.recorded.front().saga_id != saga_;
    const bool asked = item.run && item.run->start == Run::COMMAND;
    if (!before && !asked) return;
    now_ = item.at;
    if (asked && item.run->missing.empty()) {
      attempt(*item.run, item.recorded, "");
    } else if (bench_.continues(item.recorded)) {
      bench_.append(item.recorded, now_);
      if (asked) said(begin_line(*item.run), item.recorded).set_note("as recorded: " + item.run->missing);
    }
  }

  /// With what is random in it replaced by what is not, so that a run is the same every time.
  casefile::v1::RecordedEvent whole(const Event& event) {
    auto recorded = casefile::to_recorded(event);
    recorded.set_id(event.stream.text() + "@" + std::to_string(event.version));
    ids_[event.id] = recorded.id();
    if (const auto own = ids_.find(event.causation_id); own != ids_.end()) recorded.set_causation_id(own->second);
    recorded.clear_traceparent();
    *recorded.mutable_recorded_at() = to_timestamp(now_);
    return recorded;
  }

  Run& said(Run& line, const std::vector<Event>& events) {
    for (const auto& event : events) {
      *line.add_said() = to_said(part_, event);
      *line.add_event() = whole(event);
      if (arrivals_) arrivals_->said(event);
    }
    return line;
  }

  void hear(const casefile::v1::Hearing& hearing) {
    const auto item = std::ranges::find_if(plan_.items, [&](const Item& candidate) {
      return candidate.run && candidate.run->start == Run::EVENT && candidate.run->heard.id == hearing.event_id();
    });
    const bool starts_something = item != plan_.items.end();
    if (!starts_something && !arrivals_) return;
    if (hearing.has_at() || starts_something) {
      const auto at = hearing.has_at() ? to_time(hearing.at()) : item->run->heard.recorded_at;
      run_timers(at);
      now_ = std::max(now_, at);
    }
    if (!arrivals_) return handle(hearing.event_id());
    arrivals_->deliver(hearing.event_id());
    handle_what_has_come();
  }

  void handle_what_has_come() {
    while (const auto id = arrivals_ ? arrivals_->next() : std::nullopt) handle(*id);
  }

  void handle(const std::string& event_id) {
    for (const auto& item : plan_.items) {
      if (!item.run || item.run->start != Run::EVENT || item.run->heard.id != event_id) continue;
      const auto& run = *item.run;
      const bool behind = std::ranges::any_of(
          waiting_, [&](const Waiting& waiting) { return waiting.run->heard.stream == run.heard.stream; });
      if (!run.missing.empty())
        wait(run, item.recorded, "the record does not hold " + run.missing);
      else if (behind)
        wait(run, item.recorded, "an older message of its stream waits");
      else if (attempt(run, item.recorded, ""))
        try_waiting_again();
    }
  }

  void wait(const PlannedRun& run, const std::vector<Event>& recorded, const std::string& why) {
    waiting_.push_back({&run, &recorded, why});
  }

  /// True when it decided. What fails waits.
  bool attempt(const PlannedRun& run, const std::vector<Event>& recorded, const std::string& waited_for) {
    const auto did = bench_.run(run, recorded, now_, Bench::Keep::own);
    if (did.watch.unanswerable && !recorded.empty() && bench_.continues(recorded)) {
      bench_.append(recorded, now_);
      said(begin_line(run), recorded).set_note("as recorded: it asked for " + did.watch.asked.back());
      return true;
    }
    if (!did.error.empty() && run.start == Run::EVENT) {
      if (waited_for.empty()) wait(run, recorded, did.error);
      return false;
    }
    auto& line = begin_line(run);
    line.set_error(did.error);
    if (did.error.empty()) said(line, did.said);
    for (const auto& asked : did.watch.asked) line.add_asked(asked);
    if (!waited_for.empty()) line.set_note("had waited: " + waited_for);
    return did.error.empty();
  }

  void try_waiting_again() {
    for (bool progress = true; progress;) {
      progress = false;
      std::set<StreamName> held;
      for (auto waiting = waiting_.begin(); waiting != waiting_.end();) {
        const bool head = held.insert(waiting->run->heard.stream).second;
        if (head && waiting->run->missing.empty() && attempt(*waiting->run, *waiting->recorded, waiting->why)) {
          waiting = waiting_.erase(waiting);
          progress = true;
        } else {
          ++waiting;
        }
      }
    }
  }

  void run_timers(TimePoint until) {
    for (int runs = 0; runs < most_timers; ++runs) {
      const auto armed = bench_.armed();
      const auto next =
          std::ranges::min_element(armed, {}, [&](const Deadline& deadline) { return time_of(deadline); });
      if (next == armed.end() || time_of(*next) > until) return;
      now_ = std::max(now_, time_of(*next));
      bench_.disarm(next->id);
      PlannedRun run;
      run.step = &part_.step(next->step);
      run.start = Run::TIMER;
      run.trigger = std::make_unique<v1::Timer>();
      run.cause = {next->key, next->saga_id, next->causation_id, next->hops, next->traceparent, {}};
      const auto* recorded = recorded_timer(*next);
      static const std::vector<Event> none;
      if (attempt(run, recorded == nullptr ? none : recorded->recorded, "")) try_waiting_again();
      handle_what_has_come();
    }
  }

  [[nodiscard]] const Item* recorded_timer(const Deadline& deadline) const {
    const auto item = std::ranges::find_if(plan_.items, [&](const Item& candidate) {
      return candidate.run && candidate.run->start == Run::TIMER && !candidate.recorded.empty() &&
             candidate.run->step->declared->name == deadline.step && candidate.run->cause.key == deadline.key;
    });
    return item == plan_.items.end() ? nullptr : &*item;
  }

  [[nodiscard]] TimePoint time_of(const Deadline& deadline) const {
    const auto* recorded = arrivals_ ? nullptr : recorded_timer(deadline);
    return recorded == nullptr ? deadline.due_at : recorded->at;
  }

  Run& begin_line(const PlannedRun& run) {
    auto& line = *report_.add_run();
    line.set_verdict(casefile::v1::VARIED);
    line.set_step(run.step->declared->name);
    line.set_key(run.cause.key);
    line.set_start(run.start);
    if (run.start == Run::EVENT) line.set_cause_id(run.heard.id);
    line.set_cause_type(run.start == Run::COMMAND ? run.step->declared->input : run.heard.type);
    *line.mutable_at() = to_timestamp(now_);
    return line;
  }

  const runtime::Part& part_;
  Bench bench_;
  const Plan& plan_;
  const std::string saga_;
  std::map<std::string, std::string> ids_;  ///< that events have in the report, by those of this run
  std::optional<Arrivals> arrivals_;
  std::vector<Waiting> waiting_;
  TimePoint now_{};
  Report report_;
};

}  // namespace

Report run_varied(const runtime::Part& part, WatchedParticipant& participant, const Plan& plan,
                  const casefile::v1::Case& one) {
  return Varied(part, participant, plan, one).go(one.header().variation());
}

}  // namespace quadrille::rerun
