#pragma once

#include "shop/payment/v1/payment_events.pb.h"

#include <cstdint>
#include <string>

namespace shop::payment {

enum class Stage { none, authorized, declined, captured, voided };

/// The payment of one order, folded from its own events.
struct Payment {
  Stage stage = Stage::none;
  std::string customer;

  void apply(const v1::PaymentAuthorized& event) {
    stage = Stage::authorized;
    customer = event.customer_id();
  }
  void apply(const v1::PaymentDeclined&) { stage = Stage::declined; }
  void apply(const v1::AuthorizationLapsed&) {}  // a request; the pivot's owner decides
  void apply(const v1::PaymentVoided&) { stage = Stage::voided; }
  void apply(const v1::PaymentCaptured&) { stage = Stage::captured; }
};

/// The counted resource that a customer's money is, in cents.
[[nodiscard]] inline std::string account(const std::string& customer) { return "account/" + customer; }

}  // namespace shop::payment
