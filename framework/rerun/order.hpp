#pragma once

#include "rerun/plan.hpp"

#include <map>
#include <string>
#include <vector>

namespace quadrille::rerun {

/// Puts a participant's transactions into an order in which they can have been: by time, but never against the versions
/// of a stream, its own or one it hears, and never an effect before what the participant itself did to cause it.
/// `events`: of the case, by id. Contradictions in the record are broken by time.
[[nodiscard]] std::vector<Item> in_order(std::vector<Item> items, const std::map<std::string, Event>& events);

}  // namespace quadrille::rerun
