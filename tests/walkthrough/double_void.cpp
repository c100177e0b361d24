#include "walkthrough/double_void.hpp"

namespace shop::payment {

v1::AuthorizeOutcome DoubleVoidService::authorize(const order::v1::OrderPlaced& placed, const Payment& payment,
                                                  quadrille::Step& step) {
  return right_.authorize(placed, payment, step);
}

v1::LapseOutcome DoubleVoidService::lapse(const quadrille::v1::Timer& timer, const Payment& payment,
                                          quadrille::Step& step) {
  return right_.lapse(timer, payment, step);
}

v1::VoidOutcome DoubleVoidService::void_(const inventory::v1::StockRefused& refused, const Payment& payment,
                                         quadrille::Step& step) {
  if (payment.stage != Stage::captured) return right_.void_(refused, payment, step);
  v1::VoidOutcome outcome;
  outcome.mutable_voided()->set_reason(refused.reason());
  return outcome;
}

v1::CaptureOutcome DoubleVoidService::capture(const inventory::v1::StockReserved& reserved, const Payment& payment,
                                              quadrille::Step& step) {
  return right_.capture(reserved, payment, step);
}

}  // namespace shop::payment
