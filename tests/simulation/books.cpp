#include "simulation/books.hpp"

#include "shop/inventory/v1/inventory_events.pb.h"
#include "shop/payment/v1/payment_events.pb.h"

namespace simulation {

void Books::enter(const quadrille::Event& event) {
  const auto& key = event.stream.key;
  if (shop::payment::v1::PaymentAuthorized said;
      event.type == said.GetTypeName() && said.ParseFromString(event.payload))
    hold(key, "account/" + said.customer_id(), static_cast<std::int64_t>(said.amount_cents()));
  if (shop::inventory::v1::StockReserved said; event.type == said.GetTypeName() && said.ParseFromString(event.payload))
    hold(key, "item/" + said.item(), said.quantity());
  if (event.type == shop::payment::v1::PaymentVoided::descriptor()->full_name()) end_hold(key, false);
  if (event.type == shop::payment::v1::PaymentCaptured::descriptor()->full_name() ||
      event.type == shop::inventory::v1::StockDispatched::descriptor()->full_name())
    end_hold(key, true);
}

std::string Books::difference(quadrille::Quantities& quantities) const {
  for (const auto& [resource, wanted] : accounts_) {
    const auto found = quantities.find(resource).value_or(quadrille::Quantities::Quantity{});
    if (found.total != wanted.total || found.held != wanted.held || found.held < 0 || found.held > found.total)
      return resource + ": " + std::to_string(found.held) + " of " + std::to_string(found.total) +
             " held, but what was said makes it " + std::to_string(wanted.held) + " of " + std::to_string(wanted.total);
  }
  return {};
}

void Books::hold(const std::string& key, const std::string& resource, std::int64_t amount) {
  accounts_[resource].held += amount;
  holds_[key] = {resource, amount};
}

void Books::end_hold(const std::string& key, bool taken) {
  const auto held = holds_.find(key);
  if (held == holds_.end()) return;
  auto& account = accounts_[held->second.first];
  account.held -= held->second.second;
  if (taken) account.total -= held->second.second;
  holds_.erase(held);
}

}  // namespace simulation
