#include "inventory/inventory_service.hpp"

namespace shop::inventory {

v1::ReserveOutcome InventoryService::reserve(const payment::v1::PaymentAuthorized& authorized,
                                             const Reservation& reservation, quadrille::Step& step) {
  if (reservation.stage != Stage::none) return step.already_recorded();  // abandoned before it could be reserved
  v1::ReserveOutcome outcome;
  if (!step.hold(stock(authorized.item()), authorized.quantity())) {
    outcome.mutable_refused()->set_reason("out of stock");
    return outcome;
  }
  outcome.mutable_reserved()->set_item(authorized.item());
  outcome.mutable_reserved()->set_quantity(authorized.quantity());
  return outcome;
}

v1::AbandonOutcome InventoryService::abandon(const v1::AbandonRequest& request, const Reservation& reservation,
                                             quadrille::Step&) {
  v1::AbandonOutcome outcome;
  if (reservation.stage == Stage::none)
    outcome.mutable_refused()->set_reason(request.has_timed_out() ? "checkout timed out" : "authorization lapsed");
  else
    outcome.mutable_too_late();  // decided already, one way or the other
  return outcome;
}

v1::OverdueOutcome InventoryService::overdue(const quadrille::v1::Timer&, const Reservation& reservation,
                                             quadrille::Step&) {
  v1::OverdueOutcome outcome;
  if (reservation.stage == Stage::reserved)
    outcome.mutable_overdue();
  else
    outcome.mutable_dispatched();
  return outcome;
}

v1::DispatchOutcome InventoryService::dispatch(const shipping::v1::ShipmentBooked& booked,
                                               const Reservation& reservation, quadrille::Step& step) {
  if (reservation.stage == Stage::dispatched) return step.already_recorded();
  if (reservation.stage != Stage::reserved) throw quadrille::NotYet("nothing is reserved for order " + step.key());
  step.settle(stock(reservation.item));
  v1::DispatchOutcome outcome;
  outcome.mutable_dispatched()->set_tracking_code(booked.tracking_code());
  return outcome;
}

}  // namespace shop::inventory
