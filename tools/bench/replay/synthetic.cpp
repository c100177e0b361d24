#include "replay/synthetic.hpp"

#include "core/short_name.hpp"
#include "core/subject.hpp"
#include "shop/inventory/v1/inventory_events.pb.h"
#include "shop/order/v1/order_events.pb.h"
#include "shop/payment/v1/payment_events.pb.h"

#include <array>
#include <cstdio>
#include <string>

namespace quadrille::bench {
namespace {

/// In the form of a UUID, different for each event of each saga, and scattered as random ones are.
std::string uuid_of(std::uint64_t saga, std::uint64_t step) {
  auto mixed = (saga * events_a_saga + step + 1) * 0x9e3779b97f4a7c15ULL;
  mixed ^= mixed >> 29U;
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%08x-%04x-4%03x-a%03x-%012llx", static_cast<unsigned>(mixed >> 32U),
                static_cast<unsigned>(mixed >> 16U & 0xffffU), static_cast<unsigned>(mixed & 0xfffU),
                static_cast<unsigned>(step), static_cast<unsigned long long>(saga));
  return text.data();
}

template <class Message>
Event event_of(std::uint64_t saga, std::uint64_t step, const char* source, const char* context, const char* aggregate,
               std::uint64_t version, Message message) {
  const auto key = "order-" + std::to_string(saga);
  message.set_order_id(key);
  Event event;
  event.id = uuid_of(saga, step);
  event.type = message.GetTypeName();
  event.source = source;
  event.subject = event_subject(key, context, aggregate, short_name(event.type));
  event.stream = {aggregate, key};
  event.version = version;
  event.saga_id = saga_id_of(saga);
  event.causation_id = step == 0 ? "" : uuid_of(saga, step - 1);
  event.hops = static_cast<std::uint32_t>(step);
  event.contract = std::string(64, 'c');
  event.traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  event.recorded_at =
      TimePoint(std::chrono::seconds(1'790'000'000) + std::chrono::microseconds(saga * 500 + step * 2'000));
  event.payload = message.SerializeAsString();
  return event;
}

Event event_of(std::uint64_t saga, std::uint64_t step) {
  switch (step) {
    case 0: {
      ::shop::order::v1::OrderPlaced placed;
      placed.set_customer_id("customer-" + std::to_string(saga % 1'000));
      placed.set_item("clock");
      placed.set_quantity(1);
      placed.set_amount_cents(4'999);
      return event_of(saga, step, "order", "order", "order", 1, placed);
    }
    case 1: {
      ::shop::payment::v1::PaymentAuthorized authorized;
      authorized.set_customer_id("customer-" + std::to_string(saga % 1'000));
      authorized.set_amount_cents(4'999);
      authorized.set_item("clock");
      authorized.set_quantity(1);
      return event_of(saga, step, "payment", "payment", "payment", 1, authorized);
    }
    case 2: {
      ::shop::inventory::v1::StockReserved reserved;
      reserved.set_item("clock");
      reserved.set_quantity(1);
      return event_of(saga, step, "inventory", "inventory", "reservation", 1, reserved);
    }
    case 3: {
      ::shop::payment::v1::PaymentCaptured captured;
      captured.set_item("clock");
      captured.set_quantity(1);
      return event_of(saga, step, "payment", "payment", "payment", 2, captured);
    }
    case 4: {
      ::shop::inventory::v1::StockDispatched dispatched;
      dispatched.set_tracking_code("TRACK-" + std::to_string(saga));
      return event_of(saga, step, "inventory", "inventory", "reservation", 2, dispatched);
    }
    default: {
      ::shop::order::v1::OrderConfirmed confirmed;
      confirmed.set_tracking_code("TRACK-" + std::to_string(saga));
      return event_of(saga, step, "order", "order", "order", 2, confirmed);
    }
  }
}

}  // namespace

std::string saga_id_of(std::uint64_t number) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "01934f1e-%04x-7000-8000-%012llx", static_cast<unsigned>(number & 0xffffU),
                static_cast<unsigned long long>(number));
  return text.data();
}

void synthesize(std::uint64_t sagas, const std::function<void(const Event&)>& take) {
  constexpr std::uint64_t apart = 3;  // sagas between one event of a saga and its next
  for (std::uint64_t i = 0; i < sagas + apart * (events_a_saga - 1); ++i)
    for (std::uint64_t step = events_a_saga; step-- > 0;)
      if (i >= apart * step && i - apart * step < sagas) take(event_of(i - apart * step, step));
}

}  // namespace quadrille::bench
