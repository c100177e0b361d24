#pragma once

#include "checker/finding.hpp"
#include "contract/model.hpp"

#include <vector>

namespace quadrille::checker {

/// Everything that is wrong, by file, line and code; faults of the reading as QDR100, and then nothing else.
[[nodiscard]] std::vector<Finding> check(const contract::Reading& reading);

}  // namespace quadrille::checker
