#pragma once

#include "orchestrated/checkout/v1/checkout.quadrille.hpp"
#include "quadrille/edge.hpp"

namespace orchestrated::checkout {

/// What the saga commands and remembers. The order of its steps is in the contract.
class CheckoutService final : public v1::CheckoutSaga {
 public:
  v1::Basket begin(const v1::StartCheckout& command) const override;

  v1::AuthorizePayment command_authorize(const v1::Basket& basket) const override;
  void fold_authorize(const till::v1::AuthorizeOutcome& reply, v1::Basket& basket) const override;
  v1::ReserveStock command_reserve(const v1::Basket& basket) const override;
  void fold_reserve(const shelf::v1::ReserveOutcome& reply, v1::Basket& basket) const override;
  v1::CapturePayment command_capture(const v1::Basket& basket) const override;
  void fold_capture(const till::v1::PaymentCaptured& reply, v1::Basket& basket) const override;
  v1::BookParcel command_book(const v1::Basket& basket) const override;
  void fold_book(const parcels::v1::ParcelBooked& reply, v1::Basket& basket) const override;
  v1::DispatchStock command_dispatch(const v1::Basket& basket) const override;
  void fold_dispatch(const shelf::v1::StockDispatched& reply, v1::Basket& basket) const override;

  v1::ReleaseStock command_release(const v1::Basket& basket) const override;
  v1::VoidPayment command_void(const v1::Basket& basket) const override;
};

/// POST /checkouts, GET /checkouts/{id}
[[nodiscard]] quadrille::Edge storefront();

}  // namespace orchestrated::checkout
