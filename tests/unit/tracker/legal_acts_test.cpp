// What a person may do about a saga, by the declared graph.
#include "tracker/legal_acts.hpp"

#include "shop_sagas.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace quadrille::tracker {
namespace {

using ::testing::HasSubstr;

class LegalActs : public ::testing::Test {
 protected:
  [[nodiscard]] LegalAct act(const std::string& name, std::chrono::seconds later = std::chrono::seconds(1)) const {
    for (auto& found : legal_acts(saga_.standing(later), saga_.choreography.get()))
      if (found.act == name) return found;
    ADD_FAILURE() << "nothing is said of " << name;
    return {};
  }
  ShopSagas saga_;
};

TEST_F(LegalActs, ASagaCanBeCancelledWhileItsPivotHasNotDecided) {
  const int placed = saga_.say("order", "OrderPlaced", -1);
  auto cancel = act("cancel");
  EXPECT_TRUE(cancel.allowed) << cancel.reason;
  EXPECT_EQ(cancel.participant, "order");
  EXPECT_EQ(cancel.step, "GiveUp");
  const int authorized = saga_.say("payment", "PaymentAuthorized", placed);
  EXPECT_TRUE(act("cancel").allowed);
  saga_.say("inventory", "StockReserved", authorized);
  cancel = act("cancel");
  EXPECT_FALSE(cancel.allowed);
  EXPECT_THAT(cancel.reason, HasSubstr("pivot has decided"));
}

TEST_F(LegalActs, WhatIsBeingUndoneOrOverIsNotCancelled) {
  const int placed = saga_.say("order", "OrderPlaced", -1);
  const int declined = saga_.say("payment", "PaymentDeclined", placed);
  EXPECT_THAT(act("cancel").reason, HasSubstr("being undone"));
  saga_.say("order", "OrderRejected", declined);
  EXPECT_THAT(act("cancel").reason, HasSubstr("over"));
}

TEST_F(LegalActs, WhatThePivotHasRefusedIsBeingUndone) {
  const int placed = saga_.say("order", "OrderPlaced", -1);
  const int authorized = saga_.say("payment", "PaymentAuthorized", placed);
  saga_.say("inventory", "StockRefused", authorized);
  EXPECT_FALSE(act("cancel").allowed);
  EXPECT_THAT(act("cancel").reason, HasSubstr("being undone"));
}

TEST_F(LegalActs, AParkedMessageIsRetriedOrDiscardedBeforeAnythingIsResolved) {
  const int placed = saga_.say("order", "OrderPlaced", -1);
  EXPECT_FALSE(act("retry").allowed);
  EXPECT_FALSE(act("resolve").allowed);
  saga_.stuck("payment", "Authorize", "m1", placed);
  EXPECT_TRUE(act("retry").allowed);
  EXPECT_EQ(act("retry").participant, "payment");
  EXPECT_EQ(act("retry").message_id, "m1");
  EXPECT_TRUE(act("discard").allowed);
  EXPECT_FALSE(act("resolve").allowed);
  EXPECT_THAT(act("resolve").reason, HasSubstr("payment"));
}

TEST_F(LegalActs, ASagaThatWaitsForWhatWasDiscardedStaysStuckAndIsResolved) {
  const int placed = saga_.say("order", "OrderPlaced", -1);
  const int authorized = saga_.say("payment", "PaymentAuthorized", placed);
  const int reserved = saga_.say("inventory", "StockReserved", authorized);
  saga_.stuck("payment", "Capture", "m1", reserved);
  saga_.discarded("payment", "m1", reserved);
  const auto standing = saga_.standing(std::chrono::seconds(1));
  EXPECT_EQ(standing.state, State::stuck);
  ASSERT_EQ(standing.stuck.size(), 1U);
  EXPECT_THAT(standing.stuck[0].error, HasSubstr("a test order"));
  EXPECT_FALSE(act("retry").allowed);
  EXPECT_THAT(act("retry").reason, HasSubstr("discarded"));
  EXPECT_TRUE(act("resolve").allowed) << act("resolve").reason;
  saga_.say("payment", "PaymentCaptured", reserved);
  EXPECT_EQ(saga_.standing(std::chrono::seconds(1)).state, State::running) << "it has come another way";
}

TEST_F(LegalActs, ATimerStepThatIsStuckIsRunNow) {
  saga_.stuck_timer("order", "GiveUp", saga_.say("order", "OrderPlaced", -1));
  const auto retry = act("retry");
  EXPECT_TRUE(retry.allowed) << retry.reason;
  EXPECT_EQ(retry.message_id, "");
  EXPECT_EQ(retry.participant, "order");
  EXPECT_EQ(retry.step, "GiveUp");
  EXPECT_TRUE(act("resolve").allowed);
}

TEST_F(LegalActs, WhatIsTriedOnByItselfHasNothingToRetry) {
  saga_.stuck("order", "Reject", "", saga_.say("order", "OrderPlaced", -1));
  const auto retry = act("retry");
  EXPECT_FALSE(retry.allowed);
  EXPECT_THAT(retry.reason, HasSubstr("by itself"));
}

TEST_F(LegalActs, PastItsDeadlineASagaMayBeResolvedByHand) {
  saga_.say("order", "OrderPlaced", -1);
  EXPECT_TRUE(act("resolve", std::chrono::hours(25)).allowed);
}

TEST_F(LegalActs, WithoutAContractNothingIsCancelled) {
  saga_.say("order", "OrderPlaced", -1);
  const auto parts = judge(ShopSagas::trail_of(saga_.events), nullptr, saga_.events.back().recorded_at);
  for (const auto& found : legal_acts(parts.front(), nullptr)) EXPECT_FALSE(found.allowed) << found.act;
}

}  // namespace
}  // namespace quadrille::tracker
