#include "rerun/as_recorded.hpp"

#include "core/short_name.hpp"
#include "core/timestamp.hpp"
#include "rerun/bench.hpp"
#include "rerun/compare.hpp"

#include <algorithm>
#include <iterator>
#include <list>
#include <utility>

namespace quadrille::rerun {
namespace {

using casefile::v1::Report;
using casefile::v1::Run;

casefile::v1::Verdict judge(const Did& did, const Run& run) {
  if (did.watch.unanswerable) return casefile::v1::NOT_RECORDED;
  if (!did.error.empty()) return run.recorded_error().empty() ? casefile::v1::NEW_ERROR : casefile::v1::SAME;
  const bool same = run.difference().empty() && run.recorded_error().empty();
  if (same) return casefile::v1::SAME;
  return did.watch.asked.empty() ? casefile::v1::DIFFERENT : casefile::v1::NOT_RECORDED;
}

class AsRecorded {
 public:
  AsRecorded(const runtime::Part& part, WatchedParticipant& participant, Plan plan)
      : part_(part), bench_(part, participant), plan_(std::move(plan)) {
    for (auto& item : plan_.items) queue_.push_back(std::move(item));
  }

  Report go() {
    while (!queue_.empty()) {
      auto item = std::move(queue_.front());
      queue_.pop_front();
      now_ = std::max(now_, item.at);
      take(std::move(item));
    }
    for (auto& run : undecided_) give_up(run, plan_.ended);
    for (auto& line : lines_) *report_.add_run() = std::move(line);
    bench_.describe(report_);
    return std::move(report_);
  }

 private:
  using Line = std::list<Run>::iterator;

  /// A run for which nothing was recorded, and that says something if it is run at the earliest moment.
  struct Undecided {
    PlannedRun run;
    Line line;
    Did did;
  };

  void take(Item item) {
    if (!item.run) {
      bench_.append(item.recorded, item.at);
      tell_not_run(item);
      return look_again(item.recorded.back());
    }
    auto& run = *item.run;
    decide_what_was_before(run);
    const auto line = begin_line(run, item.recorded);
    if (!run.missing.empty()) {
      line->set_verdict(casefile::v1::NOT_RECORDED);
      line->add_asked(run.missing);
      if (!item.recorded.empty()) bench_.append(item.recorded, item.at);
    } else if (item.recorded.empty()) {
      return take_silent(std::move(run), line);
    } else {
      const auto did = bench_.run(run, item.recorded, run.at, Bench::Keep::recorded);
      end_line(line, item.recorded, did);
      expect_timers(run, item.recorded.back(), did);
    }
    if (!item.recorded.empty()) look_again(item.recorded.back());
  }

  void tell_not_run(const Item& item) {
    auto& line = lines_.emplace_back();
    line.set_verdict(casefile::v1::NOT_RUN);
    line.set_key(item.recorded.front().stream.key);
    *line.mutable_at() = to_timestamp(item.at);
    line.set_note("the case does not hold what led to it; taken as it is");
    for (const auto& event : item.recorded) *line.add_recorded() = to_said(part_, event);
  }

  void take_silent(PlannedRun run, Line line) {
    auto did = bench_.run(run, {}, now_, Bench::Keep::silent);
    *line->mutable_at() = to_timestamp(now_);
    if (!run.recorded_error.empty() || (did.error.empty() && did.said.empty())) return end_line(line, {}, did);
    undecided_.push_back({std::move(run), line, std::move(did)});
  }

  /// The record does not say when a step ran that recorded nothing. It may have been later than at once: after this.
  void look_again(const Event& newest) {
    std::erase_if(undecided_, [&](const Undecided& undecided) {
      const auto did = bench_.run(undecided.run, {}, now_, Bench::Keep::silent);
      if (!did.error.empty() || !did.said.empty()) return false;
      end_line(undecided.line, {}, did);
      *undecided.line->mutable_at() = to_timestamp(now_);
      lines_.splice(lines_.end(), lines_, undecided.line);
      undecided.line->set_note("nothing was recorded, so not when it ran either: the same if that was after " +
                               short_name(newest.type) + " " + newest.stream.text() + "@" +
                               std::to_string(newest.version));
      return true;
    });
  }

  /// The gate hands over the versions of a stream in their order: what is older has been decided by now.
  void decide_what_was_before(const PlannedRun& run) {
    if (run.start != Run::EVENT) return;
    std::erase_if(undecided_, [&](const Undecided& undecided) {
      if (undecided.run.start != Run::EVENT || undecided.run.heard.stream != run.heard.stream ||
          undecided.run.heard.version >= run.heard.version)
        return false;
      give_up(undecided, true);
      return true;
    });
  }

  void give_up(const Undecided& undecided, bool was_handled) {
    end_line(undecided.line, {}, undecided.did);
    if (!was_handled) undecided.line->set_verdict(casefile::v1::IN_FLIGHT);
  }

  Line begin_line(const PlannedRun& run, const std::vector<Event>& recorded) {
    auto& line = lines_.emplace_back();
    line.set_step(run.step->declared->name);
    line.set_key(run.cause.key);
    line.set_start(run.start);
    line.set_cause_id(run.start == Run::COMMAND ? "" : run.heard.id);
    line.set_cause_type(run.start == Run::COMMAND ? run.step->declared->input : run.heard.type);
    *line.mutable_at() = to_timestamp(run.at);
    line.set_recorded_error(run.recorded_error);
    line.set_note(run.note);
    if (run.start == Run::EVENT) *line.mutable_trigger() = to_said(part_, run.heard);
    if (run.start == Run::COMMAND && run.trigger) *line.mutable_trigger() = to_said(*run.trigger);
    for (const auto& event : recorded) *line.add_recorded() = to_said(part_, event);
    return std::prev(lines_.end());
  }

  void end_line(Line at, const std::vector<Event>& recorded, const Did& did) {
    auto& line = *at;
    line.set_error(did.error);
    for (const auto& event : did.said) *line.add_said() = to_said(part_, event);
    for (const auto& asked : did.watch.asked) line.add_asked(asked);
    line.mutable_wanted()->Assign(did.watch.wanted.begin(), did.watch.wanted.end());
    if (did.error.empty())
      for (auto& text : difference(part_, recorded, did.said)) line.add_difference(std::move(text));
    line.set_verdict(judge(did, line));
  }

  /// Timers that a step armed and that recorded nothing leave no trace. Those whose time has come within the record are
  /// run at their time.
  void expect_timers(const PlannedRun& run, const Event& armed_by, const Did& did) {
    for (const auto& timer : run.step->timers) {
      const bool recorded = std::ranges::any_of(queue_, [&](const Item& item) {
        return item.run && item.run->start == Run::TIMER && item.run->heard.id == armed_by.id &&
               item.run->step->declared->name == timer.step;
      });
      const auto chosen = did.watch.chosen.find(timer.step);
      const auto due = armed_by.recorded_at + (chosen == did.watch.chosen.end() ? timer.after : chosen->second);
      if (recorded || due > plan_.end) continue;
      PlannedRun silent;
      silent.step = &part_.step(timer.step);
      silent.start = Run::TIMER;
      silent.heard = armed_by;
      silent.trigger = std::make_unique<v1::Timer>();
      silent.cause = {armed_by.stream.key, armed_by.saga_id, armed_by.id, armed_by.hops, armed_by.traceparent, {}};
      silent.at = due;
      const auto place = std::ranges::find_if(queue_, [&](const Item& item) { return item.at > due; });
      queue_.insert(place, Item{std::move(silent), {}, due});
    }
  }

  const runtime::Part& part_;
  Bench bench_;
  Plan plan_;
  std::list<Item> queue_;
  std::list<Run> lines_;
  std::vector<Undecided> undecided_;
  TimePoint now_{};
  Report report_;
};

}  // namespace

Report run_as_recorded(const runtime::Part& part, WatchedParticipant& participant, Plan plan) {
  return AsRecorded(part, participant, std::move(plan)).go();
}

}  // namespace quadrille::rerun
