#include "payment/payment_service.hpp"
#include "quadrille/testing.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>

namespace shop::payment {
namespace {

using quadrille::testing::Scenario;
using ::testing::Test;

order::v1::OrderPlaced placed(std::uint64_t cents) {
  order::v1::OrderPlaced event;
  event.set_order_id("o-1");
  event.set_customer_id("alice");
  event.set_item("clock");
  event.set_quantity(2);
  event.set_amount_cents(cents);
  return event;
}

v1::PaymentAuthorized authorized() {
  v1::PaymentAuthorized event;
  event.set_order_id("o-1");
  event.set_customer_id("alice");
  event.set_item("clock");
  event.set_quantity(2);
  event.set_amount_cents(300);
  return event;
}

inventory::v1::StockRefused refused() {
  inventory::v1::StockRefused event;
  event.set_order_id("o-1");
  event.set_reason("out of stock");
  return event;
}

inventory::v1::StockReserved reserved() {
  inventory::v1::StockReserved event;
  event.set_order_id("o-1");
  event.set_item("clock");
  event.set_quantity(2);
  return event;
}

v1::PaymentVoided voided() {
  v1::PaymentVoided event;
  event.set_order_id("o-1");
  event.set_reason("out of stock");
  return event;
}

TEST(PaymentService, IsAskedForAllThatItSaysOrForSomeOfIt) {
  Scenario<PaymentService> scenario;
  scenario.resource("account/alice", 500).when(placed(300)).then_among().then_among(authorized());
  EXPECT_THROW(scenario.then_among(voided()), std::runtime_error);
  EXPECT_THROW(scenario.then_among(authorized(), authorized()), std::runtime_error) << "it was said once";
  EXPECT_THROW(scenario.then(), std::runtime_error);
}

TEST(PaymentService, HoldsTheAmountAndArmsItsTimeLimit) {
  Scenario<PaymentService> scenario;
  scenario.resource("account/alice", 500).when(placed(300)).then(authorized());
  EXPECT_EQ(scenario.free("account/alice"), 200);
  EXPECT_EQ(scenario.armed(), std::vector<std::string>{"Lapse"});
}

TEST(PaymentService, DeclinesWhatIsNotFree) {
  v1::PaymentDeclined declined;
  declined.set_reason("not enough money");
  Scenario<PaymentService> scenario;
  scenario.resource("account/alice", 500).when(placed(501)).then(declined);
  EXPECT_EQ(scenario.free("account/alice"), 500);
}

TEST(PaymentService, GivesBackWhatItHeldWhenStockIsRefused) {
  Scenario<PaymentService> scenario;
  scenario.resource("account/alice", 500).when(placed(300)).when(refused()).then(voided());
  EXPECT_EQ(scenario.free("account/alice"), 500);
}

TEST(PaymentService, HoldsNothingWhenTheRefusalCameFirst) {
  Scenario<PaymentService> scenario;
  scenario.resource("account/alice", 500).when(refused()).then(voided());
  scenario.when(placed(300)).then();
  EXPECT_EQ(scenario.free("account/alice"), 500);
}

TEST(PaymentService, TakesTheHeldAmountOnce) {
  v1::PaymentCaptured captured;
  captured.set_item("clock");
  captured.set_quantity(2);
  Scenario<PaymentService> scenario;
  scenario.resource("account/alice", 500).when(placed(300)).when(reserved()).then(captured);
  scenario.when(reserved()).then();
  EXPECT_EQ(scenario.free("account/alice"), 200);
}

TEST(PaymentService, WaitsForTheAuthorizationThatWasOvertaken) {
  Scenario<PaymentService> scenario;
  scenario.when(reserved()).then_not_yet();
}

TEST(PaymentService, AsksThePivotsOwnerWhenItsHoldHasOutlivedItsTime) {
  Scenario<PaymentService> scenario;
  scenario.given(authorized()).when_timer("Lapse", "o-1").then(v1::AuthorizationLapsed());
  scenario.given(voided()).when_timer("Lapse", "o-1").then();
}

}  // namespace
}  // namespace shop::payment
