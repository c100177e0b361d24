// What an operator sees and does over NATS alone, with the rights derived from the contracts and no database.
#include "asking/asker.hpp"
#include "checker/load.hpp"
#include "deploy/permissions.hpp"
#include "dev/system.hpp"
#include "embedded/probe.hpp"
#include "jetstream/jetstream_broker.hpp"
#include "quadrille/v1/supervision_events.pb.h"
#include "shop/audit.hpp"
#include "shop/load.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <pqxx/pqxx>

#include <fstream>
#include <iterator>

namespace quadrille {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::HasSubstr;

class ControlPlane : public ::testing::Test {
 protected:
  struct Answer {
    int exit_code = -1;
    std::string output;
    [[nodiscard]] json parsed() const { return json::parse(output, nullptr, false); }
  };

  static fs::path binaries() { return fs::canonical("/proc/self/exe").parent_path(); }
  static dev::System::Options options(const fs::path& folder) {
    const checker::Contracts contracts({fs::path(QUADRILLE_SOURCE_DIR) / "contracts" / "shop"}, {});
    dev::System::Options options{.folder = folder, .services = dev::shop_services(binaries())};
    options.nats_config = deploy::nats_permissions(contracts.reading().model);
    for (const auto* user : {"deployer", "operator", "tracker", "order", "payment", "inventory", "shipping"}) {
      options.nats_passwords[user] = std::string("pw-of-") + user;
      options.nats_environment[deploy::password_variable(user)] = std::string("pw-of-") + user;
    }
    for (auto& service : options.services) {
      service.environment["QUADRILLE_MAX_ATTEMPTS"] = "2";
      service.environment["QUADRILLE_FIRST_RETRY"] = "20ms";
    }
    return options;
  }
  Answer tool(const std::string& user, std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), (binaries() / "quadrille").string());
    const embedded::TemporaryFolder folder;
    embedded::ChildProcess process(
        {.arguments = std::move(arguments),
         .environment = {{"QUADRILLE_NATS_URL", system_.nats_url(user)}, {"USER", "ada"}, {"SUDO_USER", ""}},
         .output = folder.path() / "output"});
    const auto code = process.wait(std::chrono::seconds(60)).value_or(-1);
    std::ifstream file(folder.path() / "output", std::ios::binary);
    return {code, {std::istreambuf_iterator<char>(file), {}}};
  }
  json listed() const {
    return tool("operator", {"parked", "list", "--participant", "payment", "--format", "json"}).parsed();
  }
  void in_payments_database(const std::string& statement) const {
    pqxx::connection connection(system_.owner_url("payment"));
    pqxx::nontransaction work(connection);
    work.exec(statement);
  }
  /// What was said of payment's sagas, by event name.
  std::vector<v1::ActTaken> acts_taken() const {
    std::vector<v1::ActTaken> acts;
    jetstream::read_stream({.url = system_.nats_url("tracker"), .client_name = "tracker"}, "EVT", "evt.*.supervision.>",
                           [&](const Delivery& delivery) {
                             if (!delivery.message.subject.ends_with(".payment.ActTaken")) return;
                             EXPECT_TRUE(acts.emplace_back().ParseFromString(delivery.message.payload));
                           });
    return acts;
  }
  void SetUp() override {
    const auto deployed =
        tool("deployer", {"deploy", (fs::path(QUADRILLE_SOURCE_DIR) / "contracts" / "shop").string()});
    ASSERT_EQ(deployed.exit_code, 0) << deployed.output;
    shop::open_shop(system_, opening_);
    system_.start_all();
    system_.await_all_ready();
  }

  embedded::TemporaryFolder folder_;
  dev::System system_{options(folder_.path())};
  shop::Opening opening_ = shop::usual_opening();
};

TEST_F(ControlPlane, FindsWhatIsStuckAndMendsItWithoutAnyDatabase) {
  ASSERT_TRUE(embedded::await([&] { return tool("tracker", {"status"}).exit_code == 0; }, std::chrono::seconds(60)))
      << tool("tracker", {"status", "--format", "table"}).output;
  in_payments_database(
      "CREATE FUNCTION public.away() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the card network is "
      "away' USING ERRCODE = '55000'; END $$; CREATE TRIGGER away BEFORE INSERT ON quadrille.holds FOR EACH ROW "
      "EXECUTE "
      "FUNCTION public.away()");
  shop::Load load(system_, opening_, 5);
  load.place(1);
  ASSERT_TRUE(embedded::await([&] { return listed().size() == 1; }, std::chrono::seconds(60)));
  const auto stuck = listed()[0];
  const std::string message = stuck["message_id"];
  const std::string saga = stuck["saga_id"];
  EXPECT_EQ(stuck["step"], "Authorize");
  EXPECT_THAT(stuck["reason"].get<std::string>(), HasSubstr("the card network is away"));

  const auto status = tool("tracker", {"status", "--format", "json"});
  EXPECT_EQ(status.exit_code, 1) << status.output;
  EXPECT_THAT(status.parsed()["problems"].dump(), HasSubstr("payment has 1 stuck"));
  EXPECT_THAT(tool("tracker", {"status", "--format", "table"}).output, HasSubstr("PARTICIPANT"));

  const auto where = tool("tracker", {"where", message, "--format", "json"});
  EXPECT_EQ(where.exit_code, 0) << where.output;
  const auto told = where.parsed();
  std::map<std::string, json> at;
  for (const auto& participant : told["participants"]) at[participant["participant"]] = participant;
  EXPECT_EQ(at["order"]["event"]["recorded"]["published"], true) << where.output;
  EXPECT_EQ(at["payment"]["event"]["waiting"]["state"], "parked") << where.output;
  EXPECT_GT(told["stream"]["sequence"], 0) << where.output;
  EXPECT_THAT(told["consumers"].dump(), HasSubstr("\"acknowledged\"")) << where.output;
  const auto of_saga = tool("tracker", {"where", saga}).output;
  EXPECT_THAT(of_saga, HasSubstr("OrderPlaced " + message + " waits (parked, stuck)"));
  EXPECT_THAT(of_saga, HasSubstr("timer step GiveUp is armed"));
  EXPECT_EQ(tool("tracker", {"where", "nobody"}).exit_code, 1);
  const auto nobody = tool("operator", {"parked", "list", "--participant", "nobody"});
  EXPECT_EQ(nobody.exit_code, 2);
  EXPECT_THAT(nobody.output, HasSubstr("no instance of nobody runs on this broker"));

  auto payload = json::parse(
      tool("operator", {"parked", "show", "--participant", "payment", "--message", message}).output)["payload"];
  EXPECT_EQ(payload["order_id"], stuck["key"]);
  const auto file = folder_.path() / "payload.json";
  const std::vector<std::string> retry{"parked",    "retry", "--participant", "payment",
                                       "--message", message, "--payload",     file.string()};
  const auto because = [&](std::vector<std::string> arguments, const std::string& why) {
    arguments.insert(arguments.end(), {"--why", why});
    return arguments;
  };
  payload["amount_cents"] = "a lot";
  std::ofstream(file) << payload.dump();
  const auto garbled = tool("operator", because(retry, "ticket 7"));
  EXPECT_EQ(garbled.exit_code, 2);
  EXPECT_THAT(garbled.output, HasSubstr("amount_cents"));
  EXPECT_EQ(tool("operator", retry).exit_code, 2) << "never without a reason";
  const auto forbidden = tool("shipping", because(retry, "ticket 7"));
  EXPECT_EQ(forbidden.exit_code, 2);
  EXPECT_THAT(forbidden.output, HasSubstr("forbids this user to ask at quadrille.act.payment"));
  control::v1::Ask nameless;
  nameless.mutable_retry()->set_message_id(message);
  const auto broker = jetstream::connect({.url = system_.nats_url("operator"), .client_name = "operator"});
  EXPECT_EQ(asking::Asker(*broker).ask("payment", nameless).failure().kind(), control::v1::Failure::REFUSED);
  EXPECT_TRUE(acts_taken().empty());

  in_payments_database("DROP TRIGGER away ON quadrille.holds");
  payload["amount_cents"] = "1";
  std::ofstream(file) << payload.dump();
  const auto dry =
      tool("operator", {"parked", "retry", "--participant", "payment", "--all", "--class", "technical", "--dry-run"});
  EXPECT_EQ(dry.exit_code, 0) << dry.output;
  EXPECT_THAT(dry.output, HasSubstr("would be tried again: " + message));
  const auto retried = tool("operator", because(retry, "ticket 7"));
  EXPECT_EQ(retried.exit_code, 0) << retried.output;
  ASSERT_TRUE(embedded::await([&] { return acts_taken().size() == 1; }, std::chrono::seconds(30)));
  const auto act = acts_taken().front();
  EXPECT_EQ(act.act(), "retry");
  EXPECT_EQ(act.who(), "ada");
  EXPECT_EQ(act.why(), "ticket 7");
  EXPECT_EQ(act.saga_id(), saga);
  EXPECT_EQ(act.message_id(), message);
  EXPECT_TRUE(embedded::await([&] { return listed().empty(); }, std::chrono::seconds(30)));
  EXPECT_TRUE(shop::await_quiet(system_, 1, std::chrono::seconds(60))) << "the saga goes on to its end";

  system_.process("shipping").stop();
  const auto silent = tool("tracker", {"status", "--format", "json"});
  EXPECT_EQ(silent.exit_code, 1);
  EXPECT_THAT(silent.parsed()["problems"].dump(), HasSubstr("shipping is SILENT"));
}

}  // namespace
}  // namespace quadrille
