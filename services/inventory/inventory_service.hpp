#pragma once

#include "inventory/reservation.hpp"
#include "shop/inventory/v1/inventory.quadrille.hpp"

namespace shop::inventory {

class InventoryService final : public v1::InventorySteps<Reservation> {
 public:
  v1::ReserveOutcome reserve(const payment::v1::PaymentAuthorized& authorized, const Reservation& reservation,
                             quadrille::Step& step) override;
  v1::AbandonOutcome abandon(const v1::AbandonRequest& request, const Reservation& reservation,
                             quadrille::Step& step) override;
  v1::OverdueOutcome overdue(const quadrille::v1::Timer& timer, const Reservation& reservation,
                             quadrille::Step& step) override;
  v1::DispatchOutcome dispatch(const shipping::v1::ShipmentBooked& booked, const Reservation& reservation,
                               quadrille::Step& step) override;
};

}  // namespace shop::inventory
