#pragma once

#include "core/random.hpp"
#include "orchestrated/checkout.hpp"
#include "orchestrated/parcels.hpp"
#include "orchestrated/shelf.hpp"
#include "orchestrated/till.hpp"
#include "testing/world.hpp"

#include <stdexcept>
#include <string>

namespace quadrille::support {

/// The shop that is conducted, on virtual time: for those who judge what it records. There is money for two orders.
class ConductedShop {
 public:
  ConductedShop() {
    for (auto& role : roles_) world.add(role);
    put("till", "account/ada", 1000);
  }
  void put(const std::string& participant, const std::string& resource, std::int64_t amount) {
    const auto transaction = world.actor(participant).store.begin();
    if (!transaction->quantities().add(resource, amount)) throw std::runtime_error("there is not so much");
    transaction->commit();
  }
  void leave(const std::string& participant) { world.stop(instance(participant), true); }
  void come_back(const std::string& participant) {
    world.start(instance(participant));
    world.settle();
  }
  /// An order of a clock; its saga.
  std::string begin() {
    orchestrated::checkout::v1::StartCheckout command;
    command.set_order_id("o1");
    command.set_customer_id("ada");
    command.set_item("clock");
    command.set_quantity(1);
    command.set_amount_cents(500);
    world.settle();
    auto saga = world.command(command);
    world.settle();
    return saga;
  }

 private:
  testing::World::Instance& instance(const std::string& participant) {
    return *world.instances()[world.actor(participant).instances.front()];
  }

  SeededRandom random_{1};
  orchestrated::checkout::CheckoutService checkout_;
  orchestrated::till::TillService till_;
  orchestrated::shelf::ShelfService shelf_;
  orchestrated::parcels::ParcelsService parcels_;
  testing::Role roles_[4] = {testing::Role(checkout_), testing::Role(till_), testing::Role(shelf_),
                             testing::Role(parcels_)};

 public:
  testing::World world;  ///< ends before what runs in it
};

}  // namespace quadrille::support
