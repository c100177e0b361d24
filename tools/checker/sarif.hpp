#pragma once

#include "checker/finding.hpp"

#include <string>
#include <vector>

namespace quadrille::checker {

/// SARIF 2.1.0, for code scanning. Fingerprints are of the rule and what is named, never of the line, so that moving
/// code reopens nothing; a witness path becomes a code flow.
[[nodiscard]] std::string as_sarif(const std::vector<Finding>& findings, const std::string& version);

}  // namespace quadrille::checker
