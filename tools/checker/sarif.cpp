#include "checker/sarif.hpp"

#include "checker/report.hpp"
#include "checker/rule_book.hpp"

#include <nlohmann/json.hpp>

#include <string_view>

namespace quadrille::checker {
namespace {

using nlohmann::ordered_json;

// What GitHub keeps of a run; findings come most severe first then.
constexpr std::size_t most_results = 5'000;

ordered_json location(const contract::Location& place) {
  ordered_json physical{{"artifactLocation", {{"uri", place.file}}}};
  if (place.line > 0) physical["region"] = {{"startLine", place.line}, {"startColumn", place.column}};
  return {{"physicalLocation", physical}};
}

ordered_json code_flow(const Finding& finding) {
  auto stations = ordered_json::array();
  for (const auto& station : finding.witness) {
    auto where = location(station.location);
    where["message"] = {{"text", station.label}};
    stations.push_back({{"location", where}});
  }
  return ordered_json::array({{{"threadFlows", ordered_json::array({{{"locations", stations}}})}}});
}

ordered_json result(const Finding& finding) {
  ordered_json entry{{"ruleId", finding.code},
                     {"level", name_of(finding.severity)},
                     {"message", {{"text", finding.message + "\n" + finding.hint}}},
                     {"locations", ordered_json::array({location(finding.location)})},
                     {"partialFingerprints", {{"quadrille/v1", fingerprint(finding)}}}};
  if (!finding.witness.empty()) entry["codeFlows"] = code_flow(finding);
  if (!finding.suppressed.empty())
    entry["suppressions"] =
        ordered_json::array({{{"kind", "external"}, {"status", "accepted"}, {"justification", finding.suppressed}}});
  return entry;
}

ordered_json rules() {
  auto list = ordered_json::array();
  for (const auto& rule : rule_book())
    list.push_back({{"id", rule.code},
                    {"properties", {{"tags", {"choreography", "saga"}}}},
                    {"shortDescription", {{"text", rule.title}}},
                    {"fullDescription", {{"text", rule.why}}},
                    {"help", {{"text", rule.repair}}}});
  return list;
}

}  // namespace

std::string as_sarif(const std::vector<Finding>& findings, const std::string& version) {
  auto results = ordered_json::array();
  for (const auto severity : {Severity::error, Severity::warning, Severity::note})
    for (const auto& finding : findings)
      if (finding.severity == severity && results.size() < most_results) results.push_back(result(finding));
  const ordered_json document{
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
      {"version", "2.1.0"},
      {"runs",
       ordered_json::array({{{"tool", {{"driver", {{"name", "quadrille"}, {"version", version}, {"rules", rules()}}}}},
                             {"results", results}}})}};
  return document.dump(2) + "\n";
}

}  // namespace quadrille::checker
