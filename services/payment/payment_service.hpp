#pragma once

#include "payment/payment.hpp"
#include "shop/payment/v1/payment.quadrille.hpp"

namespace shop::payment {

class PaymentService final : public v1::PaymentSteps<Payment> {
 public:
  v1::AuthorizeOutcome authorize(const order::v1::OrderPlaced& placed, const Payment& payment,
                                 quadrille::Step& step) override;
  v1::LapseOutcome lapse(const quadrille::v1::Timer& timer, const Payment& payment, quadrille::Step& step) override;
  v1::VoidOutcome void_(const inventory::v1::StockRefused& refused, const Payment& payment,
                        quadrille::Step& step) override;
  v1::CaptureOutcome capture(const inventory::v1::StockReserved& reserved, const Payment& payment,
                             quadrille::Step& step) override;
};

}  // namespace shop::payment
