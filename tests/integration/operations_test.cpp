// What operators do with the built programs: scrape them, and decide about what is stuck.
#include "dev/system.hpp"
#include "embedded/probe.hpp"
#include "jetstream/jetstream_broker.hpp"
#include "shop/audit.hpp"
#include "shop/load.hpp"

#include <gtest/gtest.h>
#include <httplib.h>
#include <nlohmann/json.hpp>
#include <pqxx/pqxx>

#include <fstream>
#include <regex>
#include <sstream>

namespace quadrille {
namespace {

namespace fs = std::filesystem;

fs::path binaries() { return fs::canonical("/proc/self/exe").parent_path(); }

std::string content(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

class Operations : public ::testing::Test {
 protected:
  struct Answer {
    int exit_code = -1;
    std::string output;
  };

  static std::vector<dev::ServiceSpec> services() {
    auto specs = dev::shop_services(binaries());
    for (auto& spec : specs) {
      spec.environment["QUADRILLE_MAX_ATTEMPTS"] = "3";
      spec.environment["QUADRILLE_FIRST_RETRY"] = "20ms";
    }
    return specs;
  }
  void SetUp() override {
    shop::open_shop(system_, opening_);
    system_.start_all();
    system_.await_all_ready();
  }

  Answer parked(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "parked");
    for (const auto* more : {"--participant", "payment"}) arguments.emplace_back(more);
    arguments.insert(arguments.begin(), (binaries() / "quadrille").string());
    const embedded::TemporaryFolder folder;
    embedded::ChildProcess process({.arguments = std::move(arguments),
                                    .environment = {{"QUADRILLE_DATABASE_URL", system_.service_url("payment")},
                                                    {"USER", "ada"},
                                                    {"SUDO_USER", ""}},
                                    .output = folder.path() / "output"});
    const auto code = process.wait(std::chrono::seconds(30)).value_or(-1);
    return {code, content(folder.path() / "output")};
  }
  nlohmann::json listed() const {
    const auto answer = parked({"list", "--format", "json"});
    EXPECT_EQ(answer.exit_code, 0) << answer.output;
    return nlohmann::json::parse(answer.output);
  }
  void in_payments_database(const std::string& statement) const {
    pqxx::connection connection(system_.owner_url("payment"));
    pqxx::nontransaction work(connection);
    work.exec(statement);
  }
  /// Nothing can be held until it is mended. 55000 is one of the states after which a step is tried again.
  void break_the_card_network() const {
    in_payments_database(
        "CREATE FUNCTION public.away() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the card network "
        "is away' USING ERRCODE = '55000'; END $$; CREATE TRIGGER away BEFORE INSERT ON quadrille.holds FOR EACH ROW "
        "EXECUTE FUNCTION public.away()");
  }
  void mend_the_card_network() const { in_payments_database("DROP TRIGGER away ON quadrille.holds"); }

  /// Subjects of what was said about stuck steps.
  std::vector<std::string> said() const {
    std::vector<std::string> subjects;
    jetstream::read_stream({.url = system_.nats_url("payment"), .client_name = "supervisor"}, "EVT",
                           "evt.*.supervision.>",
                           [&](const Delivery& delivery) { subjects.push_back(delivery.message.subject); });
    for (auto& subject : subjects) subject = std::regex_replace(subject, std::regex("^evt\\.[0-9]+\\."), "");
    return subjects;
  }
  std::string metrics(const std::string& participant) const {
    const auto answer = httplib::Client("http://" + system_.http(participant)).Get("/metrics");
    return answer && answer->status == 200 ? answer->body : "";
  }

  embedded::TemporaryFolder folder_;
  dev::System system_{dev::System::Options{.folder = folder_.path(), .services = services()}};
  shop::Opening opening_ = shop::usual_opening();
};

TEST_F(Operations, RetryWhatIsStuckOnceItIsMended) {
  break_the_card_network();
  shop::Load load(system_, opening_, 5);
  load.place(2);
  ASSERT_TRUE(embedded::await([&] { return listed().size() == 2; }, std::chrono::seconds(30)));
  const auto first = listed()[0];
  EXPECT_EQ(first["state"], "parked");
  EXPECT_EQ(first["reason_class"], "technical");
  EXPECT_EQ(first["step"], "Authorize");
  EXPECT_EQ(first["event_type"], "shop.order.v1.OrderPlaced");
  EXPECT_EQ(first["attempts"], 3);
  EXPECT_FALSE(first["saga_id"].get<std::string>().empty());
  EXPECT_NE(first["reason"].get<std::string>().find("the card network is away"), std::string::npos);
  const std::string id = first["message_id"];
  const auto table = parked({"list"}).output;
  for (const auto& part :
       {std::string("MESSAGE"), id, std::string("Authorize"), std::string("the card network is away")})
    EXPECT_NE(table.find(part), std::string::npos) << part << " in\n" << table;
  const auto shown =
      parked({"show", "--message", id, "--contracts", std::string(QUADRILLE_SOURCE_DIR) + "/contracts/shop"});
  ASSERT_EQ(shown.exit_code, 0) << shown.output;
  EXPECT_EQ(nlohmann::json::parse(shown.output)["payload"]["order_id"], first["key"]);
  ASSERT_TRUE(embedded::await([&] { return said().size() == 2; }, std::chrono::seconds(30)));
  EXPECT_EQ(said(), std::vector<std::string>(2, "supervision.payment.StepStuck"));
  mend_the_card_network();
  EXPECT_EQ(parked({"retry", "--message", "nobody", "--why", "to see"}).exit_code, 1);
  EXPECT_EQ(parked({"retry"}).exit_code, 2);
  const auto retried = parked({"retry", "--reason", "card network", "--why", "it is mended"});
  EXPECT_EQ(retried.exit_code, 0) << retried.output;
  EXPECT_NE(retried.output.find("tried again: " + id), std::string::npos) << retried.output;
  ASSERT_TRUE(shop::await_quiet(system_, 2, std::chrono::seconds(60))) << "the sagas go on to their end";
  for (const auto& violation : shop::audit(system_, opening_, load.orders())) ADD_FAILURE() << violation;
  ASSERT_TRUE(embedded::await([&] { return said().size() == 6; }, std::chrono::seconds(30)));
  EXPECT_EQ(said().back(), "supervision.payment.StepResumed");
  EXPECT_TRUE(listed().empty());
}

TEST_F(Operations, DiscardWhatWillNeverDoWithAReason) {
  const Message garbled{"evt.3.order.order.OrderPlaced",
                        {{"Nats-Msg-Id", "garbled-1"},
                         {"ce-id", "garbled-1"},
                         {"ce-type", "shop.order.v1.OrderPlaced"},
                         {"ce-source", "order"},
                         {"ce-stream", "order-g1"},
                         {"ce-subject", "g1"},
                         {"ce-version", "1"},
                         {"ce-hops", "1"},
                         {"ce-sagaid", "saga-g1"},
                         {"ce-time", "2026-12-01T10:00:00Z"}},
                        "\xff\xff\xff"};
  const auto broker = jetstream::connect({.url = system_.nats().url(), .client_name = "stranger"});
  ASSERT_EQ(broker->publish(std::span(&garbled, 1)).front(), Published::stored);
  ASSERT_TRUE(embedded::await([&] { return listed().size() == 1; }, std::chrono::seconds(30)));
  EXPECT_EQ(listed()[0]["reason_class"], "contract");
  EXPECT_EQ(parked({"discard", "--message", "garbled-1"}).exit_code, 2) << "never without a reason";
  const auto discarded = parked({"discard", "--message", "garbled-1", "--because", "a test of the network team"});
  EXPECT_EQ(discarded.exit_code, 0) << discarded.output;
  EXPECT_TRUE(listed().empty());
  EXPECT_EQ(parked({"discard", "--message", "garbled-1", "--because", "again"}).exit_code, 1);
  pqxx::connection connection(system_.owner_url("payment"));
  pqxx::nontransaction work(connection);
  const auto audit = work.exec("SELECT who, act, message_id, why FROM quadrille.audit");
  ASSERT_EQ(audit.size(), 1);
  EXPECT_STREQ(audit[0][0].c_str(), "ada");
  EXPECT_STREQ(audit[0][1].c_str(), "discard");
  EXPECT_STREQ(audit[0][2].c_str(), "garbled-1");
  EXPECT_STREQ(audit[0][3].c_str(), "a test of the network team");
  EXPECT_TRUE(embedded::await(
      [&] {
        const auto all = said();
        return std::ranges::count(all, "supervision.payment.StepResumed") == 1;
      },
      std::chrono::seconds(30)))
      << "the service publishes what the tool has recorded";
}

TEST_F(Operations, ScrapeEveryService) {
  shop::Load load(system_, opening_, 7);
  load.place(40);
  ASSERT_TRUE(shop::await_quiet(system_, 40, std::chrono::seconds(60)));
  const auto promtool = embedded::find_program("promtool");
  if (promtool.empty()) std::cout << "no promtool here (Debian package prometheus): the format is not checked\n";
  for (const auto& service : system_.services()) {
    const auto text = metrics(service.participant);
    ASSERT_FALSE(text.empty()) << service.participant;
    for (const auto& order : load.orders())
      EXPECT_EQ(text.find(order.id), std::string::npos) << "an id in a label of " << service.participant;
    EXPECT_FALSE(std::regex_search(text, std::regex("[0-9a-f]{8}-[0-9a-f]{4}-"))) << "nor any other id";
    if (promtool.empty()) continue;
    const auto file = folder_.path() / (service.participant + ".metrics");
    std::ofstream(file) << text;
    const auto findings = folder_.path() / (service.participant + ".findings");
    embedded::ChildProcess check(
        {.arguments = {"/bin/sh", "-c", promtool.string() + " check metrics < " + file.string()}, .output = findings});
    EXPECT_EQ(check.wait(std::chrono::seconds(30)), 0) << service.participant << "\n" << content(findings);
    EXPECT_EQ(content(findings), "") << service.participant;
  }
  const auto ends = shop::ends(system_);
  const auto order = metrics("order");
  const auto expect_line = [&](const std::string& line) {
    EXPECT_NE(order.find("\n" + line + "\n"), std::string::npos) << line << " in\n" << order;
  };
  expect_line("saga_started_total{participant=\"order\",saga=\"checkout\"} 40");
  expect_line("saga_finished_total{participant=\"order\",saga=\"checkout\",state=\"completed\"} " +
              std::to_string(ends.completed));
  expect_line("saga_duration_seconds_count{participant=\"order\",saga=\"checkout\"} 40");
  expect_line("idempotency_requests_total{participant=\"order\",result=\"new\"} 40");
  EXPECT_FALSE(std::regex_search(order, std::regex("saga_duration_seconds_sum\\{[^}]*\\} 0\n")));
}

TEST_F(Operations, SeeTheLogThatASlotKeepsThoughNobodyReadsIt) {
  const auto lag = [&] {
    std::smatch match;
    const auto text = metrics("payment");
    const std::regex series("relay_slot_lag_bytes\\{participant=\"payment\"\\} ([0-9.e+]+)");
    return std::regex_search(text, match, series) ? std::stod(match[1].str()) : -1;
  };
  EXPECT_EQ(lag(), 0) << "there is no slot";
  embedded::ChildProcess prepare(
      {.arguments = {(binaries() / "quadrille").string(), "migrate", "--log-tailing", "--service-role", "payment"},
       .environment = {{"QUADRILLE_DATABASE_URL", system_.owner_url("payment")}},
       .output = folder_.path() / "prepare.log"});
  ASSERT_EQ(prepare.wait(std::chrono::seconds(30)), 0) << content(folder_.path() / "prepare.log");
  shop::Load load(system_, opening_, 11);
  load.place(3);
  EXPECT_TRUE(embedded::await([&] { return lag() > 0; }, std::chrono::seconds(30))) << metrics("payment");
}

TEST_F(Operations, ScrapeAServiceWithoutAnEdgeOnAPortOfItsOwn) {
  const auto log = folder_.path() / "lone.log";
  embedded::ChildProcess lone({.arguments = {(binaries() / "shop-shipping").string(), "--instance", "lone"},
                               .environment = {{"QUADRILLE_NATS_URL", system_.nats().url()},
                                               {"QUADRILLE_DATABASE_URL", system_.service_url("shipping")}},
                               .output = log});
  std::smatch match;
  std::string text;
  ASSERT_TRUE(embedded::await(
      [&] {
        text = embedded::tail(log);
        return std::regex_search(text, match, std::regex("metrics on port ([0-9]+)"));
      },
      std::chrono::seconds(20)))
      << text;
  httplib::Client client("127.0.0.1", std::stoi(match[1].str()));
  const auto answer = client.Get("/metrics");
  ASSERT_TRUE(answer);
  EXPECT_NE(answer->body.find("lanes_held{participant=\"shipping\"} 0"), std::string::npos)
      << "the first instance has them";
  EXPECT_TRUE(embedded::await([&] { return client.Get("/ready")->status == 200; }, std::chrono::seconds(20)))
      << "a standby is ready: it could have leases";
  EXPECT_EQ(client.Get("/live")->status, 200);
  EXPECT_EQ(client.Get("/shipments/1")->status, 404) << "no edge here";
  EXPECT_EQ(lone.stop(), 0);
}

}  // namespace
}  // namespace quadrille
