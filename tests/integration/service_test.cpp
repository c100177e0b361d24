// The built programs as an operator meets them: exit codes, sentences, stopping, the tool beside them.
#include "dev/system.hpp"
#include "embedded/probe.hpp"
#include "jetstream/jetstream_broker.hpp"
#include "shop/audit.hpp"
#include "shop/load.hpp"

#include <gtest/gtest.h>
#include <httplib.h>

#include <fstream>
#include <sstream>

namespace quadrille {
namespace {

namespace fs = std::filesystem;

fs::path binaries() { return fs::canonical("/proc/self/exe").parent_path(); }

struct Answer {
  int exit_code = -1;
  std::string output;
};

Answer run(const std::string& program, std::vector<std::string> arguments,
           std::map<std::string, std::string> environment) {
  const embedded::TemporaryFolder folder;
  const auto output = folder.path() / "output";
  arguments.insert(arguments.begin(), (binaries() / program).string());
  embedded::ChildProcess process(
      {.arguments = std::move(arguments), .environment = std::move(environment), .output = output});
  const auto code = process.wait(std::chrono::seconds(30)).value_or(-1);
  std::ostringstream text;
  text << std::ifstream(output).rdbuf();
  return {code, text.str()};
}

void expect_in(const std::string& text, const std::vector<std::string>& parts) {
  for (const auto& part : parts) EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' in:\n" << text;
}

TEST(ServiceProgram, ExplainsItsSettings) {
  const auto help = run("shop-payment", {"--help"}, {});
  EXPECT_EQ(help.exit_code, 0);
  expect_in(help.output, {"--nats-url", "QUADRILLE_NATS_URL", "--database-url", "--relay", "QUADRILLE_RELAY",
                          "--timeout", "Exit code"});
}

TEST(ServiceProgram, NamesTheSettingThatIsMissingOrWrong) {
  const auto missing = run("shop-payment", {}, {});
  EXPECT_EQ(missing.exit_code, 2);
  expect_in(missing.output, {"--database-url"});
  const auto wrong = run("shop-payment", {"--timeout", "GiveUp"}, {{"QUADRILLE_DATABASE_URL", "host=127.0.0.1"}});
  EXPECT_EQ(wrong.exit_code, 2);
  expect_in(wrong.output, {"GiveUp", "STEP=TIME"});
}

TEST(ServiceProgram, EndsWithTwoAndOneSentenceWhenItsDatabaseCannotBeReached) {
  const auto port = std::to_string(embedded::free_port());
  const auto answer = run("shop-payment", {"--start-timeout", "300ms"},
                          {{"QUADRILLE_DATABASE_URL", "postgresql://shop:s3cret@127.0.0.1:" + port + "/payment"}});
  EXPECT_EQ(answer.exit_code, 2);
  expect_in(answer.output,
            {"cannot reach PostgreSQL at postgresql://shop:***@127.0.0.1:" + port, "setting database_url"});
  EXPECT_EQ(answer.output.find("s3cret"), std::string::npos);
}

class ShopProgram : public ::testing::Test {
 protected:
  void SetUp() override { shop::open_shop(system_, opening_); }

  std::map<std::string, std::string> environment(const std::string& participant) {
    return {{"QUADRILLE_NATS_URL", system_.nats().url()}, {"QUADRILLE_DATABASE_URL", system_.service_url(participant)}};
  }

  embedded::TemporaryFolder folder_;
  dev::System system_{dev::System::Options{.folder = folder_.path(), .services = dev::shop_services(binaries())}};
  shop::Opening opening_ = shop::usual_opening();
};

TEST_F(ShopProgram, EndsWithTwoWhenNatsCannotBeReached) {
  auto settings = environment("payment");
  const auto port = std::to_string(embedded::free_port());
  settings["QUADRILLE_NATS_URL"] = "nats://shop:s3cret@127.0.0.1:" + port;
  const auto answer = run("shop-payment", {"--start-timeout", "300ms"}, settings);
  EXPECT_EQ(answer.exit_code, 2);
  expect_in(answer.output, {"cannot reach NATS at nats://shop:***@127.0.0.1:" + port, "setting nats_url"});
  EXPECT_EQ(answer.output.find("s3cret"), std::string::npos);
}

TEST_F(ShopProgram, EndsWithTwoWhenItsHttpPortIsTaken) {
  system_.start("order");
  system_.await_ready("order");
  const auto answer = run("shop-order", {"--http", system_.http("order")}, environment("order"));
  EXPECT_EQ(answer.exit_code, 2);
  expect_in(answer.output, {"setting http", system_.http("order")});
}

TEST_F(ShopProgram, TakesItsSettingsFromAFileTheEnvironmentAndFlagsInThatOrder) {
  const auto file = folder_.path() / "payment.toml";
  std::ofstream(file) << "database-url = \"" << system_.service_url("payment")
                      << "\"\nnats-url = \"nats://127.0.0.1:1\"\ninstance = \"from-file\"\n";
  const auto http = "127.0.0.1:" + std::to_string(embedded::free_port());
  const auto log = folder_.path() / "payment.log";
  embedded::ChildProcess process({.arguments = {(binaries() / "shop-payment").string(), "--config", file.string(),
                                                "--http", http, "--log-format", "json"},
                                  .environment = {{"QUADRILLE_NATS_URL", system_.nats().url()}},
                                  .output = log});
  httplib::Client client("http://" + http);
  EXPECT_TRUE(embedded::await(
      [&] {
        const auto answer = client.Get("/ready");
        return answer && answer->status == 200;
      },
      std::chrono::seconds(20)))
      << embedded::tail(log);
  EXPECT_EQ(process.stop(), 0);
  expect_in(embedded::tail(log), {"instance=from-file", "\"participant\":\"payment\"", "\"text\":\"ready"});
}

TEST_F(ShopProgram, TailsTheLogWhereTheToolHasPreparedIt) {
  auto settings = environment("payment");
  settings["QUADRILLE_RELAY"] = "log-tailing";
  const auto unprepared = run("shop-payment", {}, settings);
  EXPECT_EQ(unprepared.exit_code, 2);
  expect_in(unprepared.output, {"role payment has no right to replicate", "there is no publication",
                                "there is no replication slot", "quadrille migrate --log-tailing"});
  const std::map<std::string, std::string> owner{{"QUADRILLE_DATABASE_URL", system_.owner_url("payment")}};
  const auto prepared = run("quadrille", {"migrate", "--log-tailing", "--service-role", "payment"}, owner);
  EXPECT_EQ(prepared.exit_code, 0) << prepared.output;
  expect_in(prepared.output, {"role payment may replicate", "made publication", "made replication slot"});
  const auto log = folder_.path() / "tailing.log";
  embedded::ChildProcess process(
      {.arguments = {(binaries() / "shop-payment").string()}, .environment = settings, .output = log});
  const auto says = [&](const std::string& text) {
    return embedded::await([&] { return embedded::tail(log).find(text) != std::string::npos; },
                           std::chrono::seconds(20));
  };
  EXPECT_TRUE(says("relay=log-tailing") && says("relay reads the log through slot")) << embedded::tail(log);
  const auto too_early = run("quadrille", {"migrate", "--drop-log-tailing"}, owner);
  EXPECT_EQ(too_early.exit_code, 2);
  expect_in(too_early.output, {"stop the relay that reads it, or let it poll, first"});
  EXPECT_EQ(process.stop(), 0);
  const auto dropped = [&] { return run("quadrille", {"migrate", "--drop-log-tailing"}, owner).exit_code == 0; };
  EXPECT_TRUE(embedded::await(dropped, std::chrono::seconds(20)));
}

TEST_F(ShopProgram, IsReadyOnlyWhileTheBrokerIsThere) {
  system_.start("payment");
  system_.await_ready("payment");
  httplib::Client client("http://" + system_.http("payment"));
  system_.nats().kill();
  EXPECT_TRUE(embedded::await(
      [&] {
        const auto answer = client.Get("/ready");
        return answer && answer->status == 503;
      },
      std::chrono::seconds(20)));
  EXPECT_EQ(client.Get("/live")->status, 200);
  system_.nats().start();
  system_.await_ready("payment");
}

TEST_F(ShopProgram, RefusesToStartOnATopologyThatIsNotAsItsContractWants) {
  // Somebody else has made the consumer, to hear something else.
  const auto broker = jetstream::connect({.url = system_.nats().url(), .client_name = "somebody"});
  Topology topology;
  ConsumerSpec consumer;
  consumer.name = "payment-order-3";
  consumer.filter = "evt.4.order.>";
  topology.consumers.push_back(consumer);
  broker->ensure(topology);
  const auto answer = run("shop-payment", {}, environment("payment"));
  EXPECT_EQ(answer.exit_code, 2);
  expect_in(answer.output, {"consumer payment-order-3 of stream EVT is not as the contract and the settings want it",
                            "filter_subject: wanted \"evt.3.order.>\", found \"evt.4.order.>\"",
                            "delete it and let it be created again"});
}

TEST_F(ShopProgram, ParksWhatItCannotReadWithReasonAndBytesAndGoesOn) {
  system_.start_all();
  system_.await_all_ready();
  const auto broker = jetstream::connect({.url = system_.nats().url(), .client_name = "stranger"});
  const std::vector<Message> strange{
      {"evt.3.order.order.OrderPlaced", {{"Nats-Msg-Id", "no headers of ours"}}, std::string("\0garbage\xff", 9)},
      {"evt.3.order.order.OrderPlaced", {{"Nats-Msg-Id", "\xff\xfe"}, {"ce-id", "\xff"}}, "an id that is no text"},
  };
  for (const auto answer : broker->publish(strange)) ASSERT_EQ(answer, Published::stored);
  const auto parked = [&] { return shop::parked(system_, "payment"); };
  EXPECT_TRUE(embedded::await([&] { return parked().size() == 2; }, std::chrono::seconds(20)));
  for (const auto& [reason, payload_bytes] : parked()) {
    EXPECT_NE(reason.find("header ce-id is"), std::string::npos) << reason;
    EXPECT_GT(payload_bytes, 0);
  }
  shop::Load load(system_, opening_, 5);
  load.place(20);
  EXPECT_TRUE(embedded::await([&] { return shop::ends(system_).running == 0; }, std::chrono::seconds(30)))
      << "the lanes go on";
}

TEST_F(ShopProgram, CarriesSagaEventAndTraceInItsLinesAndTheTraceOfTheRequest) {
  system_.start("order");
  system_.await_ready("order");
  httplib::Client client("http://" + system_.http("order"));
  const auto answer = client.Post(
      "/orders", {{"Idempotency-Key", "1"}, {"traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}},
      R"({"customer_id": "ada", "item": "clock", "quantity": 1, "amount_cents": 100})", "application/json");
  ASSERT_TRUE(answer);
  ASSERT_EQ(answer->status, 201) << answer->body;
  expect_in(embedded::tail(system_.log("order")),
            {"command accepted", "saga=", "step=Place", "event=", "trace=0af7651916cd43dd8448eb211c80319c"});
}

TEST_F(ShopProgram, IsReplayedByTheTool) {
  system_.start_all();
  system_.await_all_ready();
  shop::Load load(system_, opening_, 5);
  load.place(12);
  ASSERT_TRUE(shop::await_quiet(system_, 12, std::chrono::seconds(30)));
  auto saga = shop::find_saga(system_, "out of stock");
  for (int i = 0; saga.empty() && i < 20; ++i) {
    load.place(5);
    ASSERT_TRUE(shop::await_quiet(system_, load.orders().size(), std::chrono::seconds(30)));
    saga = shop::find_saga(system_, "out of stock");
  }
  const auto timeline = run("quadrille", {"replay", "--saga", saga, "--nats-url", system_.nats().url()}, {});
  EXPECT_EQ(timeline.exit_code, 0) << timeline.output;
  expect_in(timeline.output, {"OrderPlaced", "PaymentAuthorized", "StockRefused", "PaymentVoided", "OrderRejected",
                              "OrderPlaced order@1", "DELTA"});
  const auto stream = run("quadrille",
                          {"replay", "--stream", "order-" + load.orders().front().id, "--contracts",
                           fs::path(QUADRILLE_SOURCE_DIR) / "contracts" / "shop", "--nats-url", system_.nats().url()},
                          {});
  EXPECT_EQ(stream.exit_code, 0) << stream.output;
  expect_in(stream.output, {"version 1  OrderPlaced", "+ customer_id: \"" + load.orders().front().customer + "\"",
                            "version 2  Order", "~ stage: \"OrderPlaced\" -> \"Order"});
  EXPECT_EQ(run("quadrille", {"replay", "--saga", "nobody", "--nats-url", system_.nats().url()}, {}).exit_code, 1);
  EXPECT_EQ(run("quadrille", {"replay", "--nats-url", system_.nats().url()}, {}).exit_code, 2);
}

/// The server lets everybody do everything but user `muted`, who may not publish what payment says.
class MutedPayment : public ::testing::Test {
 protected:
  embedded::TemporaryFolder folder_;
  dev::System system_{
      dev::System::Options{.folder = folder_.path(), .services = dev::shop_services(binaries()), .nats_config = R"(
    authorization { users: [ { user: "all", password: "a" }, { user: "muted", password: "m", permissions: { publish: { deny: ["evt.*.payment.>"] } } } ] }
    no_auth_user: "all")"}};
};

TEST_F(MutedPayment, StopsInsteadOfTryingForEverWhatTheBrokerForbids) {
  shop::open_shop(system_, shop::usual_opening());
  system_.start("order");
  system_.await_ready("order");
  const auto port = system_.nats().url().substr(system_.nats().url().rfind(':') + 1);
  const auto log = folder_.path() / "muted.log";
  embedded::ChildProcess payment({.arguments = {(binaries() / "shop-payment").string()},
                                  .environment = {{"QUADRILLE_NATS_URL", "nats://muted:m@127.0.0.1:" + port},
                                                  {"QUADRILLE_DATABASE_URL", system_.service_url("payment")}},
                                  .output = log});
  ASSERT_TRUE(
      embedded::await([&] { return embedded::tail(log).find("ready") != std::string::npos; }, std::chrono::seconds(20)))
      << embedded::tail(log);
  shop::Load load(system_, shop::usual_opening(), 1);
  load.place(1);
  EXPECT_EQ(payment.wait(std::chrono::seconds(60)), 2);
  expect_in(embedded::tail(log), {"the broker forbids participant payment to publish evt.",
                                  "grant it publish permission for evt.*.payment.>"});
  EXPECT_EQ(shop::outbox_size(system_, "payment"), 1) << "what it could not say is kept";
}

}  // namespace
}  // namespace quadrille
