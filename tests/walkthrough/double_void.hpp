#pragma once

#include "payment/payment_service.hpp"

namespace shop::payment {

/// The payment of services/payment with a planted bug: a refusal that comes after the capture is voided too, so the
/// order counts as paid and as given back. For the walk-through and its tests only.
class DoubleVoidService final : public v1::PaymentSteps<Payment> {
 public:
  v1::AuthorizeOutcome authorize(const order::v1::OrderPlaced& placed, const Payment& payment,
                                 quadrille::Step& step) override;
  v1::LapseOutcome lapse(const quadrille::v1::Timer& timer, const Payment& payment, quadrille::Step& step) override;
  v1::VoidOutcome void_(const inventory::v1::StockRefused& refused, const Payment& payment,
                        quadrille::Step& step) override;
  v1::CaptureOutcome capture(const inventory::v1::StockReserved& reserved, const Payment& payment,
                             quadrille::Step& step) override;

 private:
  PaymentService right_;
};

}  // namespace shop::payment
