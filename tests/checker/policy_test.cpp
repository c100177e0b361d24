#include "checker/policy.hpp"

#include "embedded/child_process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace quadrille::checker {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace std::chrono;

constexpr year_month_day today{year(2026), month(12), day(1)};

Finding finding(const std::string& code, const std::string& about, const std::string& saga = "") {
  return {code, Severity::warning, {"shop.proto", 3, 1}, code + " of " + about, "repair it", {}, {about}, saga};
}

/// Findings after a policy, as `CODE severity [suppressed]`.
std::vector<std::string> after(const std::string& text, std::vector<Finding> findings) {
  const embedded::TemporaryFolder folder;
  std::ofstream(folder.path() / "policy.textproto") << text;
  Policy(folder.path() / "policy.textproto").apply(findings, today);
  std::vector<std::string> result;
  for (const auto& one : findings)
    result.push_back(one.code + " " + name_of(one.severity) +
                     (one.suppressed.empty() ? "" : " [" + one.suppressed + "]"));
  return result;
}

std::string complaint(const std::string& text) {
  try {
    static_cast<void>(after(text, {}));
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(Policy, SetsSeveritiesForARuleOrForOneSagaOfIt) {
  EXPECT_THAT(after("rule { code: \"QDR172\" severity: ERROR } rule { code: \"QDR116\" severity: OFF }",
                    {finding("QDR172", "a"), finding("QDR116", "b")}),
              ElementsAre("QDR172 error"));
  EXPECT_THAT(after("rule { code: \"QDR116\" severity: NOTE saga: \"refund\" }",
                    {finding("QDR116", "a", "checkout"), finding("QDR116", "b", "refund")}),
              ElementsAre("QDR116 warning", "QDR116 note"));
}

TEST(Policy, WaivesWhatItNamesAndNothingElse) {
  EXPECT_THAT(
      after("waiver { code: \"QDR172\" about: \"a\" reason: \"law says so\" owner: \"ada\" expires: \"2027-01-01\" }",
            {finding("QDR172", "a"), finding("QDR172", "b"), finding("QDR116", "a")}),
      ElementsAre("QDR172 warning [waived by ada: law says so]", "QDR172 warning", "QDR116 warning"));
}

TEST(Policy, AWaiverHoldsOnItsLastDayAndNotAfter) {
  const std::string until = "waiver { code: \"QDR172\" reason: \"r\" owner: \"o\" expires: \"";
  EXPECT_THAT(after(until + "2026-12-01\" }", {finding("QDR172", "a")}),
              ElementsAre("QDR172 warning [waived by o: r]"));
  EXPECT_THAT(after(until + "2026-11-30\" }", {finding("QDR172", "a")}),
              ElementsAre("QDR172 warning", "QDR001 warning"));
}

TEST(Policy, TellsOfAWaiverThatSuppressesNothing) {
  EXPECT_THAT(after("waiver { code: \"QDR172\" reason: \"r\" owner: \"o\" expires: \"2027-01-01\" }", {}),
              ElementsAre("QDR002 warning"));
}

TEST(Policy, RefusesWhatNobodyAnswersFor) {
  EXPECT_THAT(complaint("waiver { code: \"QDR172\" reason: \"r\" expires: \"2027-01-01\" }"),
              HasSubstr("policy.textproto:1: a waiver needs a code that exists, reason, owner"));
  EXPECT_THAT(complaint("\nwaiver { code: \"QDR172\" reason: \"r\" owner: \"o\" expires: \"2027-02-30\" }"),
              HasSubstr("policy.textproto:2: a waiver needs"));
  EXPECT_THAT(complaint("rule { code: \"QDR999\" severity: OFF }"), HasSubstr("(is \"QDR999\")"));
  EXPECT_THAT(complaint("ruel { }"), HasSubstr("policy.textproto:1:6: "));
}

TEST(Baseline, SuppressesWhatWasThereAndNotWhatIsNew) {
  const embedded::TemporaryFolder folder;
  const auto file = folder.path() / "known.json";
  std::ofstream(file) << Baseline::write({finding("QDR172", "a")});
  auto moved = finding("QDR172", "a");
  moved.location.line = 99;
  moved.message = "worded otherwise";
  std::vector<Finding> findings{moved, finding("QDR172", "b")};
  Baseline(file).apply(findings);
  EXPECT_EQ(findings[0].suppressed, "in the baseline");
  EXPECT_EQ(findings[1].suppressed, "");
}

TEST(Baseline, RefusesAnotherFile) {
  const embedded::TemporaryFolder folder;
  std::ofstream(folder.path() / "other.json") << "[]";
  EXPECT_THROW(Baseline(folder.path() / "other.json"), std::runtime_error);
}

}  // namespace
}  // namespace quadrille::checker
