#pragma once

#include "core/event.hpp"
#include "quadrille/participant.hpp"

#include <string>
#include <vector>

namespace shop {

/// Recorded traffic of a shop, and the saga of each order in it.
struct RecordedShop {
  std::vector<quadrille::Event> events;
  std::vector<std::string> sagas;
};

/// Orders placed one after the other in virtual time, every step real. Each tenth order is one that stock refuses, each
/// tenth one that the customer cannot pay, and of every hundredth the warehouse finds, after all is captured, that it
/// has nothing: a StockRefused that its program would not say.
[[nodiscard]] RecordedShop record_shop(quadrille::Participant& payment, int orders);

}  // namespace shop
