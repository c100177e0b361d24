#include "order/order_service.hpp"

#include <optional>

namespace shop::order {
namespace {

std::optional<std::string> complaint(const v1::PlaceOrder& command) {
  if (command.customer_id().empty()) return "customer_id is missing";
  if (command.item().empty()) return "item is missing";
  if (command.quantity() == 0) return "quantity is missing or 0";
  if (command.amount_cents() == 0) return "amount_cents is missing or 0";
  return std::nullopt;
}

const char* status(Stage stage) {
  switch (stage) {
    case Stage::none:
      return "unknown";
    case Stage::placed:
      return "placed";
    case Stage::timed_out:
      return "giving up";
    case Stage::confirmed:
      return "confirmed";
    case Stage::rejected:
      return "rejected";
  }
  return "unknown";
}

v1::OrderView view(const std::string& order_id, const Order& order) {
  v1::OrderView view;
  view.set_order_id(order_id);
  view.set_status(status(order.stage));
  view.set_reason(order.reason);
  view.set_tracking_code(order.tracking_code);
  return view;
}

bool over(const Order& order) { return order.stage == Stage::confirmed || order.stage == Stage::rejected; }

}  // namespace

v1::PlaceOutcome OrderService::place(const v1::PlaceOrder& command, const Order& order, quadrille::Step& step) {
  if (order.stage != Stage::none) return step.already_recorded();
  v1::PlaceOutcome outcome;
  auto& placed = *outcome.mutable_placed();
  placed.set_customer_id(command.customer_id());
  placed.set_item(command.item());
  placed.set_quantity(command.quantity());
  placed.set_amount_cents(command.amount_cents());
  return outcome;
}

v1::GiveUpOutcome OrderService::give_up(const quadrille::v1::Timer&, const Order& order, quadrille::Step&) {
  v1::GiveUpOutcome outcome;
  if (over(order))
    outcome.mutable_settled();
  else
    outcome.mutable_timed_out();
  return outcome;
}

v1::RejectOutcome OrderService::reject(const v1::RejectCause& cause, const Order& order, quadrille::Step& step) {
  if (over(order)) return step.already_recorded();
  v1::RejectOutcome outcome;
  outcome.mutable_rejected()->set_reason(cause.has_declined() ? cause.declined().reason() : cause.voided().reason());
  return outcome;
}

v1::ConfirmOutcome OrderService::confirm(const inventory::v1::StockDispatched& dispatched, const Order& order,
                                         quadrille::Step& step) {
  if (over(order)) return step.already_recorded();
  v1::ConfirmOutcome outcome;
  outcome.mutable_confirmed()->set_tracking_code(dispatched.tracking_code());
  return outcome;
}

quadrille::Edge storefront() {
  quadrille::Edge edge;
  edge.command<v1::PlaceOrder>("/orders", "Place", complaint);
  edge.view<OrderService::Folded>("/orders", view);
  return edge;
}

}  // namespace shop::order
