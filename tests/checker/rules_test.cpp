// tests/checker/rules/<CODE>/faulty triggers exactly that rule; its repaired neighbour triggers nothing.
#include "checker/check.hpp"
#include "checker/load.hpp"
#include "checker/report.hpp"
#include "checker/rule_book.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace quadrille::checker {
namespace {

namespace fs = std::filesystem;

fs::path rules() { return fs::path(QUADRILLE_SOURCE_DIR) / "tests" / "checker" / "rules"; }

std::vector<Finding> findings_of(const fs::path& folder) { return check(Contracts({folder}, {}).reading()); }

std::vector<std::string> codes() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(rules()))
    if (!fs::exists(entry.path() / "before")) names.push_back(entry.path().filename().string());  // else a change
  std::ranges::sort(names);
  return names;
}

class Rule : public ::testing::TestWithParam<std::string> {};

/// Notes tell something; only where a rule is a note itself do they count.
std::vector<Finding> without_notes(std::vector<Finding> findings, const std::string& but) {
  std::erase_if(findings,
                [&](const Finding& finding) { return finding.severity == Severity::note && finding.code != but; });
  return findings;
}

TEST_P(Rule, FindsItsFaultAndNothingElse) {
  const auto findings = without_notes(findings_of(rules() / GetParam() / "faulty"), GetParam());
  ASSERT_EQ(findings.size(), 1U) << as_text(findings, false);
  EXPECT_EQ(findings[0].code, GetParam());
  EXPECT_GT(findings[0].location.line, 0) << "no place: " << findings[0].message;
  EXPECT_FALSE(findings[0].hint.empty());
}

TEST_P(Rule, AcceptsTheRepairedContract) {
  const auto findings = without_notes(findings_of(rules() / GetParam() / "repaired"), GetParam());
  EXPECT_TRUE(findings.empty()) << as_text(findings, false);
}

INSTANTIATE_TEST_SUITE_P(Each, Rule, ::testing::ValuesIn(codes()), [](const auto& rule) { return rule.param; });

TEST_P(Rule, IsExplained) {
  const auto rule = find_rule(GetParam());
  ASSERT_TRUE(rule);
  for (const auto text : {rule->title, rule->why, rule->repair}) EXPECT_FALSE(text.empty());
}

/// Further shapes of a rule's fault, tests/checker/cases/<CODE>_<what>.
std::vector<std::string> cases() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(rules().parent_path() / "cases"))
    names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

class Case : public ::testing::TestWithParam<std::string> {};

TEST_P(Case, IsFoundByItsRuleAndAcceptedWhenRepaired) {
  const auto folder = rules().parent_path() / "cases" / GetParam();
  const auto code = GetParam().substr(0, GetParam().find('_'));
  const auto findings = without_notes(findings_of(folder / "faulty"), code);
  ASSERT_EQ(findings.size(), 1U) << as_text(findings, false);
  EXPECT_EQ(findings[0].code, code);
  const auto repaired = without_notes(findings_of(folder / "repaired"), code);
  EXPECT_TRUE(repaired.empty()) << as_text(repaired, false);
}

INSTANTIATE_TEST_SUITE_P(Each, Case, ::testing::ValuesIn(cases()), [](const auto& name) { return name.param; });

TEST(RuleBook, ExplainsNothingThatIsNotTested) {
  // The parser's; those of a policy, of servers and of recorded traffic have tests of their own (policy_test,
  // inspect_test, conform_test).
  const auto elsewhere = [](std::string_view code) { return code < "QDR101" || code > "QDR192"; };
  for (const auto& rule : rule_book())
    EXPECT_TRUE(elsewhere(rule.code) || fs::exists(rules() / rule.code)) << rule.code;
}

TEST(Check, AcceptsTheShop) {
  for (const auto& finding : findings_of(fs::path(QUADRILLE_SOURCE_DIR) / "contracts" / "shop"))
    EXPECT_EQ(finding.severity, Severity::note) << as_text({finding}, false);
}

TEST(Check, AcceptsTheConductedShop) {
  for (const auto& finding : findings_of(fs::path(QUADRILLE_SOURCE_DIR) / "contracts" / "orchestrated"))
    EXPECT_EQ(finding.severity, Severity::note) << as_text({finding}, false);
}

TEST(Check, RejectsTheTextbookDraftInWhichTwoDecide) {
  std::set<std::string> errors;
  for (const auto& finding : findings_of(fs::path(QUADRILLE_SOURCE_DIR) / "tests" / "checker" / "textbook"))
    if (finding.severity == Severity::error) errors.insert(finding.code);
  EXPECT_EQ(errors, (std::set<std::string>{"QDR110", "QDR122", "QDR125", "QDR161"}));
}

}  // namespace
}  // namespace quadrille::checker
