#include "inventory/inventory_service.hpp"
#include "quadrille/testing.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace shop::inventory {
namespace {

using quadrille::testing::Scenario;

payment::v1::PaymentAuthorized authorized(std::uint32_t quantity = 2) {
  payment::v1::PaymentAuthorized event;
  event.set_order_id("o-1");
  event.set_item("clock");
  event.set_quantity(quantity);
  return event;
}

v1::StockReserved reserved() {
  v1::StockReserved event;
  event.set_order_id("o-1");
  event.set_item("clock");
  event.set_quantity(2);
  return event;
}

v1::StockRefused refused(const std::string& reason) {
  v1::StockRefused event;
  event.set_order_id("o-1");
  event.set_reason(reason);
  return event;
}

order::v1::CheckoutTimedOut timed_out() {
  order::v1::CheckoutTimedOut event;
  event.set_order_id("o-1");
  return event;
}

shipping::v1::ShipmentBooked booked() {
  shipping::v1::ShipmentBooked event;
  event.set_order_id("o-1");
  event.set_tracking_code("Q-1");
  return event;
}

TEST(InventoryService, ReservesWhatIsThereAndRefusesWhatIsNot) {
  Scenario<InventoryService> enough;
  enough.resource("item/clock", 3).when(authorized()).then(reserved());
  EXPECT_EQ(enough.free("item/clock"), 1);
  Scenario<InventoryService> too_few;
  too_few.resource("item/clock", 1).when(authorized()).then(refused("out of stock"));
  EXPECT_EQ(too_few.free("item/clock"), 1);
}

TEST(InventoryService, IsAskedByWhoeverTimesOutAndTheFirstDecisionWins) {
  Scenario<InventoryService> asked_first;
  asked_first.resource("item/clock", 3).when(timed_out()).then(refused("checkout timed out"));
  asked_first.when(authorized()).then();
  EXPECT_EQ(asked_first.free("item/clock"), 3);
  Scenario<InventoryService> reserved_first;
  reserved_first.resource("item/clock", 3).when(authorized()).when(timed_out()).then();
  EXPECT_EQ(reserved_first.free("item/clock"), 1);
  payment::v1::AuthorizationLapsed lapsed;
  lapsed.set_order_id("o-1");
  Scenario<InventoryService> asked_by_payment;
  asked_by_payment.when(lapsed).then(refused("authorization lapsed"));
}

TEST(InventoryService, TakesTheHeldPiecesOffTheShelfOnce) {
  v1::StockDispatched dispatched;
  dispatched.set_tracking_code("Q-1");
  Scenario<InventoryService> scenario;
  scenario.resource("item/clock", 3).when(authorized()).when(booked()).then(dispatched);
  scenario.when(booked()).then();
  EXPECT_EQ(scenario.free("item/clock"), 1);
}

TEST(InventoryService, WaitsForTheReservationThatWasOvertaken) {
  Scenario<InventoryService> scenario;
  scenario.when(booked()).then_not_yet();
}

TEST(InventoryService, SaysAloudThatAReservationHasOutlivedItsTime) {
  Scenario<InventoryService> scenario;
  scenario.given(reserved()).when_timer("Overdue", "o-1").then(v1::ReservationOverdue());
  v1::StockDispatched dispatched;
  dispatched.set_order_id("o-1");
  scenario.given(dispatched).when_timer("Overdue", "o-1").then();
}

}  // namespace
}  // namespace shop::inventory
