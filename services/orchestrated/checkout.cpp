#include "orchestrated/checkout.hpp"

#include <optional>

namespace orchestrated::checkout {
namespace {

std::optional<std::string> complaint(const v1::StartCheckout& command) {
  if (command.customer_id().empty()) return "customer_id is missing";
  if (command.item().empty()) return "item is missing";
  if (command.quantity() == 0) return "quantity is missing or 0";
  if (command.amount_cents() == 0) return "amount_cents is missing or 0";
  return std::nullopt;
}

v1::CheckoutView view(const std::string& order_id, const CheckoutService::Folded& checkout) {
  v1::CheckoutView view;
  view.set_order_id(order_id);
  view.set_status(quadrille::v1::SagaProgress::State_Name(checkout.progress().state()));
  view.set_reason(checkout.context().reason());
  view.set_tracking_code(checkout.context().tracking_code());
  return view;
}

}  // namespace

v1::Basket CheckoutService::begin(const v1::StartCheckout& command) const {
  v1::Basket basket;
  basket.set_customer_id(command.customer_id());
  basket.set_item(command.item());
  basket.set_quantity(command.quantity());
  basket.set_amount_cents(command.amount_cents());
  return basket;
}

v1::AuthorizePayment CheckoutService::command_authorize(const v1::Basket& basket) const {
  v1::AuthorizePayment command;
  command.set_customer_id(basket.customer_id());
  command.set_amount_cents(basket.amount_cents());
  return command;
}
void CheckoutService::fold_authorize(const till::v1::AuthorizeOutcome& reply, v1::Basket& basket) const {
  if (reply.has_declined()) basket.set_reason(reply.declined().reason());
}

v1::ReserveStock CheckoutService::command_reserve(const v1::Basket& basket) const {
  v1::ReserveStock command;
  command.set_item(basket.item());
  command.set_quantity(basket.quantity());
  return command;
}
void CheckoutService::fold_reserve(const shelf::v1::ReserveOutcome& reply, v1::Basket& basket) const {
  if (reply.has_refused()) basket.set_reason(reply.refused().reason());
}

v1::CapturePayment CheckoutService::command_capture(const v1::Basket&) const { return {}; }
void CheckoutService::fold_capture(const till::v1::PaymentCaptured&, v1::Basket&) const {}

v1::BookParcel CheckoutService::command_book(const v1::Basket& basket) const {
  v1::BookParcel command;
  command.set_item(basket.item());
  command.set_quantity(basket.quantity());
  return command;
}
void CheckoutService::fold_book(const parcels::v1::ParcelBooked& reply, v1::Basket& basket) const {
  basket.set_tracking_code(reply.tracking_code());
}

v1::DispatchStock CheckoutService::command_dispatch(const v1::Basket& basket) const {
  v1::DispatchStock command;
  command.set_tracking_code(basket.tracking_code());
  return command;
}
void CheckoutService::fold_dispatch(const shelf::v1::StockDispatched&, v1::Basket&) const {}

v1::ReleaseStock CheckoutService::command_release(const v1::Basket&) const { return {}; }

v1::VoidPayment CheckoutService::command_void(const v1::Basket& basket) const {
  v1::VoidPayment command;
  command.set_reason(basket.reason());
  return command;
}

quadrille::Edge storefront() {
  quadrille::Edge edge;
  edge.command<v1::StartCheckout>("/checkouts", "Start", complaint);
  edge.view<CheckoutService::Folded>("/checkouts", view);
  return edge;
}

}  // namespace orchestrated::checkout
