// W3C Trace Context from the request of a customer to the last message of its saga, and in every service's log.
#include "core/trace_context.hpp"
#include "dev/system.hpp"
#include "embedded/probe.hpp"
#include "jetstream/jetstream_broker.hpp"
#include "shop/load.hpp"

#include <gtest/gtest.h>
#include <httplib.h>

#include <fstream>
#include <set>

namespace quadrille {
namespace {

namespace fs = std::filesystem;

const std::string trace = "0af7651916cd43dd8448eb211c80319c";
const std::string customers_span = "b7ad6b7169203331";

class Trace : public ::testing::Test {
 protected:
  static std::vector<dev::ServiceSpec> services() {
    auto specs = dev::shop_services(fs::canonical("/proc/self/exe").parent_path());
    for (auto& spec : specs) {
      spec.environment["QUADRILLE_LOG_LEVEL"] = "debug";
      spec.environment["QUADRILLE_LOG_FORMAT"] = "json";
    }
    return specs;
  }
  void SetUp() override {
    shop::open_shop(system_, shop::usual_opening());
    system_.start_all();
    system_.await_all_ready();
  }

  /// Places an order and waits until it is confirmed.
  void buy(const std::string& order, const std::string& traceparent) {
    httplib::Client client("http://" + system_.http("order"));
    httplib::Headers headers{{"Idempotency-Key", order}};
    if (!traceparent.empty()) headers.emplace("traceparent", traceparent);
    const auto answer =
        client.Post("/orders", headers,
                    R"({"order_id": ")" + order +
                        R"(", "customer_id": "ada", "item": "clock", "quantity": 1, "amount_cents": 100})",
                    "application/json");
    ASSERT_TRUE(answer);
    ASSERT_EQ(answer->status, 201) << answer->body;
    ASSERT_TRUE(embedded::await([&] { return messages(order).size() == 7; }, std::chrono::seconds(60)))
        << "placed, authorized, reserved, captured, booked, dispatched, confirmed: " << messages(order).size();
  }
  /// Of the order's saga: `traceparent` by event id.
  std::map<std::string, std::string> messages(const std::string& order) const {
    std::map<std::string, std::string> found;
    jetstream::read_stream({.url = system_.nats_url("observer"), .client_name = "observer"}, "EVT", "evt.>",
                           [&](const Delivery& delivery) {
                             const auto& headers = delivery.message.headers;
                             if (headers.at("ce-subject") != order) return;
                             const auto parent = headers.find("traceparent");
                             found[headers.at("ce-id")] = parent == headers.end() ? "none" : parent->second;
                           });
    return found;
  }
  bool log_has(const std::string& participant, const std::string& text) const {
    std::ifstream log(system_.log(participant));
    for (std::string line; std::getline(log, line);)
      if (line.find(text) != std::string::npos) return true;
    return false;
  }

  embedded::TemporaryFolder folder_;
  dev::System system_{dev::System::Options{.folder = folder_.path(), .services = services()}};
};

TEST_F(Trace, GoesThroughEveryMessageOfASagaUnderAParentIdOfItsOwnAndIsInEveryLog) {
  buy("o-1", "00-" + trace + "-" + customers_span + "-01");
  std::set<std::string> spans{customers_span};
  for (const auto& [event, traceparent] : messages("o-1")) {
    EXPECT_EQ(trace_id(traceparent), trace) << traceparent;
    EXPECT_TRUE(spans.insert(traceparent.substr(36, 16)).second) << "a parent id twice: " << traceparent;
    EXPECT_TRUE(traceparent.ends_with("-01")) << traceparent;
  }
  for (const auto& service : system_.services())
    EXPECT_TRUE(embedded::await([&] { return log_has(service.participant, "\"trace\":\"" + trace + "\""); },
                                std::chrono::seconds(20)))
        << service.participant;
}

TEST_F(Trace, IsSampledOrNotAsTheCustomerSays) {
  buy("o-2", "00-" + trace + "-" + customers_span + "-00");
  for (const auto& [event, traceparent] : messages("o-2")) EXPECT_TRUE(traceparent.ends_with("-00")) << traceparent;
}

TEST_F(Trace, BeginsAtTheEdgeWhereTheCustomerSendsNoneOrAMalformedOne) {
  for (const auto& [order, sent] : {std::pair{"o-3", ""}, std::pair{"o-4", "00-0000-1-01"}}) {
    buy(order, sent);
    std::set<std::string> traces;
    for (const auto& [event, traceparent] : messages(order)) traces.insert(trace_id(traceparent));
    EXPECT_EQ(traces.size(), 1U) << order;
    EXPECT_FALSE(traces.contains("")) << order;
  }
}

}  // namespace
}  // namespace quadrille
