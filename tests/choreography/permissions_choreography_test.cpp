// The shop on a NATS whose permissions are derived from its contracts: enough for everything it declares, for nothing
// else.
#include "checker/load.hpp"
#include "core/uuid.hpp"
#include "deploy/permissions.hpp"
#include "deploy/registry.hpp"
#include "embedded/probe.hpp"
#include "jetstream/jetstream_broker.hpp"
#include "quadrille/error.hpp"
#include "shop_fixture.hpp"
#include "tracker/control_client.hpp"

#include <gmock/gmock.h>

namespace quadrille {
namespace {

namespace fs = std::filesystem;

class LeastPrivilege : public ::testing::Test {
 protected:
  static std::map<std::string, std::string> passwords() {
    std::map<std::string, std::string> result;
    for (const auto* user : {"deployer", "operator", "tracker", "order", "payment", "inventory", "shipping"})
      result[user] = std::string("pw-of-") + user;
    return result;
  }
  static dev::System::Options options(const fs::path& folder) {
    const checker::Contracts contracts({fs::path(QUADRILLE_SOURCE_DIR) / "contracts" / "shop"}, {});
    dev::System::Options options{.folder = folder,
                                 .services = dev::shop_services(fs::canonical("/proc/self/exe").parent_path())};
    options.nats_config = deploy::nats_permissions(contracts.reading().model);
    options.nats_passwords = passwords();
    for (const auto& [user, password] : passwords())
      options.nats_environment[deploy::password_variable(user)] = password;
    for (auto& service : options.services) service.environment["QUADRILLE_LOG_LEVEL"] = "warn";
    return options;
  }
  int deploy_shop() {
    const auto tool = fs::canonical("/proc/self/exe").parent_path() / "quadrille";
    embedded::ChildProcess process(
        {.arguments = {tool.string(), "deploy", (fs::path(QUADRILLE_SOURCE_DIR) / "contracts" / "shop").string()},
         .environment = {{"QUADRILLE_NATS_URL", system_.nats_url("deployer")}},
         .output = folder_.path() / "deploy.log"});
    return process.wait(std::chrono::seconds(30)).value_or(-1);
  }
  std::unique_ptr<Broker> as(const std::string& user) {
    return jetstream::connect(
        {.url = system_.nats_url(user), .client_name = user, .publish_timeout = std::chrono::milliseconds(700)});
  }
  static Published publish(Broker& broker, const std::string& subject) {
    const Message message{subject, {{"Nats-Msg-Id", new_uuid()}}, "x"};
    return broker.publish(std::span(&message, 1)).front();
  }

  embedded::TemporaryFolder folder_;
  dev::System system_{options(folder_.path())};
};

TEST_F(LeastPrivilege, IsEnoughForTheShopOnceItIsDeployed) {
  ASSERT_EQ(deploy_shop(), 0) << embedded::tail(folder_.path() / "deploy.log");
  const auto opening = shop::usual_opening();
  shop::open_shop(system_, opening);
  system_.start_all();
  system_.await_all_ready();
  shop::Load load(system_, opening, 3);
  load.place(60);
  EXPECT_TRUE(shop::await_quiet(system_, 60, std::chrono::seconds(60)));
  for (const auto& violation : shop::audit(system_, opening, load.orders())) ADD_FAILURE() << violation;
}

TEST_F(LeastPrivilege, IsNotEnoughForWhatAContractDoesNotDeclare) {
  ASSERT_EQ(deploy_shop(), 0);
  const auto payment = as("payment");
  EXPECT_EQ(publish(*payment, "evt.1.payment.payment.PaymentCaptured"), Published::stored);
  EXPECT_EQ(publish(*payment, "evt.1.supervision.payment.StepStuck"), Published::stored);
  EXPECT_EQ(publish(*payment, "evt.1.supervision.order.StepStuck"), Published::refused);
  EXPECT_EQ(publish(*payment, "evt.1.order.order.OrderPlaced"), Published::refused);
  Topology another;
  ConsumerSpec consumer;
  consumer.name = "payment-spy-1";
  consumer.filter = "evt.1.shipping.>";
  another.consumers.push_back(consumer);
  EXPECT_THROW(payment->ensure(another), Error)
      << "a service may create no consumer: any consumer could read everything";
}

TEST_F(LeastPrivilege, LetsOperatorsActAndTrackersOnlyRead) {
  ASSERT_EQ(deploy_shop(), 0);
  const auto owner = as("deployer");
  EXPECT_EQ(publish(*owner, "evt.1.order.order.OrderPlaced"), Published::stored);
  const auto payment = as("payment");
  const auto answer = [](const std::string& question) { return "re: " + question; };
  const auto questions = payment->serve("quadrille.control.payment", "payment", answer);
  const auto everybody = payment->serve("quadrille.control.instances", "", answer);
  const auto acts = payment->serve("quadrille.act.payment", "payment", answer);
  const auto ask = [](Broker& broker, const std::string& subject) {
    try {
      return broker.ask(subject, "?", 1, std::chrono::seconds(10)).empty() ? "silence" : "answer";
    } catch (const Error& error) {
      return error.disposition() == Disposition::stop ? "forbidden" : "error";
    }
  };
  const std::vector<std::string> consumers{"payment-order-1"};
  for (const auto* user : {"operator", "tracker"}) {
    const auto broker = as(user);
    EXPECT_STREQ(ask(*broker, "quadrille.control.payment"), "answer") << user;
    EXPECT_STREQ(ask(*broker, "quadrille.control.instances"), "answer") << user;
    EXPECT_STREQ(ask(*broker, "quadrille.control.nobody"), "silence") << user;
    EXPECT_STREQ(ask(*broker, "quadrille.act.payment"), std::string_view(user) == "operator" ? "answer" : "forbidden");
    EXPECT_EQ(broker->progress(consumers).size(), 1U) << user;
    EXPECT_EQ(publish(*broker, "evt.1.order.order.OrderPlaced"), Published::refused) << user;
    Topology another;
    ConsumerSpec consumer;
    consumer.name = std::string(user) + "-1";
    consumer.filter = "evt.1.shipping.>";
    another.consumers.push_back(consumer);
    EXPECT_THROW(broker->ensure(another), Error) << user << " leaves no consumer behind";
    const jetstream::JetStreamSettings settings{.url = system_.nats_url(user), .client_name = user};
    std::size_t read = 0;
    jetstream::read_stream(settings, "EVT", "evt.>", [&](const Delivery&) { ++read; });
    EXPECT_EQ(read, 1U) << user;
    EXPECT_NO_THROW(static_cast<void>(deploy::read_registry(settings))) << user;
  }
  try {
    control::v1::Ask act;
    act.mutable_retry_all()->set_dry_run(true);
    static_cast<void>(
        tracker::ControlClient({.url = system_.nats_url("tracker"), .client_name = "tracker"}).act("payment", act));
    ADD_FAILURE() << "a tracker without an operator's user has acted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("QUADRILLE_OPERATOR_NATS_URL"));
  }
  EXPECT_STREQ(ask(*payment, "quadrille.control.order"), "forbidden") << "participants do not ask each other";
  EXPECT_STREQ(ask(*payment, "quadrille.act.payment"), "forbidden");
  EXPECT_EQ(payment->progress(consumers).size(), 1U) << "its own";
}

TEST_F(LeastPrivilege, IsWhatTheCheckOfARunningServerSays) {
  const auto check = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{(fs::canonical("/proc/self/exe").parent_path() / "quadrille").string(), "check",
                                       (fs::path(QUADRILLE_SOURCE_DIR) / "contracts" / "shop").string()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    embedded::ChildProcess process({.arguments = arguments, .output = folder_.path() / "check.log"});
    const auto code = process.wait(std::chrono::seconds(60)).value_or(-1);
    return std::to_string(code) + "\n" + embedded::tail(folder_.path() / "check.log");
  };
  // Nothing is there yet; then everything is; each participant may do what its contract says and no more.
  EXPECT_THAT(check({"--server", system_.nats_url("deployer")}),
              ::testing::HasSubstr("QDR193: stream EVT is not there"));
  ASSERT_EQ(deploy_shop(), 0);
  EXPECT_THAT(check({"--server", system_.nats_url("deployer")}), ::testing::StartsWith("0\n"));
  for (const auto* participant : {"order", "payment"}) {
    const auto own = check({"--server", system_.nats_url(participant), "--as", participant});
    EXPECT_THAT(own, ::testing::StartsWith("0\n"));
    EXPECT_THAT(own, ::testing::Not(::testing::HasSubstr("QDR195")));
  }
  EXPECT_THAT(check({"--server", system_.nats_url("payment"), "--as", "order"}),
              ::testing::HasSubstr("QDR195: order may not publish evt.*.order.>"));
  const auto mighty = check({"--server", system_.nats_url("deployer"), "--as", "order"});
  EXPECT_THAT(mighty, ::testing::HasSubstr("QDR195: order may publish evt.*.payment.>"));
  EXPECT_THAT(mighty, ::testing::HasSubstr("QDR195: order may delete streams"));
}

}  // namespace
}  // namespace quadrille
