// What tests took of the declared ways: the shop's tests as they run, the built tool as a user runs it.
#include "checker/load.hpp"
#include "coverage/record.hpp"
#include "coverage/report.hpp"
#include "coverage/skeleton.hpp"
#include "support/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>

namespace quadrille {
namespace {

namespace fs = std::filesystem;
using coverage::Branch;
using coverage::Kind;
using ::testing::HasSubstr;
using ::testing::Not;

class Coverage : public ::testing::Test {
 protected:
  /// The shop's tests on virtual time, those that the filter names.
  fs::path record_of(const std::string& filter) const {
    auto file = folder_.path() / "taken.tsv";
    const auto tests = run({(binaries() / "shop_choreography_test").string(), "--gtest_filter=" + filter},
                           {{"QUADRILLE_COVERAGE", file.string()}});
    EXPECT_EQ(tests.exit_code, 0) << tests.output;
    return file;
  }
  static Answer coverage_of(const fs::path& record, const std::string& threshold = "0") {
    return tool({"coverage", "contracts/shop", "--record", record.string(), "--threshold", threshold});
  }
  static std::vector<Branch> shop() {
    const checker::Contracts contracts({root() / "contracts/shop"}, {});
    return coverage::branches_of(contracts.reading().model);
  }

  embedded::TemporaryFolder folder_;
};

TEST_F(Coverage, AsksForEachWayIntoAStepAndOutOfIt) {
  std::map<std::string, Kind> kinds;
  for (const auto& branch : shop()) kinds[text_of(branch)] = branch.kind;
  EXPECT_EQ(kinds.at("payment.Authorize says PaymentAuthorized"), Kind::success);
  EXPECT_EQ(kinds.at("payment.Authorize says PaymentDeclined"), Kind::failure);
  EXPECT_EQ(kinds.at("payment.Void says PaymentVoided"), Kind::compensation);
  EXPECT_EQ(kinds.at("order.GiveUp says CheckoutTimedOut"), Kind::timeout);
}

TEST_F(Coverage, NamesWhatTheShopsTestsDoNotTake) {
  const auto record = record_of("ShopChoreography.AnOrderGoesThrough*");
  const auto answer = coverage_of(record, "90");
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_THAT(answer.output, ::testing::ContainsRegex("payment.Capture says PaymentCaptured +success +1 time\n"));
  EXPECT_THAT(answer.output, ::testing::ContainsRegex("payment.Authorize says PaymentDeclined +failure +no test\n"));
  EXPECT_THAT(answer.output, HasSubstr("compensation 0/"));
  EXPECT_THAT(answer.output, HasSubstr("--threshold asks for 90; `quadrille new tests` begins tests for the others"));
}

TEST_F(Coverage, FindsEveryWayOfTheShopInItsTestsOnVirtualTime) {
  const auto record = record_of("ShopChoreography.*-*WhateverTheOrder*:*TheSameSeed*");
  const auto answer = coverage_of(record, "100");
  EXPECT_EQ(answer.exit_code, 0) << answer.output;
  EXPECT_THAT(answer.output, HasSubstr("branches (100 %)"));
  EXPECT_THAT(answer.output, Not(HasSubstr("speak of what these contracts do not have")));
}

TEST_F(Coverage, AddsUpWhatSeveralProcessesWrote) {
  static_cast<void>(record_of("*WithoutMoney*"));
  auto branches = shop();
  const std::array records{record_of("*WithoutMoney*")};
  EXPECT_EQ(coverage::count_taken(records, branches), 0);
  const auto declined = std::ranges::find_if(
      branches, [](const auto& one) { return text_of(one) == "payment.Authorize says PaymentDeclined"; });
  ASSERT_NE(declined, branches.end());
  EXPECT_EQ(declined->times, 2);
}

TEST_F(Coverage, SaysWhatIsNoRecordOrOneOfOtherContracts) {
  const auto file = folder_.path() / "taken.tsv";
  std::ofstream(file) << "payment\tAuthorize\tshop.order.v1.OrderPlaced\tshop.payment.v1.PaymentGone\t1\n";
  EXPECT_THAT(coverage_of(file).output, HasSubstr("1 line of the record speak of what these contracts do not have"));
  std::ofstream(file, std::ios::app) << "a log line\n";
  const auto broken = coverage_of(file);
  EXPECT_EQ(broken.exit_code, 2);
  EXPECT_THAT(broken.output, HasSubstr("taken.tsv:2: no line of a coverage record"));
}

TEST_F(Coverage, WritesHtmlAndJunit) {
  const std::vector<Branch> branches{{"a<b", "Do", "", "x.v1.Done", Kind::success, 3},
                                     {"a<b", "Do", "", "x.v1.NotDone", Kind::failure, 0},
                                     {"c", "Undo", "x.v1.NotDone", "", Kind::compensation, 1}};
  const auto html = coverage::as_html(branches);
  EXPECT_THAT(html, HasSubstr("<tr class=\"missing\"><td>a&lt;b.Do says NotDone</td><td>failure</td>"));
  EXPECT_THAT(html, HasSubstr("2 of 3 branches (66 %)"));
  const auto junit = coverage::as_junit(branches, 67);
  EXPECT_THAT(junit, HasSubstr("tests=\"4\" skipped=\"1\" failures=\"1\""));
  EXPECT_THAT(junit, HasSubstr("name=\"c.Undo on NotDone (compensation)\"/>"));
  EXPECT_THAT(coverage::as_junit(branches, 66), HasSubstr("failures=\"0\""));
}

TEST_F(Coverage, BeginsATestForEachWayNobodyTook) {
  const checker::Contracts contracts({root() / "contracts/shop"}, {});
  const auto& model = contracts.reading().model;
  auto branches = coverage::branches_of(model);
  for (auto& branch : branches) branch.times = text_of(branch) == "payment.Authorize says PaymentDeclined" ? 0 : 1;
  const auto begun = coverage::skeletons(model, branches);
  ASSERT_EQ(begun.size(), 1);
  EXPECT_EQ(begun[0].participant, "payment");
  EXPECT_EQ(begun[0].text, R"(TEST(PaymentService, AuthorizeSaysPaymentDeclined) {
  GTEST_SKIP() << "no test takes this failure branch yet: say what was before and what the trigger holds";
  Scenario<PaymentService> scenario;
  // scenario.resource(...).given(...): what there was before
  ::shop::order::v1::OrderPlaced trigger;
  trigger.set_order_id("1");
  scenario.when(trigger).then(::shop::payment::v1::PaymentDeclined());
}

)");
}

}  // namespace
}  // namespace quadrille
