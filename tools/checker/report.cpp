#include "checker/report.hpp"

#include <nlohmann/json.hpp>

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

std::string as_json(const std::vector<Finding>& findings) {
  auto list = nlohmann::ordered_json::array();
  for (const auto& finding : findings) {
    auto witness = nlohmann::ordered_json::array();
    for (const auto& station : finding.witness)
      witness.push_back({{"label", station.label}, {"file", station.location.file}, {"line", station.location.line}});
    list.push_back({{"code", finding.code},
                    {"severity", name_of(finding.severity)},
                    {"file", finding.location.file},
                    {"line", finding.location.line},
                    {"column", finding.location.column},
                    {"message", finding.message},
                    {"hint", finding.hint},
                    {"saga", finding.saga},
                    {"about", finding.about},
                    {"fingerprint", fingerprint(finding)},
                    {"witness", witness}});
  }
  return nlohmann::ordered_json{{"schema", 1}, {"findings", list}}.dump(2) + "\n";
}

}  // namespace quadrille::checker
