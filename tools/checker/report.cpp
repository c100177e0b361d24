#include "checker/report.hpp"

namespace quadrille::checker {
namespace {

const char* colour_of(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "\033[1;31m";
    case Severity::warning:
      return "\033[1;33m";
    case Severity::note:
      return "\033[1;36m";
    case Severity::off:
      break;
  }
  return "";
}

std::string place(const contract::Location& location) {
  return location.line == 0
             ? location.file
             : location.file + ":" + std::to_string(location.line) + ":" + std::to_string(location.column);
}

}  // namespace

std::string as_text(const std::vector<Finding>& findings, bool colour) {
  std::string text;
  for (const auto& finding : findings) {
    if (!finding.suppressed.empty()) continue;
    const std::string severity = name_of(finding.severity);
    text += place(finding.location) + ": " + (colour ? colour_of(finding.severity) + severity + "\033[0m" : severity) +
            " " + finding.code + ": " + finding.message + "\n";
    for (std::size_t i = 0; i < finding.witness.size(); ++i)
      text += (i == 0 ? "  path: " : " -> ") + finding.witness[i].label;
    if (!finding.witness.empty()) text += "\n";
    text += "  hint: " + finding.hint + "\n";
  }
  return text;
}

}  // namespace quadrille::checker
