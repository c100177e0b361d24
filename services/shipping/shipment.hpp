#pragma once

#include "shop/shipping/v1/shipping_events.pb.h"

namespace shop::shipping {

/// The parcel of one order, folded from its own events.
struct Shipment {
  bool booked = false;

  void apply(const v1::ShipmentBooked&) { booked = true; }
};

}  // namespace shop::shipping
