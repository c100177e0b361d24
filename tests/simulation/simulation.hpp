#pragma once

#include "core/random.hpp"
#include "inventory/inventory_service.hpp"
#include "order/order_service.hpp"
#include "payment/payment_service.hpp"
#include "shipping/shipping_service.hpp"
#include "simulation/decision.hpp"
#include "simulation/flaw.hpp"
#include "simulation/ledger.hpp"
#include "simulation/watched_broker.hpp"
#include "simulation/watched_store.hpp"
#include "testing/saga_state.hpp"
#include "testing/world.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace simulation {

/// The shop's participants, read once; plays in one simulation after the other.
struct Cast {
  shop::order::OrderService order;
  shop::payment::PaymentService payment;
  shop::inventory::InventoryService inventory;
  shop::shipping::ShippingService shipping;
  std::array<quadrille::testing::Role, participants> roles{
      quadrille::testing::Role(order), quadrille::testing::Role(payment), quadrille::testing::Role(inventory),
      quadrille::testing::Role(shipping)};
};

/// What a run came to.
struct Outcome {
  std::vector<std::string> findings;  ///< empty: every rule was kept
  std::map<quadrille::testing::SagaState, std::size_t> sagas;
  std::size_t faults = 0;  ///< that took effect
};

/// One run of a schedule: the decisions, then everybody is well again and time goes on until nothing is left to do.
/// The same seed, schedule and flaw are the same run.
[[nodiscard]] Outcome simulate(Cast& cast, std::uint64_t seed, const Schedule& schedule, Flaw flaw = Flaw::none);

}  // namespace simulation
