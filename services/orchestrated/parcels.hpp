#pragma once

#include "orchestrated/parcels/v1/parcels.quadrille.hpp"

namespace orchestrated::parcels {

/// The parcel of one order, folded from its own events.
struct Parcel {
  bool booked = false;

  void apply(const v1::ParcelBooked&) { booked = true; }
};

class ParcelsService final : public v1::ParcelsSteps<Parcel> {
 public:
  v1::BookOutcome book(const checkout::v1::BookParcel& command, const Parcel& parcel, quadrille::Step& step) override;
};

}  // namespace orchestrated::parcels
