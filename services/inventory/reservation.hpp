#pragma once

#include "shop/inventory/v1/inventory_events.pb.h"

#include <string>

namespace shop::inventory {

enum class Stage { none, reserved, refused, dispatched };

/// What the warehouse has set aside for one order, folded from its own events.
struct Reservation {
  Stage stage = Stage::none;
  std::string item;

  void apply(const v1::StockReserved& event) {
    stage = Stage::reserved;
    item = event.item();
  }
  void apply(const v1::StockRefused&) { stage = Stage::refused; }
  void apply(const v1::ReservationOverdue&) {}  // said aloud; past the pivot nothing is taken back
  void apply(const v1::StockDispatched&) { stage = Stage::dispatched; }
};

/// The counted resource that the pieces of an item are.
[[nodiscard]] inline std::string stock(const std::string& item) { return "item/" + item; }

}  // namespace shop::inventory
