#include "payment/payment_service.hpp"

#include <cstdint>

namespace shop::payment {

// [ten lines]
v1::AuthorizeOutcome PaymentService::authorize(const order::v1::OrderPlaced& placed, const Payment& payment,
                                               quadrille::Step& step) {
  if (payment.stage != Stage::none) return step.already_recorded();  // voided before it was authorized, say
  v1::AuthorizeOutcome outcome;
  if (!step.hold(account(placed.customer_id()), static_cast<std::int64_t>(placed.amount_cents()))) {
    outcome.mutable_declined()->set_reason("not enough money");
    return outcome;
  }
  auto& authorized = *outcome.mutable_authorized();
  authorized.set_customer_id(placed.customer_id());
  authorized.set_amount_cents(placed.amount_cents());
  authorized.set_item(placed.item());
  authorized.set_quantity(placed.quantity());
  return outcome;
}
// [ten lines]

v1::LapseOutcome PaymentService::lapse(const quadrille::v1::Timer&, const Payment& payment, quadrille::Step&) {
  v1::LapseOutcome outcome;
  if (payment.stage == Stage::authorized)
    outcome.mutable_lapsed();  // still held: ask the owner of the pivot to decide
  else
    outcome.mutable_settled();
  return outcome;
}

v1::VoidOutcome PaymentService::void_(const inventory::v1::StockRefused& refused, const Payment& payment,
                                      quadrille::Step& step) {
  // Not authorized yet is voided too, so that an OrderPlaced that comes late holds nothing.
  if (payment.stage != Stage::none && payment.stage != Stage::authorized) return step.already_recorded();
  if (payment.stage == Stage::authorized) step.release(account(payment.customer));
  v1::VoidOutcome outcome;
  outcome.mutable_voided()->set_reason(refused.reason());
  return outcome;
}

v1::CaptureOutcome PaymentService::capture(const inventory::v1::StockReserved& reserved, const Payment& payment,
                                           quadrille::Step& step) {
  if (payment.stage == Stage::captured) return step.already_recorded();
  if (payment.stage != Stage::authorized) throw quadrille::NotYet("nothing is authorized for order " + step.key());
  step.settle(account(payment.customer));
  v1::CaptureOutcome outcome;
  outcome.mutable_captured()->set_item(reserved.item());
  outcome.mutable_captured()->set_quantity(reserved.quantity());
  return outcome;
}

}  // namespace shop::payment
