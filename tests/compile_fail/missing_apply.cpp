// A state that does not take in one of the events its participant records.
#include "shop/shipping/v1/shipping.quadrille.hpp"

struct Forgetful {};

class Shipping final : public shop::shipping::v1::ShippingSteps<Forgetful> {
  shop::shipping::v1::BookOutcome book(const shop::payment::v1::PaymentCaptured&, const Forgetful&,
                                       quadrille::Step&) override {
    return {};
  }
};

Shipping shipping;
