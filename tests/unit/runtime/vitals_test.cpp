// What a running instance tells about itself: /metrics, /live, /ready.
#include "runtime/vitals.hpp"

#include "payment_bench.hpp"
#include "telemetry/heartbeats.hpp"

#include <httplib.h>
#include <nlohmann/json.hpp>

namespace quadrille {
namespace {

using std::chrono::seconds;

class VitalsTest : public PaymentBench {
 protected:
  std::string metrics() {
    const auto answer = httplib::Client("127.0.0.1", service().metrics_port()).Get("/metrics");
    return answer && answer->status == 200 ? answer->body : "";
  }
  /// The value of one series of this participant; -1 where there is none.
  double value(const std::string& name, const std::string& labels = "") {
    const auto text = metrics();
    const auto line = "\n" + name + "{" + (labels.empty() ? "" : labels + ",") + "participant=\"payment\"} ";
    auto begin = text.find(line);
    auto length = line.size();
    if (begin == std::string::npos) {
      const auto other = "\n" + name + "{participant=\"payment\"" + (labels.empty() ? "" : "," + labels) + "} ";
      begin = text.find(other);
      length = other.size();
    }
    return begin == std::string::npos ? -1 : std::stod(text.substr(begin + length));
  }
};

TEST_F(VitalsTest, CountWhatWasDoneOnceItIsCommitted) {
  payment_.before = [tries = std::make_shared<std::atomic<int>>(0)](const std::string& key) {
    if (key == "slow" && ++*tries < 3) throw std::runtime_error("again");
    if (key == "bad") throw Error(Disposition::park, "never");
  };
  start();
  const auto order = placed("a", 1);
  publish(order);
  publish(placed("slow"));
  publish(placed("bad"));
  publish(confirmed("a", 3));
  ASSERT_TRUE(eventually([&] { return value("inbox_gaps_total") == 1; }));
  publish(confirmed("a", 2));
  ASSERT_TRUE(eventually([&] { return applied({"order", "a"}) == 3; }));
  publish(placed("a", 1));
  broker_.repeat_all(consumer_name("payment", "order", lane_of("a")));
  ASSERT_TRUE(eventually([&] {
    return value("step_done_total", R"(event="PaymentAuthorized",step="Authorize")") == 2 &&
           value("inbox_stale_total") == 1 && value("inbox_duplicates_total") >= 3;
  })) << metrics();
  EXPECT_EQ(value("step_duration_seconds_count", R"(step="Authorize")"), 2);
  EXPECT_EQ(value("step_latency_seconds_count", R"(step="Authorize")"), 2);
  EXPECT_EQ(value("step_retries_total", R"(reason="technical")"), 2);
  EXPECT_EQ(value("messages_parked_total", R"(reason="business")"), 1);
  EXPECT_EQ(value("messages_parked_total", R"(reason="overload")"), 0) << "there from the start";
  EXPECT_GE(value("batch_messages_count"), 1);
  EXPECT_GE(value("transaction_duration_seconds_count", R"(work="batch")"), 1);
  EXPECT_GE(value("outbox_published_total"), 3) << "two authorizations, one StepStuck";
  EXPECT_EQ(value("lanes_held"), lane_count);
  EXPECT_EQ(value("relay_leader"), 1);
  EXPECT_EQ(value("lease_changes_total", R"(change="taken")"), lane_count + 1);
  ASSERT_TRUE(eventually([&] { return value("waiting_messages", R"(state="parked")") == 1; }));
  EXPECT_EQ(value("stuck_messages", R"(reason="business")"), 1);
  EXPECT_EQ(value("outbox_pending"), 0);
  EXPECT_EQ(value("consumer_pending_messages", R"(context="order")"), 0);
  EXPECT_EQ(value("broker_connected"), 1);
  EXPECT_EQ(value("leases_current"), 1);
  EXPECT_EQ(value("relay_slot_lag_bytes"), 0);
  const auto text = metrics();
  for (const auto& id : {order.id, std::string("saga-a"), std::string("\"slow\""), std::string("\"bad\"")})
    EXPECT_EQ(text.find(id), std::string::npos) << "labels have few values: " << id;
}

TEST_F(VitalsTest, SaysThatItIsLiveAndReadyWithReasons) {
  start();
  httplib::Client client("127.0.0.1", service().metrics_port());
  ASSERT_TRUE(eventually([&] { return client.Get("/ready")->status == 200; }));
  const auto ready = nlohmann::json::parse(client.Get("/ready")->body);
  for (const auto* what : {"database", "broker", "topology", "leases"}) EXPECT_EQ(ready[what], "ok") << what;
  EXPECT_EQ(ready["status"], "ready");
  const auto live = client.Get("/live");
  EXPECT_EQ(live->status, 200);
  EXPECT_EQ(nlohmann::json::parse(live->body)["status"], "live");
}

TEST(Heartbeats, NameTheLoopThatHasStopped) {
  telemetry::Heartbeats heartbeats;
  const auto later = std::chrono::steady_clock::now() + seconds(100);
  for (const auto loop : {telemetry::Loop::dispatcher, telemetry::Loop::sweeper, telemetry::Loop::leases})
    heartbeats.beat(loop, later);
  EXPECT_TRUE(heartbeats.silent_for(seconds(200), later).empty());
  ASSERT_EQ(heartbeats.silent_for(seconds(60), later).size(), 1U);
  EXPECT_NE(heartbeats.silent_for(seconds(60), later)[0].find("the relay has not gone round for"), std::string::npos);
}

/// Ports that answer as a test wants, without a service around them.
TEST(Vitals, AnswersWith503AndTheReasonWhenALoopHangsOrLeasesAreLost) {
  const SystemClock clock;
  memory::MemoryStore store(clock);
  memory::MemoryBroker broker;
  const telemetry::Log log("payment", telemetry::Level::error, telemetry::Format::text);
  telemetry::Instruments instruments("payment");
  const runtime::LeaseKeeper leases(store, log, "me", {"relay"}, std::chrono::milliseconds(1));  // over before renewed
  runtime::Vitals vitals(store, broker, leases, instruments);
  http::HttpServer server;
  vitals.serve(server);
  httplib::Client client("127.0.0.1", server.start("127.0.0.1:0", "metrics_listen"));
  instruments.heartbeats.beat(telemetry::Loop::sweeper, std::chrono::steady_clock::now() - std::chrono::hours(1));
  const auto live = client.Get("/live");
  ASSERT_TRUE(live);
  EXPECT_EQ(live->status, 503);
  EXPECT_NE(live->body.find("the sweeper has not gone round for 3600 s"), std::string::npos) << live->body;
  const auto end = std::chrono::steady_clock::now() + seconds(20);
  httplib::Result ready = client.Get("/ready");
  while (ready->status == 200 && std::chrono::steady_clock::now() < end) ready = client.Get("/ready");
  EXPECT_EQ(ready->status, 503);
  EXPECT_EQ(nlohmann::json::parse(ready->body)["status"], "not ready");
  EXPECT_EQ(nlohmann::json::parse(ready->body)["leases"], "leases could not be renewed in time");
  EXPECT_EQ(nlohmann::json::parse(ready->body)["database"], "ok");
}

}  // namespace
}  // namespace quadrille
