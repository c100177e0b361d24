#include "orchestrated/shelf.hpp"

namespace orchestrated::shelf {

v1::ReserveOutcome ShelfService::reserve(const checkout::v1::ReserveStock& command, const Pick& pick,
                                         quadrille::Step& step) {
  if (pick.stage != Stage::none) return step.already_recorded();
  v1::ReserveOutcome outcome;
  if (step.hold(stock(command.item()), command.quantity())) {
    outcome.mutable_reserved()->set_item(command.item());
    outcome.mutable_reserved()->set_quantity(command.quantity());
  } else {
    outcome.mutable_refused()->set_reason("out of stock");
  }
  return outcome;
}

v1::OverdueOutcome ShelfService::overdue(const quadrille::v1::Timer&, const Pick& pick, quadrille::Step&) {
  v1::OverdueOutcome outcome;
  if (pick.stage == Stage::reserved)
    outcome.mutable_overdue();
  else
    outcome.mutable_settled();
  return outcome;
}

v1::StockReleased ShelfService::release(const checkout::v1::ReleaseStock&, const Pick& pick, quadrille::Step& step) {
  if (pick.stage == Stage::released) return step.already_recorded();
  if (pick.stage == Stage::reserved) step.release(stock(pick.item));
  return {};
}

v1::StockDispatched ShelfService::dispatch(const checkout::v1::DispatchStock&, const Pick& pick,
                                           quadrille::Step& step) {
  if (pick.stage == Stage::dispatched) return step.already_recorded();
  if (pick.stage != Stage::reserved) throw quadrille::NotYet("nothing is reserved for order " + step.key());
  step.settle(stock(pick.item));
  return {};
}

}  // namespace orchestrated::shelf
