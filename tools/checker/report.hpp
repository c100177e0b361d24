#pragma once

#include "checker/finding.hpp"
#include "checker/graph.hpp"
#include "checker/metrics.hpp"

#include <string>
#include <vector>

namespace quadrille::checker {

/// `file:line:column: severity CODE: message`, the witness, the hint. In colour only where the caller says so. What is
/// suppressed is left out.
[[nodiscard]] std::string as_text(const std::vector<Finding>& findings, bool colour);

/// Everything the tool knows, as one document (schema/check-1.schema.json): the model, the numbers of each saga and the
/// findings, in a fixed order. The interface for other tools.
[[nodiscard]] std::string as_json(const contract::Model& model, const std::vector<Metrics>& sagas,
                                  const std::vector<Finding>& findings);

/// JUnit XML: a suite a saga and one for the rest, a case a rule; what is at least `fails_from` fails its case.
[[nodiscard]] std::string as_junit(const std::vector<Finding>& findings, const std::vector<std::string>& sagas,
                                   Severity fails_from);

}  // namespace quadrille::checker
