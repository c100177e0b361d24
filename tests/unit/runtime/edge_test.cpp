// The HTTP edge of the order service: Idempotency-Key and problem bodies.
#include "memory/memory_broker.hpp"
#include "memory/memory_store.hpp"
#include "order/order_service.hpp"
#include "runtime/polling_source.hpp"
#include "runtime/service.hpp"

#include <gtest/gtest.h>
#include <httplib.h>
#include <nlohmann/json.hpp>

namespace quadrille {
namespace {

class EdgeTest : public ::testing::Test, public runtime::Stopper {
 protected:
  static constexpr const char* good =
      R"({"order_id": "o-1", "customer_id": "ada", "item": "clock", "quantity": 1, "amount_cents": 2500})";

  void stop_because(const std::string& reason) override { FAIL() << reason; }

  httplib::Result post(const std::string& body, const httplib::Headers& headers) {
    return client_.Post("/orders", headers, body, "application/json");
  }
  static void expect_problem(const httplib::Result& answer, int status) {
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, status) << answer->body;
    EXPECT_EQ(answer->get_header_value("Content-Type"), "application/problem+json");
    const auto problem = nlohmann::json::parse(answer->body);
    EXPECT_EQ(problem["status"], status);
    EXPECT_FALSE(problem["title"].get<std::string>().empty());
    EXPECT_FALSE(problem["detail"].get<std::string>().empty());
  }
  std::size_t events() {
    const auto transaction = store_.begin();
    return transaction->events().read_all({}, 1'000).size();
  }

  ::shop::order::OrderService order_;
  runtime::Part part_{order_};
  const Edge edge_ = ::shop::order::storefront();
  SystemClock clock_;
  memory::MemoryStore store_{clock_};
  runtime::PollingSource source_{store_};
  memory::MemoryBroker broker_;
  telemetry::Log log_{"order", telemetry::Level::error, telemetry::Format::text};
  telemetry::Instruments instruments_{"order"};
  runtime::Service service_{part_, edge_, store_, source_, broker_, clock_, log_, instruments_, *this, [] {
                              runtime::Settings settings;
                              settings.instance = "edge";
                              settings.http = "127.0.0.1:0";
                              return settings;
                            }()};
  httplib::Client client_{"127.0.0.1", service_.http_port()};
};

TEST_F(EdgeTest, AcceptsAnOrderOnceHoweverOftenItIsSent) {
  const auto first = post(good, {{"Idempotency-Key", "k"}});
  ASSERT_TRUE(first);
  EXPECT_EQ(first->status, 201) << first->body;
  const auto body = nlohmann::json::parse(first->body);
  EXPECT_EQ(body["key"], "o-1");
  EXPECT_FALSE(body["saga_id"].get<std::string>().empty());
  const auto again = post(good, {{"Idempotency-Key", "k"}});
  ASSERT_TRUE(again);
  EXPECT_EQ(again->status, 201);
  EXPECT_EQ(again->body, first->body);
  EXPECT_EQ(again->get_header_value("Idempotency-Replayed"), "true");
  EXPECT_EQ(events(), 1U);
}

TEST_F(EdgeTest, RefusesAKeyThatWasUsedForAnotherBody) {
  ASSERT_EQ(post(good, {{"Idempotency-Key", "k"}})->status, 201);
  expect_problem(
      post(R"({"customer_id": "ada", "item": "lamp", "quantity": 1, "amount_cents": 1})", {{"Idempotency-Key", "k"}}),
      422);
}

TEST_F(EdgeTest, TakesTheSameCommandInAnotherSpellingForTheSame) {
  ASSERT_EQ(post(good, {{"Idempotency-Key", "k"}})->status, 201);
  EXPECT_EQ(post(R"({"amountCents":"2500","item":"clock","quantity":1,"customerId":"ada","orderId":"o-1"})",
                 {{"Idempotency-Key", "k"}})
                ->status,
            201);
}

TEST_F(EdgeTest, AnswersAProblemToWhatIsNotValid) {
  expect_problem(post(good, {}), 400);
  for (const auto& key : {std::string(256, 'k'), std::string("k\xff"), std::string("k\x7f")})
    expect_problem(post(good, {{"Idempotency-Key", key}}), 400);
  for (const auto* body :
       {"", "no json", "[]", R"({"customer_id": "ada"})",
        R"({"customer_id": "ada", "item": "clock", "quantity": -1, "amount_cents": 1})",
        R"({"customer_id": "ada", "item": "clock", "quantity": 1, "amount_cents": 1, "surprise": 1})"})
    expect_problem(post(body, {{"Idempotency-Key", "k"}}), 400);
  EXPECT_EQ(events(), 0U);
  ASSERT_EQ(post(good, {{"Idempotency-Key", "k"}})->status, 201) << "a refused request uses up no key";
}

TEST_F(EdgeTest, RefusesAnOrderWhoseEventTheBrokerWouldNotTake) {
  const auto answer = post(R"({"customer_id": "ada", "quantity": 1, "amount_cents": 1, "item": ")" +
                               std::string((1 << 20) - 200, 'x') + "\"}",
                           {{"Idempotency-Key", "k"}});
  expect_problem(answer, 422);
  EXPECT_NE(answer->body.find("max_payload"), std::string::npos);
  EXPECT_EQ(events(), 0U);
}

TEST_F(EdgeTest, SaysThatAnOrderIsThereAlready) {
  ASSERT_EQ(post(good, {{"Idempotency-Key", "k1"}})->status, 201);
  expect_problem(post(good, {{"Idempotency-Key", "k2"}}), 409);
}

TEST_F(EdgeTest, ShowsAnOrder) {
  ASSERT_EQ(post(good, {{"Idempotency-Key", "k"}})->status, 201);
  const auto answer = client_.Get("/orders/o-1");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(nlohmann::json::parse(answer->body)["status"], "placed");
  expect_problem(client_.Get("/orders/nobody's"), 404);
  expect_problem(client_.Get("/elsewhere"), 404);
  EXPECT_EQ(client_.Get("/live")->status, 200);
  auto ready = client_.Get("/ready");
  for (int i = 0; ready->status != 200 && i < 1000; ++i) ready = client_.Get("/ready");  // its leases come first
  EXPECT_EQ(ready->status, 200) << ready->body;
}

}  // namespace
}  // namespace quadrille
