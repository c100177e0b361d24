// What is on the wire and in the stores for ever: it may be added to, never changed.
#include "core/envelope.hpp"
#include "core/store.hpp"
#include "quadrille/v1/supervision_events.pb.h"
#include "shop/payment/v1/payment_events.pb.h"

#include <gtest/gtest.h>

namespace quadrille {
namespace {

TEST(Wire, AnEventsHeadersHaveTheseNamesAndForms) {
  ::shop::payment::v1::PaymentDeclined content;
  content.set_order_id("42");
  content.set_reason("no");
  Event event;
  event.id = "5c1ad7e2-6b8e-4c3f-9a57-0d3f0e5c8a11";
  event.type = content.GetTypeName();
  event.source = "payment";
  event.subject = "evt.9.payment.payment.PaymentDeclined";
  event.stream = {"payment", "42"};
  event.version = 2;
  event.saga_id = "s-1";
  event.causation_id = "c-1";
  event.hops = 3;
  event.contract = "c0ffee";
  event.traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  event.recorded_at = TimePoint(std::chrono::microseconds(1'796'122'091'000'123));
  event.payload = content.SerializeAsString();
  const Message golden{"evt.9.payment.payment.PaymentDeclined",
                       {{"Nats-Msg-Id", "5c1ad7e2-6b8e-4c3f-9a57-0d3f0e5c8a11"},
                        {"ce-specversion", "1.0"},
                        {"ce-id", "5c1ad7e2-6b8e-4c3f-9a57-0d3f0e5c8a11"},
                        {"ce-type", "shop.payment.v1.PaymentDeclined"},
                        {"ce-source", "payment"},
                        {"ce-subject", "42"},
                        {"ce-time", "2026-12-01T10:48:11.000123Z"},
                        {"ce-datacontenttype", "application/protobuf"},
                        {"ce-sagaid", "s-1"},
                        {"ce-causationid", "c-1"},
                        {"ce-stream", "payment-42"},
                        {"ce-version", "2"},
                        {"ce-hops", "3"},
                        {"ce-contract", "c0ffee"},
                        {"traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}},
                       std::string("\x0a\x02"
                                   "42"
                                   "\x12\x02"
                                   "no")};
  EXPECT_EQ(to_message(event), golden);
}

TEST(Wire, StoredNumbersStayWhatTheyAre) {
  EXPECT_EQ(static_cast<int>(Waiting::retry), 1);
  EXPECT_EQ(static_cast<int>(Waiting::gap), 2);
  EXPECT_EQ(static_cast<int>(Waiting::behind), 3);
  EXPECT_EQ(static_cast<int>(Waiting::parked), 4);
  EXPECT_EQ(static_cast<int>(ReasonClass::technical), static_cast<int>(v1::TECHNICAL));
  EXPECT_EQ(static_cast<int>(ReasonClass::business), static_cast<int>(v1::BUSINESS));
  EXPECT_EQ(static_cast<int>(ReasonClass::contract), static_cast<int>(v1::CONTRACT));
  EXPECT_EQ(static_cast<int>(ReasonClass::configuration), static_cast<int>(v1::CONFIGURATION));
  EXPECT_EQ(static_cast<int>(ReasonClass::overload), static_cast<int>(v1::OVERLOAD));
  EXPECT_EQ(static_cast<int>(ReasonClass::overload), 5);
}

}  // namespace
}  // namespace quadrille
