#pragma once

#include "contract/model.hpp"

#include <string>
#include <vector>

namespace quadrille::checker {

enum class Severity { error, warning, note };

/// One thing that is wrong. Codes are stable and never used again for something else.
struct Finding {
  std::string code;
  Severity severity = Severity::error;
  contract::Location location;
  std::string message;
  std::string hint;
  std::vector<std::string> witness;  ///< a path that shows it, one station a line; empty where the place says enough
};

}  // namespace quadrille::checker
