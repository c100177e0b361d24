#include "orchestrated/till.hpp"

#include <cstdint>

namespace orchestrated::till {

v1::AuthorizeOutcome TillService::authorize(const checkout::v1::AuthorizePayment& command, const Bill& bill,
                                            quadrille::Step& step) {
  if (bill.stage != Stage::none) return step.already_recorded();
  v1::AuthorizeOutcome outcome;
  if (step.hold(account(command.customer_id()), static_cast<std::int64_t>(command.amount_cents())))
    outcome.mutable_authorized()->set_customer_id(command.customer_id());
  else
    outcome.mutable_declined()->set_reason("not enough money");
  return outcome;
}

v1::OverdueOutcome TillService::overdue(const quadrille::v1::Timer&, const Bill& bill, quadrille::Step&) {
  v1::OverdueOutcome outcome;
  if (bill.stage == Stage::authorized)
    outcome.mutable_overdue();
  else
    outcome.mutable_settled();
  return outcome;
}

v1::PaymentVoided TillService::void_(const checkout::v1::VoidPayment&, const Bill& bill, quadrille::Step& step) {
  if (bill.stage == Stage::voided) return step.already_recorded();
  if (bill.stage == Stage::authorized) step.release(account(bill.customer));
  return {};  // nothing was authorized in time: voided all the same, so that the saga gets its answer
}

v1::PaymentCaptured TillService::capture(const checkout::v1::CapturePayment&, const Bill& bill, quadrille::Step& step) {
  if (bill.stage == Stage::captured) return step.already_recorded();
  if (bill.stage != Stage::authorized) throw quadrille::NotYet("nothing is authorized for order " + step.key());
  step.settle(account(bill.customer));
  return {};
}

}  // namespace orchestrated::till
