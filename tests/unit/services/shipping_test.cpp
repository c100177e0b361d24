#include "quadrille/testing.hpp"
#include "shipping/shipping_service.hpp"

#include <gtest/gtest.h>

namespace shop::shipping {
namespace {

TEST(ShippingService, BooksAParcelOnceUnderAKeyThatARepetitionHasToo) {
  payment::v1::PaymentCaptured captured;
  captured.set_order_id("o-1");
  v1::ShipmentBooked booked;
  booked.set_tracking_code("Q-11111111");  // of the saga's id, which is the same however often the step runs
  quadrille::testing::Scenario<ShippingService> scenario;
  scenario.when(captured).then(booked);
  scenario.when(captured).then();
}

}  // namespace
}  // namespace shop::shipping
