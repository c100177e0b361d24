#pragma once

#include "orchestrated/shelf/v1/shelf.quadrille.hpp"

#include <string>

namespace orchestrated::shelf {

enum class Stage { none, reserved, refused, dispatched, released };

/// What is set aside for one order, folded from its own events.
struct Pick {
  Stage stage = Stage::none;
  std::string item;

  void apply(const v1::StockReserved& event) {
    stage = Stage::reserved;
    item = event.item();
  }
  void apply(const v1::StockRefused&) { stage = Stage::refused; }
  void apply(const v1::StockReleased&) { stage = Stage::released; }
  void apply(const v1::StockDispatched&) { stage = Stage::dispatched; }
  void apply(const v1::ReservationOverdue&) {}  // the saga decides
};

class ShelfService final : public v1::ShelfSteps<Pick> {
 public:
  v1::ReserveOutcome reserve(const checkout::v1::ReserveStock& command, const Pick& pick,
                             quadrille::Step& step) override;
  v1::OverdueOutcome overdue(const quadrille::v1::Timer& timer, const Pick& pick, quadrille::Step& step) override;
  v1::StockReleased release(const checkout::v1::ReleaseStock& command, const Pick& pick,
                            quadrille::Step& step) override;
  v1::StockDispatched dispatch(const checkout::v1::DispatchStock& command, const Pick& pick,
                               quadrille::Step& step) override;
};

/// The counted resource that the pieces of an item are.
[[nodiscard]] inline std::string stock(const std::string& item) { return "item/" + item; }

}  // namespace orchestrated::shelf
