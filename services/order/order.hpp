#pragma once

#include "shop/order/v1/order_events.pb.h"

#include <string>

namespace shop::order {

enum class Stage { none, placed, timed_out, confirmed, rejected };

/// One order, folded from its own events.
struct Order {
  Stage stage = Stage::none;
  std::string reason;
  std::string tracking_code;

  void apply(const v1::OrderPlaced&) { stage = Stage::placed; }
  void apply(const v1::CheckoutTimedOut&) { stage = Stage::timed_out; }
  void apply(const v1::OrderConfirmed& event) {
    stage = Stage::confirmed;
    tracking_code = event.tracking_code();
  }
  void apply(const v1::OrderRejected& event) {
    stage = Stage::rejected;
    reason = event.reason();
  }
};

}  // namespace shop::order
