#include "support/shop_traffic.hpp"

namespace quadrille::support {

const checker::Contracts& shop_contracts() {
  static const checker::Contracts contracts({std::string(QUADRILLE_SOURCE_DIR) + "/contracts/shop"}, {});
  return contracts;
}

int ShopTraffic::say(const std::string& source, const std::string& short_name, int cause, const std::string& saga) {
  Event event;
  for (const auto& [name, type] : shop_contracts().reading().model.events)
    if (type.short_name == short_name) {
      event.type = name;
      event.stream = {type.aggregate, saga};
      event.subject = "evt.3." + type.context + "." + type.aggregate + "." + type.short_name;
    }
  event.id = "e" + std::to_string(events.size());
  event.source = source;
  event.saga_id = saga;
  event.version = ++versions_[event.stream.text()];
  event.causation_id = cause < 0 ? "" : events[static_cast<std::size_t>(cause)].id;
  event.hops = cause < 0 ? 0 : events[static_cast<std::size_t>(cause)].hops + 1;
  event.contract = "f";
  event.recorded_at = TimePoint(std::chrono::hours(1)) + std::chrono::seconds(events.size());
  events.push_back(event);
  return static_cast<int>(events.size()) - 1;
}

int ShopTraffic::checkout(const std::string& saga) {
  const int first = say("order", "OrderPlaced", -1, saga);
  int last = say("payment", "PaymentAuthorized", first, saga);
  last = say("inventory", "StockReserved", last, saga);
  last = say("payment", "PaymentCaptured", last, saga);
  last = say("shipping", "ShipmentBooked", last, saga);
  last = say("inventory", "StockDispatched", last, saga);
  say("order", "OrderConfirmed", last, saga);
  return first;
}

}  // namespace quadrille::support
