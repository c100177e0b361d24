#pragma once

#include "shipping/shipment.hpp"
#include "shop/shipping/v1/shipping.quadrille.hpp"

namespace shop::shipping {

class ShippingService final : public v1::ShippingSteps<Shipment> {
 public:
  v1::BookOutcome book(const payment::v1::PaymentCaptured& captured, const Shipment& shipment,
                       quadrille::Step& step) override;
};

}  // namespace shop::shipping
