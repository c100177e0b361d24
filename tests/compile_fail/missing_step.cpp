// A participant without one of its steps.
#include "payment/payment.hpp"
#include "shop/payment/v1/payment.quadrille.hpp"

namespace shop::payment {

class Incomplete final : public v1::PaymentSteps<Payment> {
  v1::AuthorizeOutcome authorize(const order::v1::OrderPlaced&, const Payment&, quadrille::Step&) override {
    return {};
  }
  v1::LapseOutcome lapse(const quadrille::v1::Timer&, const Payment&, quadrille::Step&) override { return {}; }
  v1::CaptureOutcome capture(const inventory::v1::StockReserved&, const Payment&, quadrille::Step&) override {
    return {};
  }
};

Incomplete incomplete;

}  // namespace shop::payment
