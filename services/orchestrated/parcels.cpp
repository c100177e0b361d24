#include "orchestrated/parcels.hpp"

namespace orchestrated::parcels {

v1::BookOutcome ParcelsService::book(const checkout::v1::BookParcel& command, const Parcel& parcel,
                                     quadrille::Step& step) {
  if (parcel.booked) return step.already_recorded();
  v1::BookOutcome outcome;
  // The carrier gives the same code for the same key, however often it is asked.
  outcome.mutable_booked()->set_tracking_code("Q-" + command.command_key().substr(0, 8));
  return outcome;
}

}  // namespace orchestrated::parcels
