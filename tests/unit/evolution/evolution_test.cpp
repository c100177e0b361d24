// tests/checker/rules/<CODE>/before against faulty and repaired, and the shop against edited copies of itself.
#include "evolution/evolution.hpp"

#include "checker/load.hpp"
#include "checker/report.hpp"
#include "checker/rule_book.hpp"
#include "embedded/child_process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace quadrille::evolution {
namespace {

namespace fs = std::filesystem;
using checker::Contracts;
using checker::Finding;
using checker::Severity;

fs::path source() { return QUADRILLE_SOURCE_DIR; }

std::vector<Finding> changes(const Contracts& before, const Contracts& after) {
  const Version old{before.reading().model, before.pool()};
  const Version now{after.reading().model, after.pool()};
  auto findings = wire_changes(old, now);
  for (auto& finding : flow_changes(old.model, now.model)) findings.push_back(std::move(finding));
  for (auto& finding : order_findings(old.model, now.model)) findings.push_back(std::move(finding));
  return findings;
}

class Rule : public ::testing::TestWithParam<std::string> {};

TEST_P(Rule, FindsItsChangeAndAcceptsTheRepairedOne) {
  const auto folder = source() / "tests" / "checker" / "rules" / GetParam();
  const Contracts before({folder / "before"}, {});
  const auto faulty = changes(before, Contracts({folder / "faulty"}, {}));
  ASSERT_EQ(faulty.size(), 1U) << checker::as_text(faulty, false);
  EXPECT_EQ(faulty[0].code, GetParam());
  EXPECT_GT(faulty[0].location.line, 0);
  const auto repaired = changes(before, Contracts({folder / "repaired"}, {}));
  EXPECT_TRUE(repaired.empty()) << checker::as_text(repaired, false);
  EXPECT_TRUE(checker::find_rule(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Each, Rule, ::testing::Values("QDR173", "QDR174", "QDR175"),
                         [](const auto& rule) { return rule.param; });

/// A copy of the shop's contracts to edit.
class Shop : public ::testing::Test {
 protected:
  Shop() { fs::copy(source() / "contracts" / "shop", folder_.path() / "shop", fs::copy_options::recursive); }

  void replace(const std::string& file, const std::string& old, const std::string& by) {
    const auto path = folder_.path() / "shop" / file;
    std::ostringstream content;
    content << std::ifstream(path).rdbuf();
    auto text = content.str();
    const auto at = text.find(old);
    ASSERT_NE(at, std::string::npos) << old << " is not in " << file;
    text.replace(at, old.size(), by);
    std::ofstream(path) << text;
  }
  std::vector<Finding> compare() const {
    return changes(Contracts({source() / "contracts" / "shop"}, {}), Contracts({folder_.path() / "shop"}, {}));
  }
  /// What the one change is called: `QDR173 error`.
  std::string verdict() const {
    std::string text;
    for (const auto& finding : compare())
      text += finding.code + " " + name_of(finding.severity) + ": " + finding.message + "\n";
    return text;
  }

  embedded::TemporaryFolder folder_;
};

TEST_F(Shop, AJoinThatBeginsToWaitForAllStrandsSagas) {
  replace("order/v1/order.proto", "join: ANY", "join: ALL");
  EXPECT_THAT(verdict(), ::testing::HasSubstr("QDR174 error: order.Reject waits for all its events now"));
}

TEST_F(Shop, WhatIsNoLongerSettledIsTold) {
  replace("inventory/v1/inventory.proto", "settles: \"Abandon\", ", "");
  EXPECT_THAT(verdict(), ::testing::HasSubstr("QDR174 warning: inventory.Reserve no longer settles Abandon"));
}

TEST_F(Shop, AnUndoThatIsNoLongerNullSafeIsToldAndDeployed) {
  replace("payment/v1/payment.proto", "null_safe: true, ", "");
  EXPECT_THAT(verdict(), ::testing::HasSubstr("QDR174 warning: payment.Void is no longer null_safe"));
  EXPECT_THAT(deploy_order(Contracts({source() / "contracts" / "shop"}, {}).reading().model,
                           Contracts({folder_.path() / "shop"}, {}).reading().model),
              ::testing::ElementsAre("payment"));
}

TEST_F(Shop, IsEqualToItself) {
  EXPECT_EQ(verdict(), "");
  const Contracts shop({source() / "contracts" / "shop"}, {});
  EXPECT_TRUE(deploy_order(shop.reading().model, shop.reading().model).empty());
}

TEST_F(Shop, MayGetNewFields) {
  replace("payment/v1/payment_events.proto", "string reason = 2;", "string reason = 2;\n  string code = 3;");
  EXPECT_EQ(verdict(), "");
}

TEST_F(Shop, MayLoseAFieldWhoseNumberAndNameAreReserved) {
  replace("payment/v1/payment_events.proto", "string reason = 2;", "reserved 2; reserved \"reason\";");
  EXPECT_EQ(verdict(), "");
}

TEST_F(Shop, MayNotLoseAFieldWhoseNumberMayBeUsedAgain) {
  replace("payment/v1/payment_events.proto", "string reason = 2;", "");
  EXPECT_THAT(verdict(), ::testing::HasSubstr("QDR173 error: shop.payment.v1.PaymentDeclined.reason is gone"));
}

TEST_F(Shop, MayNotGiveAFieldAnotherNumberNameOrRepetition) {
  replace("payment/v1/payment_events.proto", "string reason = 2;", "string reason = 7;");
  EXPECT_THAT(verdict(), ::testing::HasSubstr("had number 2 and has 7 now"));
  replace("payment/v1/payment_events.proto", "string reason = 7;", "string why = 2;");
  EXPECT_THAT(verdict(), ::testing::HasSubstr("is called why now"));
  replace("payment/v1/payment_events.proto", "string why = 2;", "repeated string reason = 2;");
  EXPECT_THAT(verdict(), ::testing::HasSubstr("was string and is repeated string now"));
}

TEST_F(Shop, MayNotMoveAFieldIntoAOneof) {
  replace("payment/v1/payment_events.proto", "string reason = 2;", "oneof why { string reason = 2; }");
  EXPECT_THAT(verdict(), ::testing::HasSubstr("moved into or out of a oneof"));
}

TEST_F(Shop, MayWidenANumberButSaysSo) {
  replace("order/v1/order_events.proto", "uint32 quantity = 4;", "uint64 quantity = 4;");
  EXPECT_THAT(verdict(), ::testing::StartsWith("QDR173 warning: shop.order.v1.OrderPlaced.quantity was uint32"));
}

TEST_F(Shop, MayNotGiveUpAReservation) {
  replace("payment/v1/payment_events.proto", "string reason = 2;", "string reason = 2;\n  reserved 9 to max;");
  const Contracts before({folder_.path() / "shop"}, {});
  const auto after = changes(before, Contracts({source() / "contracts" / "shop"}, {}));
  ASSERT_EQ(after.size(), 1U) << checker::as_text(after, false);
  EXPECT_THAT(after[0].message, ::testing::HasSubstr("number 9 is no longer reserved"));
}

TEST_F(Shop, SaysThatADeadlineOrARoleChanges) {
  replace("order/v1/order.proto", "deadline: { seconds: 86400 }", "deadline: { seconds: 3600 }");
  EXPECT_THAT(verdict(), ::testing::StartsWith("QDR174 warning: saga checkout had a deadline of 24 h and has 1 h"));
  replace("order/v1/order.proto", "deadline: { seconds: 3600 }", "deadline: { seconds: 86400 }");
  replace(
      "payment/v1/payment_events.proto", "message PaymentVoided {\n  option (quadrille.v1.event) = {};",
      "message PaymentVoided {\n  option (quadrille.v1.event) = { role: { saga: \"checkout\", role: END_UNDONE } };");
  EXPECT_THAT(verdict(),
              ::testing::StartsWith("QDR174 warning: shop.payment.v1.PaymentVoided has the role END_UNDONE"));
}

TEST_F(Shop, MayNotMakeAChoiceIntoBoth) {
  replace("payment/v1/payment.proto",
          "  oneof result {\n    PaymentAuthorized authorized = 1;\n    PaymentDeclined declined = 2;\n  }",
          "  PaymentAuthorized authorized = 1;\n  PaymentDeclined declined = 2;");
  EXPECT_THAT(verdict(), ::testing::HasSubstr("QDR174 error: payment.Authorize said one of several before"));
}

TEST_F(Shop, MayNotMoveItsEventsElsewhere) {
  replace("payment/v1/payment_events.proto", "context: \"payment\"", "context: \"payment\", aggregate: \"account\"");
  EXPECT_THAT(verdict(), ::testing::HasSubstr("QDR174 error: shop.payment.v1.PaymentAuthorized moves from "
                                              "evt.*.payment.payment.PaymentAuthorized to "
                                              "evt.*.payment.account.PaymentAuthorized"));
}

TEST_F(Shop, MayFireEarlierButSaysSo) {
  replace("order/v1/order.proto", "seconds: 900", "seconds: 60");
  EXPECT_THAT(verdict(), ::testing::StartsWith("QDR174 warning: order.GiveUp fires after 1 min instead of 15 min"));
}

TEST_F(Shop, MayNotTakeAStepAwayFromSagasInFlight) {
  replace("shipping/v1/shipping.proto", "rpc Book(", "rpc Post(");
  EXPECT_THAT(verdict(), ::testing::HasSubstr("QDR174 error: shipping.Book is gone"));
}

TEST_F(Shop, IsDeployedHearersFirst) {
  replace("payment/v1/payment_events.proto", "message PaymentVoided {",
          "message PaymentFlagged {\n  option (quadrille.v1.event) = {};\n  string order_id = 1 "
          "[(quadrille.v1.field).key = true];\n}\nmessage PaymentVoided {");
  replace("payment/v1/payment.proto", "PaymentCaptured captured = 1;",
          "PaymentCaptured captured = 1;\n  PaymentFlagged flagged = 2;");
  replace(
      "shipping/v1/shipping.proto", "service ShippingSteps {",
      "message Silence { quadrille.v1.Nothing nothing = 1; }\nservice ShippingSteps {\n  rpc "
      "Watch(shop.payment.v1.PaymentFlagged) returns (Silence) { option (quadrille.v1.step) = { kind: OBSERVER }; }");
  EXPECT_THAT(verdict(), ::testing::HasSubstr("QDR175 warning: payment begins to say shop.payment.v1.PaymentFlagged, "
                                              "which shipping only hears in its new version"));
  const Contracts before({source() / "contracts" / "shop"}, {});
  const Contracts after({folder_.path() / "shop"}, {});
  EXPECT_THAT(deploy_order(before.reading().model, after.reading().model),
              ::testing::ElementsAre("shipping", "payment"));
}

TEST(Merge, PutsTheCandidateInThePlaceOfItsNamesakes) {
  contract::Model deployed;
  deployed.participants = {{.name = "a", .owner = "old"}, {.name = "b", .owner = "old"}};
  contract::Model candidate;
  candidate.participants = {{.name = "b", .owner = "new"}, {.name = "c", .owner = "new"}};
  const auto merged = merge(deployed, candidate);
  ASSERT_EQ(merged.participants.size(), 3U);
  EXPECT_EQ(merged.find_participant("a")->owner, "old");
  EXPECT_EQ(merged.find_participant("b")->owner, "new");
  EXPECT_EQ(merged.find_participant("c")->owner, "new");
}

}  // namespace
}  // namespace quadrille::evolution
