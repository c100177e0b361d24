#pragma once

#include "orchestrated/till/v1/till.quadrille.hpp"

#include <string>

namespace orchestrated::till {

enum class Stage { none, authorized, declined, captured, voided };

/// The bill of one order, folded from its own events.
struct Bill {
  Stage stage = Stage::none;
  std::string customer;

  void apply(const v1::PaymentAuthorized& event) {
    stage = Stage::authorized;
    customer = event.customer_id();
  }
  void apply(const v1::PaymentDeclined&) { stage = Stage::declined; }
  void apply(const v1::PaymentVoided&) { stage = Stage::voided; }
  void apply(const v1::PaymentCaptured&) { stage = Stage::captured; }
  void apply(const v1::AuthorizationOverdue&) {}  // the saga decides
};

class TillService final : public v1::TillSteps<Bill> {
 public:
  v1::AuthorizeOutcome authorize(const checkout::v1::AuthorizePayment& command, const Bill& bill,
                                 quadrille::Step& step) override;
  v1::OverdueOutcome overdue(const quadrille::v1::Timer& timer, const Bill& bill, quadrille::Step& step) override;
  v1::PaymentVoided void_(const checkout::v1::VoidPayment& command, const Bill& bill, quadrille::Step& step) override;
  v1::PaymentCaptured capture(const checkout::v1::CapturePayment& command, const Bill& bill,
                              quadrille::Step& step) override;
};

/// The counted resource that a customer's money is, in cents.
[[nodiscard]] inline std::string account(const std::string& customer) { return "account/" + customer; }

}  // namespace orchestrated::till
