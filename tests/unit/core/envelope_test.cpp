#include "core/envelope.hpp"

#include "quadrille/error.hpp"

#include <gtest/gtest.h>

namespace quadrille {
namespace {

Event declined() {
  Event event;
  event.id = "5c1ad7e2-6b8e-4c3f-9a57-0d3f0e5c8a11";
  event.type = "shop.payment.v1.PaymentDeclined";
  event.source = "payment";
  event.subject = "evt.11.payment.payment.PaymentDeclined";
  event.stream = {"payment", "a-b-c"};
  event.version = 2;
  event.saga_id = "saga-1";
  event.causation_id = "cause-1";
  event.hops = 3;
  event.contract = "c0ffee";
  event.traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  event.recorded_at = TimePoint(std::chrono::microseconds(1'796'122'091'000'123));
  event.payload = std::string("\0\x01\xff", 3);
  return event;
}

TEST(Envelope, SurvivesTheWire) { EXPECT_EQ(to_event(to_message(declined())), declined()); }

TEST(Envelope, TheMessageIdIsTheEventId) { EXPECT_EQ(to_message(declined()).headers.at("Nats-Msg-Id"), declined().id); }

TEST(Envelope, NamesTheHeaderThatIsMissingOrMalformed) {
  const auto complaint = [](const char* header, const std::string& value) {
    Message message = to_message(declined());
    message.headers[header] = value;
    try {
      static_cast<void>(to_event(message));
    } catch (const Error& error) {
      EXPECT_EQ(error.disposition(), Disposition::park);
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(complaint("ce-id", ""), "header ce-id is missing");
  EXPECT_EQ(complaint("ce-type", "\xff"), "header ce-type is not UTF-8 text");
  EXPECT_EQ(complaint("ce-version", "2x"), "header ce-version is not a number: '2x'");
  EXPECT_EQ(complaint("ce-version", "0"), "header ce-version is 0; versions begin at 1");
  EXPECT_EQ(complaint("ce-time", "yesterday"), "header ce-time is not RFC 3339 in UTC: 'yesterday'");
  EXPECT_EQ(complaint("ce-stream", "payment"), "stream name 'payment' is not <category>-<key>");
}

}  // namespace
}  // namespace quadrille
