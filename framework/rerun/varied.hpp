#pragma once

#include "rerun/plan.hpp"
#include "rerun/watched.hpp"

namespace quadrille::rerun {

/// Lets the participant hear what the variation of the case says instead of what was recorded, on the state that its
/// own steps make of it: what has to wait waits behind the head of its stream, timers run at their recorded time or
/// when they are due. Through the gate they run when they are due, also after the last delivery. `plan`: of the case.
[[nodiscard]] casefile::v1::Report run_varied(const runtime::Part& part, WatchedParticipant& participant,
                                              const Plan& plan, const casefile::v1::Case& one);

}  // namespace quadrille::rerun
