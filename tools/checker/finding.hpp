#pragma once

#include "contract/model.hpp"

#include <string>
#include <vector>

namespace quadrille::checker {

enum class Severity { off, note, warning, error };

/// One place on a path that shows a fault.
struct Station {
  std::string label;
  contract::Location location;
};

/// One thing that is wrong. Codes are stable and never used again for something else.
struct Finding {
  std::string code;
  Severity severity = Severity::error;
  contract::Location location;
  std::string message;
  std::string hint;
  std::vector<Station> witness;    ///< a path that shows it; empty where the place says enough
  std::vector<std::string> about;  ///< full names of what takes part: steps (payment.Authorize), events, fields
  std::string saga;                ///< empty where it is not about one saga
  std::string suppressed = {};     ///< why it does not count: waived, or known; empty where it does
};

/// Of the rule, the saga and what takes part: stays when lines move or wording changes.
[[nodiscard]] std::string fingerprint(const Finding& finding);

[[nodiscard]] const char* name_of(Severity severity);

}  // namespace quadrille::checker
