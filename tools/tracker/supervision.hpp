#pragma once

#include "tracker/standing.hpp"

#include <vector>

namespace quadrille::tracker {

/// What the framework itself has said of a saga.
struct Supervision {
  std::vector<StuckReason> stuck;  ///< not resumed since, the oldest first
  std::vector<Act> acts;           ///< the oldest first
};

/// `events`: of one saga, in any order. What cannot be read is left out.
[[nodiscard]] Supervision supervision_of(const std::vector<Event>& events);

}  // namespace quadrille::tracker
