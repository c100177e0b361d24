#pragma once

#include "core/event.hpp"
#include "quadrille/casefile/v1/case.pb.h"
#include "quadrille/casefile/v1/report.pb.h"
#include "runtime/part.hpp"
#include "runtime/unit_of_work.hpp"

#include <optional>
#include <string>
#include <vector>

namespace quadrille::rerun {

/// A step that ran, or had reason to, as far as the record tells.
struct PlannedRun {
  const runtime::PlannedStep* step = nullptr;
  casefile::v1::Run::Start start = casefile::v1::Run::EVENT;
  runtime::MessagePtr trigger;
  runtime::Cause cause;
  Event heard;     ///< what started it; of a timer the event that armed it; of a command what it recorded first
  TimePoint at{};  ///< of what it recorded; where that is nothing, the earliest it can have run
  std::string recorded_error;
  std::string missing;  ///< what the record lacks to run it
  std::string note;
};

/// One transaction of the participant: a run with what it recorded, or events whose run the record does not explain.
struct Item {
  std::optional<PlannedRun> run;
  std::vector<Event> recorded;
  TimePoint at{};
};

/// What one participant did in a recorded saga, in an order in which it can have done it.
struct Plan {
  std::vector<Item> items;
  TimePoint end{};  ///< of the record
  bool ended = false;
  std::string could_not;  ///< why it cannot be run; empty when it can
};

[[nodiscard]] Plan plan(const runtime::Part& part, const casefile::v1::Case& one);

}  // namespace quadrille::rerun
