// Where a saga stands, told from its events.
#include "shop_sagas.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace quadrille::tracker {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Judge : public ::testing::Test {
 protected:
  /// Authorized, and refused by the pivot's owner: everything is to be undone.
  void refused() {
    const int placed = saga_.say("order", "OrderPlaced", -1);
    const int authorized = saga_.say("payment", "PaymentAuthorized", placed);
    refused_ = saga_.say("inventory", "StockRefused", authorized);
  }
  ShopSagas saga_;
  int refused_ = -1;
};

TEST_F(Judge, NamesTheStepThatEverySagaWaitsFor) {
  const std::vector<std::pair<const char*, const char*>> way{
      {"order OrderPlaced", "payment.Authorize"},        {"payment PaymentAuthorized", "inventory.Reserve"},
      {"inventory StockReserved", "payment.Capture"},    {"payment PaymentCaptured", "shipping.Book"},
      {"shipping ShipmentBooked", "inventory.Dispatch"}, {"inventory StockDispatched", "order.Confirm"}};
  int cause = -1;
  for (const auto& [said, next] : way) {
    const std::string text = said;
    const auto blank = text.find(' ');
    cause = saga_.say(text.substr(0, blank), text.substr(blank + 1), cause);
    const auto standing = saga_.standing();
    EXPECT_EQ(standing.state, State::running) << said;
    EXPECT_THAT(waited(standing), ElementsAre(next)) << said;
    EXPECT_EQ(standing.waiting.front().since, saga_.events.back().recorded_at) << said;
    EXPECT_EQ(standing.pivot, cause >= 2 ? Pivot::passed : Pivot::open) << said;
  }
  saga_.say("order", "OrderConfirmed", cause);
  const auto standing = saga_.standing();
  EXPECT_EQ(standing.state, State::completed);
  EXPECT_EQ(standing.saga, "checkout");
  EXPECT_EQ(standing.key, "s1");
  EXPECT_EQ(standing.ended_at, saga_.events.back().recorded_at);
  EXPECT_THAT(standing.waiting, IsEmpty());
  EXPECT_THAT(standing.remaining, IsEmpty());
  EXPECT_THAT(standing.timers, IsEmpty());
  EXPECT_THAT(standing.owed(), IsEmpty()) << "nothing is to be undone of what went well";
}

TEST_F(Judge, ToldInAnyOrderAndTwiceASagaStandsWhereItStands) {
  refused();
  const int voided = saga_.say("payment", "PaymentVoided", refused_);
  saga_.stuck("order", "Reject", "m1", voided);
  const auto in_order = in_full(saga_.standing());
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const auto now = saga_.events.back().recorded_at + std::chrono::seconds(10);
  for (int round = 0; round < 200; ++round) {
    auto events = saga_.events;
    events.insert(events.end(), saga_.events.begin(), saga_.events.end());
    std::ranges::shuffle(events, random);
    EXPECT_EQ(in_full(judge(ShopSagas::trail_of(events), saga_.choreography.get(), now).front()), in_order);
  }
}

TEST_F(Judge, AFailureTurnsItRoundAndItIsCancelledWhenAllIsUndone) {
  refused();
  auto standing = saga_.standing();
  EXPECT_EQ(standing.state, State::compensating);
  EXPECT_THAT(waited(standing), ElementsAre("payment.Void"));
  EXPECT_THAT(standing.owed(), ElementsAre("order.Reject", "payment.Void"));
  EXPECT_EQ(standing.pivot, Pivot::refused);
  EXPECT_THAT(standing.remaining, ElementsAre("order.Reject"));
  ASSERT_TRUE(standing.failure);
  EXPECT_EQ(standing.failure->event, "StockRefused");
  EXPECT_EQ(standing.failure->participant, "inventory");

  const int voided = saga_.say("payment", "PaymentVoided", refused_);
  EXPECT_THAT(saga_.standing().owed(), ElementsAre("order.Reject"));
  saga_.say("order", "OrderRejected", voided);
  standing = saga_.standing();
  EXPECT_EQ(standing.state, State::cancelled);
  EXPECT_THAT(standing.owed(), IsEmpty());
  ASSERT_EQ(standing.ledger.size(), 2U);
  EXPECT_EQ(standing.ledger[1].undone_by, saga_.events[3].id) << "each undoing is proven by its event";
}

TEST_F(Judge, IsNotCancelledWhileACompensationIsOwed) {
  refused();
  saga_.say("order", "OrderRejected", refused_);  // said, though nobody has voided the payment
  const auto standing = saga_.standing();
  EXPECT_EQ(standing.state, State::compensating);
  EXPECT_THAT(standing.owed(), ElementsAre("payment.Void"));
}

TEST_F(Judge, ALateSuccessIsOwedItsUndoing) {
  const int placed = saga_.say("order", "OrderPlaced", -1);
  const int declined = saga_.say("payment", "PaymentDeclined", placed);
  saga_.say("order", "OrderRejected", declined);
  ASSERT_EQ(saga_.standing().state, State::cancelled);
  const int authorized = saga_.say("payment", "PaymentAuthorized", placed);  // after all
  EXPECT_EQ(saga_.standing().state, State::compensating);
  EXPECT_THAT(saga_.standing().owed(), ElementsAre("payment.Void"));
  saga_.say("payment", "PaymentVoided", authorized);
  EXPECT_EQ(saga_.standing().state, State::cancelled);
}

TEST_F(Judge, AParkedMessageMakesItStuckUntilItIsHandled) {
  const int placed = saga_.say("order", "OrderPlaced", -1);
  const int authorized = saga_.say("payment", "PaymentAuthorized", placed);
  const int reserved = saga_.say("inventory", "StockReserved", authorized);
  saga_.stuck("payment", "Capture", "m1", reserved);
  auto standing = saga_.standing();
  EXPECT_EQ(standing.state, State::stuck);
  ASSERT_EQ(standing.stuck.size(), 1U);
  EXPECT_EQ(standing.stuck[0].step, "payment.Capture");
  EXPECT_EQ(standing.stuck[0].error, "the card network is away");
  EXPECT_EQ(standing.stuck[0].attempts, 12U);
  EXPECT_THAT(waited(standing), ElementsAre("payment.Capture"));

  saga_.resumed("payment", "m1", reserved);
  EXPECT_EQ(saga_.standing().state, State::running);
  // What comes late does not count: versions tell which word was the last.
  std::swap(saga_.events[saga_.events.size() - 2].recorded_at, saga_.events.back().recorded_at);
  EXPECT_EQ(saga_.standing().state, State::running);
  saga_.stuck("payment", "Capture", "m1", reserved);
  EXPECT_EQ(saga_.standing().state, State::stuck);
}

TEST_F(Judge, StuckAgainAfterARetryItCountsAllItsTriesSinceTheFirst) {
  const int placed = saga_.say("order", "OrderPlaced", -1);
  saga_.stuck("payment", "Authorize", "m1", placed);
  const auto since = saga_.standing().stuck.front().since;
  saga_.stuck("payment", "Authorize", "m1", placed);
  ASSERT_EQ(saga_.standing().stuck.size(), 1U);
  EXPECT_EQ(saga_.standing().stuck.front().attempts, 24U);
  EXPECT_EQ(saga_.standing().stuck.front().since, since);
  saga_.resumed("payment", "m1", placed);
  saga_.stuck("payment", "Authorize", "m1", placed);
  EXPECT_EQ(saga_.standing().stuck.front().attempts, 12U) << "it had gone on in between";
}

TEST_F(Judge, PastItsDeadlineItIsStuckAndTheStepThatIsOwedIsNamed) {
  saga_.say("order", "OrderPlaced", -1);
  EXPECT_EQ(saga_.standing(std::chrono::hours(23)).state, State::running);
  const auto standing = saga_.standing(std::chrono::hours(25));
  EXPECT_EQ(standing.state, State::stuck);
  ASSERT_EQ(standing.stuck.size(), 1U);
  EXPECT_EQ(standing.stuck[0].step, "payment.Authorize");
  EXPECT_EQ(standing.stuck[0].error, "past its deadline");
  EXPECT_EQ(standing.stuck[0].since, *standing.deadline_at);
}

TEST_F(Judge, WhatIsOverIsNeverPastItsDeadline) {
  saga_.checkout();
  EXPECT_EQ(saga_.standing(std::chrono::hours(100)).state, State::completed);
}

TEST_F(Judge, KnowsTheTimersThatAreArmed) {
  const int placed = saga_.say("order", "OrderPlaced", -1);
  saga_.say("payment", "PaymentAuthorized", placed);
  const auto standing = saga_.standing();
  ASSERT_EQ(standing.timers.size(), 2U);
  EXPECT_EQ(standing.timers[0].step, "order.GiveUp");
  EXPECT_EQ(standing.timers[0].due_at, saga_.events[0].recorded_at + std::chrono::minutes(15));
  EXPECT_EQ(standing.timers[1].step, "payment.Lapse");
}

TEST_F(Judge, TellsWhatRemains) {
  const int placed = saga_.say("order", "OrderPlaced", -1);
  const int authorized = saga_.say("payment", "PaymentAuthorized", placed);
  saga_.say("inventory", "StockReserved", authorized);
  EXPECT_THAT(saga_.standing().remaining, ElementsAre("inventory.Dispatch", "order.Confirm", "shipping.Book"));
}

TEST_F(Judge, OfAnUnknownContractItTellsThatThereIsASaga) {
  saga_.say("order", "OrderPlaced", -1);
  const auto parts = judge(ShopSagas::trail_of(saga_.events), nullptr, saga_.events.back().recorded_at);
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(parts[0].saga, "");
  EXPECT_EQ(parts[0].key, "s1");
  EXPECT_EQ(parts[0].state, State::running);
}

TEST_F(Judge, AnEventThatNoContractDeclaresDisturbsNothing) {
  const int placed = saga_.say("order", "OrderPlaced", -1);
  saga_.say("payment", "PaymentAuthorized", placed);
  auto stranger = saga_.events.back();
  stranger.id = "stranger";
  stranger.type = "shop.fraud.v1.ScoreComputed";
  stranger.source = "fraud";
  saga_.events.push_back(stranger);
  EXPECT_THAT(waited(saga_.standing()), ElementsAre("inventory.Reserve"));
}

TEST_F(Judge, ATrailSurvivesItsBytes) {
  refused();
  saga_.stuck("payment", "Void", "m1", refused_);
  const auto trail = ShopSagas::trail_of(saga_.events);
  const auto again = Trail::unpack(trail.pack());
  const auto now = saga_.events.back().recorded_at;
  EXPECT_EQ(in_full(judge(again, saga_.choreography.get(), now).front()),
            in_full(judge(trail, saga_.choreography.get(), now).front()));
  EXPECT_THROW(static_cast<void>(Trail::unpack("no trail")), Error);
}

}  // namespace
}  // namespace quadrille::tracker
