#include "walkthrough/recorded_shop.hpp"

#include "inventory/inventory_service.hpp"
#include "order/order_service.hpp"
#include "shipping/shipping_service.hpp"
#include "support/saga_recorder.hpp"

#include <algorithm>
#include <cstdint>

namespace shop {
namespace {

constexpr int tenth = 10;
constexpr int hundredth = 100;

order::v1::PlaceOrder order_of(int number) {
  order::v1::PlaceOrder command;
  command.set_order_id("o-" + std::to_string(number));
  command.set_customer_id(number % tenth == 1 ? "poor" : "alice");
  command.set_item(number % tenth == 2 ? "moonstone" : "clock");
  command.set_quantity(1);
  command.set_amount_cents(300);
  return command;
}

}  // namespace

RecordedShop record_shop(quadrille::Participant& payment, int orders) {
  order::OrderService order;
  inventory::InventoryService inventory;
  shipping::ShippingService shipping;
  RecordedShop shop;
  constexpr std::int64_t plenty = 1'000'000;
  constexpr int together = 50;  // a store in memory is copied by every transaction: many small ones are quicker
  for (int begin = 0; begin < orders; begin += together) {
    quadrille::SagaRecorder recorder;
    recorder.join(order);
    recorder.join(payment);
    recorder.join(inventory);
    recorder.join(shipping);
    recorder.resource("payment", "account/alice", plenty);
    recorder.resource("inventory", "item/clock", plenty);
    for (int i = begin; i < std::min(orders, begin + together); ++i) {
      const auto command = order_of(i);
      shop.sagas.push_back(recorder.command("order", "Place", command, command.order_id()));
      if (i % hundredth != 0) continue;
      inventory::v1::StockRefused refused;
      refused.set_order_id(command.order_id());
      refused.set_reason("not on the shelf");
      recorder.say("inventory", refused);
    }
    shop.events.insert(shop.events.end(), recorder.events().begin(), recorder.events().end());
  }
  return shop;
}

}  // namespace shop
