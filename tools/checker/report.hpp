#pragma once

#include "checker/finding.hpp"

#include <string>
#include <vector>

namespace quadrille::checker {

/// `file:line:column: severity CODE: message`, the witness, the hint. In colour only where the caller says so.
[[nodiscard]] std::string as_text(const std::vector<Finding>& findings, bool colour);
/// A list of objects in the same order; the fields are stable.
[[nodiscard]] std::string as_json(const std::vector<Finding>& findings);

}  // namespace quadrille::checker
