// The shop's sagas on virtual time: what a service author writes, and what it shows of the framework's own loops.
#include "inventory/inventory_service.hpp"
#include "order/order_service.hpp"
#include "payment/payment_service.hpp"
#include "quadrille/testing/choreography.hpp"
#include "shipping/shipping_service.hpp"

#include <gtest/gtest.h>

namespace shop {
namespace {

using namespace std::chrono_literals;
using quadrille::testing::Choreography;
using quadrille::testing::SagaState;

class ShopChoreography : public ::testing::Test {
 protected:
  static order::v1::PlaceOrder order(std::uint64_t cents = 300, std::uint32_t quantity = 1) {
    order::v1::PlaceOrder command;
    command.set_order_id("o-1");
    command.set_customer_id("alice");
    command.set_item("clock");
    command.set_quantity(quantity);
    command.set_amount_cents(cents);
    return command;
  }
  void SetUp() override {
    shop.add<order::OrderService>().add<payment::PaymentService>();
    shop.add<inventory::InventoryService>().add<shipping::ShippingService>();
    shop.resource("payment", "account/alice", 500).resource("inventory", "item/clock", 5);
  }
  /// Nothing is left half done, whatever happened on the way.
  void expect_settled() {
    EXPECT_TRUE(shop.all_published());
    EXPECT_EQ(shop.held("payment", "account/alice"), 0);
    EXPECT_EQ(shop.held("inventory", "item/clock"), 0);
  }
  void expect_done(const std::string& saga) {
    shop.expect_state(saga, SagaState::completed);
    EXPECT_EQ(shop.free("payment", "account/alice"), 200);
    EXPECT_EQ(shop.free("inventory", "item/clock"), 4);
    expect_settled();
  }
  void expect_undone(const std::string& saga) {
    shop.expect_state(saga, SagaState::cancelled);
    EXPECT_EQ(shop.free("payment", "account/alice"), 500);
    EXPECT_EQ(shop.free("inventory", "item/clock"), 5);
    expect_settled();
  }

  Choreography shop;
};

TEST_F(ShopChoreography, AnOrderGoesThroughWithoutTimePassing) {
  const auto saga = shop.when(order());
  shop.expect_said(
      saga, {"order.OrderPlaced", "payment.PaymentAuthorized", "inventory.StockReserved", "payment.PaymentCaptured",
             "shipping.ShipmentBooked", "inventory.StockDispatched", "order.OrderConfirmed"});
  expect_done(saga);
  shop.advance(25h);  // every timer comes too late to matter
  expect_done(saga);
}

TEST_F(ShopChoreography, WithoutMoneyItIsRejected) {
  const auto saga = shop.when(order(700));
  shop.expect_said(saga, {"order.OrderPlaced", "payment.PaymentDeclined", "order.OrderRejected"});
  expect_undone(saga);
}

TEST_F(ShopChoreography, WithoutStockTheMoneyIsGivenBack) {
  const auto saga = shop.when(order(300, 6));
  shop.expect_said(saga, {"order.OrderPlaced", "payment.PaymentAuthorized", "inventory.StockRefused",
                          "payment.PaymentVoided", "order.OrderRejected"});
  expect_undone(saga);
}

TEST_F(ShopChoreography, NobodyWaitsLongerThanTheTimeoutForAPaymentThatIsAway) {
  shop.away("payment");
  const auto saga = shop.when(order());
  shop.advance(14min);
  shop.expect_state(saga, SagaState::running);
  shop.advance(2min);  // the order asks the pivot's owner, which refuses
  shop.expect_state(saga, SagaState::compensating);
  shop.back("payment").advance(1min);
  expect_undone(saga);
}

TEST_F(ShopChoreography, AHoldLapsesWhileInventoryIsAway) {
  shop.away("inventory");
  const auto saga = shop.when(order());
  EXPECT_EQ(shop.held("payment", "account/alice"), 300);
  shop.advance(2h);
  EXPECT_EQ(shop.held("payment", "account/alice"), 300) << "only the pivot's owner decides";
  shop.back("inventory").advance(1min);
  expect_undone(saga);  // of what waited for it, the request to give up came first
}

TEST_F(ShopChoreography, DuplicatesHaveNoEffect) {
  shop.duplicate<order::v1::OrderPlaced>().duplicate<payment::v1::PaymentAuthorized>();
  shop.duplicate<inventory::v1::StockReserved>().duplicate<payment::v1::PaymentCaptured>();
  expect_done(shop.when(order()));
}

TEST_F(ShopChoreography, AMessageThatGetsLostComesAgain) {
  shop.delay<payment::v1::PaymentAuthorized>(5min);
  const auto saga = shop.when(order());
  shop.expect_state(saga, SagaState::running);
  shop.advance(4min).expect_state(saga, SagaState::running);
  shop.advance(2min);
  expect_done(saga);
}

TEST_F(ShopChoreography, TheTimeoutWaitsForTheOrderItHasOvertaken) {
  shop.delay<order::v1::OrderPlaced>(20min);  // the request to give up arrives first
  const auto saga = shop.when(order());
  shop.advance(16min).expect_state(saga, SagaState::running);  // an older event of the order is still on its way
  shop.advance(10min);
  expect_done(saga);  // and has decided before the request is looked at again
}

TEST_F(ShopChoreography, AStepThatThrowsIsTriedAgain) {
  shop.fail("payment", "Capture", 3);
  const auto saga = shop.when(order());
  shop.expect_state(saga, SagaState::running);
  shop.advance(1min);
  expect_done(saga);
}

TEST_F(ShopChoreography, AStepThatNeverSucceedsIsStuckWithItsReason) {
  shop.fail("payment", "Capture", 1000, "the bank is closed");
  const auto saga = shop.when(order());
  shop.advance(24h);
  shop.expect_state(saga, SagaState::stuck);
  EXPECT_EQ(shop.stuck("payment"), (std::vector<std::string>{"Capture: the bank is closed"}));
}

TEST_F(ShopChoreography, ACrashLosesAndDoublesNothing) {
  for (const auto* participant : {"order", "payment", "inventory", "shipping"}) {
    SCOPED_TRACE(participant);
    Choreography once;
    once.add<order::OrderService>().add<payment::PaymentService>();
    once.add<inventory::InventoryService>().add<shipping::ShippingService>();
    once.resource("payment", "account/alice", 500).resource("inventory", "item/clock", 5);
    once.delay<payment::v1::PaymentCaptured>(10s);
    const auto saga = once.when(order());
    once.crash(participant).advance(2min);
    once.expect_state(saga, SagaState::completed);
  }
}

TEST_F(ShopChoreography, WhateverTheOrderOfDeliveries) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Choreography any(seed);
    any.add<order::OrderService>().add<payment::PaymentService>();
    any.add<inventory::InventoryService>().add<shipping::ShippingService>();
    any.resource("payment", "account/alice", 500).resource("inventory", "item/clock", 5).disorder(seed);
    const auto saga = any.when(order());
    any.advance(30min);
    const auto state = any.state(saga);
    EXPECT_TRUE(state == SagaState::completed || state == SagaState::cancelled) << state;
    EXPECT_EQ(any.held("payment", "account/alice"), 0);
  }
}

TEST_F(ShopChoreography, TheSameSeedIsTheSameRun) {
  const auto run = [](std::uint64_t seed) {
    Choreography any(seed);
    any.add<order::OrderService>().add<payment::PaymentService>().add<inventory::InventoryService>();
    any.add<shipping::ShippingService>().disorder(seed);
    const auto saga = any.when(order());
    any.advance(1h);
    return std::pair(saga, any.said(saga));
  };
  EXPECT_EQ(run(7), run(7));
  EXPECT_NE(run(7).first, run(8).first);
}

TEST_F(ShopChoreography, WhatDoesNotHoldSaysWhatWasSaidInstead) {
  const auto saga = shop.when(order());
  try {
    shop.expect_state(saga, SagaState::cancelled);
    FAIL() << "expected what does not hold to be thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("COMPLETED, not CANCELLED"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("shipping.ShipmentBooked"), std::string::npos) << error.what();
  }
  EXPECT_THROW(shop.away("nobody"), std::runtime_error);
  EXPECT_THROW(shop.when(order()), std::runtime_error) << "there is such an order already";
}

}  // namespace
}  // namespace shop
