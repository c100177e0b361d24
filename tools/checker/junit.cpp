#include "checker/report.hpp"
#include "checker/rule_book.hpp"
#include "checker/xml_text.hpp"

#include <map>

namespace quadrille::checker {
namespace {

std::string failure(const Finding& finding) {
  return "      <failure type=\"" + std::string(name_of(finding.severity)) + "\" message=\"" +
         xml_text(finding.message) + "\">" + xml_text(as_text({finding}, false)) + "</failure>\n";
}

}  // namespace

std::string as_junit(const std::vector<Finding>& findings, const std::vector<std::string>& sagas, Severity fails_from) {
  std::map<std::string, std::map<std::string, std::vector<const Finding*>>> suites;
  suites["contracts"];
  for (const auto& saga : sagas) suites["saga " + saga];
  for (const auto& finding : findings)
    if (finding.suppressed.empty() && finding.severity >= fails_from)
      suites[finding.saga.empty() ? "contracts" : "saga " + finding.saga][finding.code].push_back(&finding);
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"quadrille check\">\n";
  for (const auto& [suite, by_rule] : suites) {
    text += "  <testsuite name=\"" + xml_text(suite) + "\" tests=\"" + std::to_string(rule_book().size()) +
            "\" failures=\"" + std::to_string(by_rule.size()) + "\">\n";
    for (const auto& rule : rule_book()) {
      const auto found = by_rule.find(std::string(rule.code));
      text += "    <testcase classname=\"" + xml_text(suite) + "\" name=\"" + std::string(rule.code) + " " +
              xml_text(rule.title) + "\"";
      if (found == by_rule.end()) {
        text += "/>\n";
        continue;
      }
      text += ">\n";
      for (const auto* finding : found->second) text += failure(*finding);
      text += "    </testcase>\n";
    }
    text += "  </testsuite>\n";
  }
  return text + "</testsuites>\n";
}

}  // namespace quadrille::checker
