#include "order/order_service.hpp"
#include "quadrille/testing.hpp"

#include <gtest/gtest.h>

namespace shop::order {
namespace {

using quadrille::testing::Scenario;

v1::OrderPlaced placed() {
  v1::OrderPlaced event;
  event.set_order_id("o-1");
  event.set_customer_id("ada");
  event.set_item("clock");
  event.set_quantity(1);
  event.set_amount_cents(100);
  return event;
}

v1::OrderRejected rejected(const std::string& reason) {
  v1::OrderRejected event;
  event.set_order_id("o-1");
  event.set_reason(reason);
  return event;
}

payment::v1::PaymentVoided voided() {
  payment::v1::PaymentVoided event;
  event.set_order_id("o-1");
  event.set_reason("out of stock");
  return event;
}

TEST(OrderService, PlacesAnOrderOnceAndArmsItsTimeOut) {
  v1::PlaceOrder command;
  command.set_order_id("o-1");
  command.set_customer_id("ada");
  command.set_item("clock");
  command.set_quantity(1);
  command.set_amount_cents(100);
  Scenario<OrderService> scenario;
  scenario.when(command).then(placed());
  EXPECT_EQ(scenario.armed(), std::vector<std::string>{"GiveUp"});
  scenario.when(command).then();
}

TEST(OrderService, RejectsForEitherCauseOnce) {
  payment::v1::PaymentDeclined declined;
  declined.set_order_id("o-1");
  declined.set_reason("not enough money");
  Scenario<OrderService> by_payment;
  by_payment.given(placed()).when(declined).then(rejected("not enough money"));
  by_payment.when(voided()).then();
  Scenario<OrderService> by_void;
  by_void.given(placed()).when(voided()).then(rejected("out of stock"));
}

TEST(OrderService, ConfirmsWithTheTrackingCode) {
  inventory::v1::StockDispatched dispatched;
  dispatched.set_order_id("o-1");
  dispatched.set_tracking_code("Q-1");
  v1::OrderConfirmed confirmed;
  confirmed.set_tracking_code("Q-1");
  Scenario<OrderService> scenario;
  scenario.given(placed()).when(dispatched).then(confirmed);
  scenario.when(dispatched).then();
}

TEST(OrderService, AsksOnlyWhileItStillWaits) {
  Scenario<OrderService> waiting;
  waiting.given(placed()).when_timer("GiveUp", "o-1").then(v1::CheckoutTimedOut());
  Scenario<OrderService> over;
  over.given(placed(), rejected("not enough money")).when_timer("GiveUp", "o-1").then();
}

/// Cuts text in the middle of a character.
class CuttingService final : public v1::OrderSteps<Order> {
 public:
  v1::PlaceOutcome place(const v1::PlaceOrder&, const Order&, quadrille::Step&) override {
    v1::PlaceOutcome outcome;
    outcome.mutable_placed()->set_item("clo\xc3");
    return outcome;
  }
  v1::GiveUpOutcome give_up(const quadrille::v1::Timer&, const Order&, quadrille::Step&) override { return {}; }
  v1::RejectOutcome reject(const v1::RejectCause&, const Order&, quadrille::Step&) override { return {}; }
  v1::ConfirmOutcome confirm(const inventory::v1::StockDispatched&, const Order&, quadrille::Step&) override {
    return {};
  }
};

TEST(Scenario, RefusesAnEventNobodyCouldRead) {
  Scenario<CuttingService> scenario;
  v1::PlaceOrder command;
  command.set_order_id("o-1");
  try {
    scenario.when(command);
    FAIL() << "recorded what nobody can read";
  } catch (const quadrille::Error& error) {
    EXPECT_NE(std::string(error.what()).find("is not UTF-8"), std::string::npos) << error.what();
  }
}

TEST(Scenario, SaysWhatWasSaidInsteadOfWhatWasExpected) {
  Scenario<OrderService> scenario;
  try {
    scenario.given(placed()).when(voided()).then(rejected("another reason"));
    ADD_FAILURE() << "a wrong expectation was met";
  } catch (const std::runtime_error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("another reason"), std::string::npos) << text;
    EXPECT_NE(text.find("out of stock"), std::string::npos) << text;
  }
  EXPECT_THROW(scenario.when(voided()).then(rejected("out of stock")), std::runtime_error)
      << "nothing new was said the second time";
}

}  // namespace
}  // namespace shop::order
