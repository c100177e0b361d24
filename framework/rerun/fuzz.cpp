#include "rerun/fuzz.hpp"

#include "core/short_name.hpp"
#include "core/timestamp.hpp"
#include "rerun/disturbance.hpp"
#include "rerun/ending.hpp"
#include "rerun/varied.hpp"

#include <algorithm>
#include <cstdlib>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

namespace quadrille::rerun {
namespace {

using casefile::v1::Case;
using casefile::v1::Report;

class Fuzzer {
 public:
  Fuzzer(const runtime::Part& part, WatchedParticipant& participant, const Plan& plan, const Case& one,
         const FuzzOptions& options)
      : part_(part), participant_(participant), plan_(plan), case_(one), options_(options) {
    find_deliveries();
    auto& variation = *case_.mutable_header()->mutable_variation();
    variation.set_participant(part_.name());
    variation.set_through_gate(true);
  }

  Report go() {
    Report report;
    if (deliveries_.empty()) {
      report.set_could_not(part_.name() + " hears nothing in this saga, so there is nothing to disturb");
      return report;
    }
    undisturbed_ = run({});
    std::vector<Disturbance> smallest;
    auto& fuzz = *report.mutable_fuzz();
    for (std::uint32_t i = 0; i < options_.tries; ++i) {
      std::mt19937_64 random(options_.seed + i);
      auto all = draw(deliveries_, options_.latest, random);
      if (!diverges(all)) continue;
      fuzz.set_diverged(fuzz.diverged() + 1);
      all = shrink(std::move(all));
      if (smallest.empty() || size(all) < size(smallest)) smallest = std::move(all);
    }
    if (!smallest.empty()) {
      auto runs = run(smallest);
      for (const auto& line : divergence(undisturbed_, runs, options_.tolerated)) fuzz.add_divergence(line);
      for (const auto& one : smallest) fuzz.add_disturbance(text(one, deliveries_));
      *fuzz.mutable_smallest() = case_.header().variation();
      const auto found = std::move(*report.mutable_fuzz());
      report = std::move(runs);
      *report.mutable_fuzz() = found;
      report.set_variation(case_.header().variation().name());
    }
    report.mutable_fuzz()->set_seed(options_.seed);
    report.mutable_fuzz()->set_tried(options_.tries);
    return report;
  }

 private:
  /// In the order of the record, or of the variation; of streams alone that start a step.
  void find_deliveries() {
    std::set<StreamName> heard;
    for (const auto& item : plan_.items)
      if (item.run && item.run->start == casefile::v1::Run::EVENT) heard.insert(item.run->heard.stream);
    std::map<std::string, Delivered> by_id;
    for (const auto& event : case_.event())
      if (event.saga_id() == case_.header().saga_id() && heard.contains({event.category(), event.key()}))
        by_id[event.id()] = {event.id(), short_name(event.type()), to_time(event.recorded_at())};
    if (!case_.header().has_variation()) {
      for (const auto& [id, one] : by_id) deliveries_.push_back(one);
      std::ranges::stable_sort(deliveries_, [&](const Delivered& a, const Delivered& b) {
        return std::tie(a.at, a.event_id) < std::tie(b.at, b.event_id);
      });
      return;
    }
    base_ = case_.header().variation().name();
    for (const auto& hearing : case_.header().variation().hears()) {
      const auto one = by_id.find(hearing.event_id());
      if (one == by_id.end()) continue;
      deliveries_.push_back(one->second);
      if (hearing.has_at()) deliveries_.back().at = to_time(hearing.at());
    }
  }

  Report run(const std::vector<Disturbance>& all) {
    auto& variation = *case_.mutable_header()->mutable_variation();
    variation.clear_hears();
    std::string name = base_;
    for (const auto& one : all) name += (name.empty() ? "" : ", ") + text(one, deliveries_);
    variation.set_name(name);
    for (const auto& delivered : disturb(deliveries_, all)) {
      auto& hearing = *variation.add_hears();
      hearing.set_event_id(delivered.event_id);
      *hearing.mutable_at() = to_timestamp(delivered.at);
    }
    participant_.ledger().clear();
    return run_varied(part_, participant_, plan_, case_);
  }

  bool diverges(const std::vector<Disturbance>& all) {
    return !divergence(undisturbed_, run(all), options_.tolerated).empty();
  }

  static std::pair<std::size_t, std::int64_t> size(const std::vector<Disturbance>& all) {
    std::int64_t amount = 0;
    for (const auto& one : all) amount += std::abs(one.amount);
    return {all.size(), amount};
  }

  /// Leaves out what is not needed, then makes smaller what is.
  std::vector<Disturbance> shrink(std::vector<Disturbance> all) {
    for (std::size_t i = 0; i < all.size() && all.size() > 1;) {
      auto fewer = all;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      if (diverges(fewer)) {
        all = std::move(fewer);
        i = 0;
      } else {
        ++i;
      }
    }
    for (std::size_t i = 0; i < all.size(); ++i) shrink_amount(all, i);
    return all;
  }

  /// By halves: the smallest amount that still does it, for what does it grows with the amount.
  void shrink_amount(std::vector<Disturbance>& all, std::size_t i) {
    const std::int64_t sign = all[i].amount < 0 ? -1 : 1;
    std::int64_t enough = std::abs(all[i].amount);
    for (std::int64_t too_little = all[i].kind == Disturbance::Kind::twice ? -1 : 0; too_little + 1 < enough;) {
      const auto middle = too_little + (enough - too_little) / 2;
      auto smaller = all;
      smaller[i].amount = sign * middle;
      (diverges(smaller) ? enough : too_little) = middle;
    }
    all[i].amount = sign * enough;
  }

  const runtime::Part& part_;
  WatchedParticipant& participant_;
  const Plan& plan_;
  Case case_;
  const FuzzOptions& options_;
  std::string base_;  ///< name of the variation that is disturbed further
  std::vector<Delivered> deliveries_;
  Report undisturbed_;
};

}  // namespace

Report fuzz(const runtime::Part& part, WatchedParticipant& participant, const Plan& plan, const Case& one,
            const FuzzOptions& options) {
  return Fuzzer(part, participant, plan, one, options).go();
}

}  // namespace quadrille::rerun
