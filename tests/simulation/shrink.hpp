#pragma once

#include "simulation/decision.hpp"

#include <functional>

namespace simulation {

/// Leaves out decisions as long as what is left still fails, and then no single one more can be left out.
[[nodiscard]] Schedule shrink(Schedule schedule, const std::function<bool(const Schedule&)>& fails);

}  // namespace simulation
