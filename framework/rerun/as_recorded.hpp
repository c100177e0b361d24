#pragma once

#include "rerun/plan.hpp"
#include "rerun/watched.hpp"

namespace quadrille::rerun {

/// Runs each step on the state that its participant had recorded by then, whatever the steps before it say today: one
/// wrong decision shows once, and not again in everything that follows from it.
[[nodiscard]] casefile::v1::Report run_as_recorded(const runtime::Part& part, WatchedParticipant& participant,
                                                   Plan plan);

}  // namespace quadrille::rerun
