// A service is away while a thousand orders come in: who sees what, with the rights that the contracts give, and a
// Prometheus with our alert rules.
#include "checker/load.hpp"
#include "core/uuid.hpp"
#include "deploy/permissions.hpp"
#include "dev/system.hpp"
#include "embedded/private_file.hpp"
#include "embedded/probe.hpp"
#include "saga/tracker_client.hpp"
#include "shop/audit.hpp"
#include "shop/load.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <httplib.h>

#include <csignal>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

namespace quadrille {
namespace {

namespace fs = std::filesystem;
using Json = saga::TrackerClient::Json;

constexpr std::size_t orders = 1'000;

fs::path binaries() { return fs::canonical("/proc/self/exe").parent_path(); }
fs::path source(const std::string& path) { return fs::path(QUADRILLE_SOURCE_DIR) / path; }

std::string content(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Debian's Prometheus with the rules of compose/, in a hurry: what is to last for minutes there lasts a second here.
class Prometheus {
 public:
  Prometheus(const fs::path& folder, const std::vector<std::string>& targets) : port_(embedded::free_port()) {
    fs::create_directories(folder);
    std::ofstream(folder / "alerts.yml") << std::regex_replace(content(source("compose/prometheus/alerts.yml")),
                                                               std::regex("for: [0-9]+m"), "for: 1s");
    Json scraped{{"job_name", "quadrille"}};
    scraped["static_configs"] = Json::array({Json{{"targets", targets}}});
    Json config{{"global", {{"scrape_interval", "1s"}, {"scrape_timeout", "1s"}, {"evaluation_interval", "1s"}}}};
    config["rule_files"] = Json::array({"alerts.yml"});
    config["scrape_configs"] = Json::array({scraped});
    std::ofstream(folder / "prometheus.yml") << config.dump();  // JSON is YAML
    process_.emplace(embedded::Command{
        .arguments = {embedded::find_program("prometheus").string(), "--config.file",
                      (folder / "prometheus.yml").string(), "--storage.tsdb.path", (folder / "data").string(),
                      "--web.listen-address", "127.0.0.1:" + std::to_string(port_)},
        .output = folder / "prometheus.log"});
  }
  /// alert{participant or instance} of those that fire now.
  [[nodiscard]] std::set<std::string> firing() const {
    std::set<std::string> names;
    const auto answer = httplib::Client("127.0.0.1", port_).Get("/api/v1/alerts");
    if (!answer || answer->status != 200) return names;
    const auto all = Json::parse(answer->body);
    for (const auto& alert : all["data"]["alerts"])
      if (alert["state"] == "firing")
        names.insert(alert["labels"]["alertname"].get<std::string>() + "{" + alert["labels"].value("participant", "") +
                     "}");
    return names;
  }

 private:
  int port_;
  std::optional<embedded::ChildProcess> process_;
};

class Incident : public ::testing::Test {
 protected:
  static dev::System::Options options(const fs::path& folder) {
    const checker::Contracts contracts({source("contracts/shop")}, {});
    dev::System::Options options{.folder = folder, .services = dev::shop_services(binaries())};
    options.services.push_back(dev::tracker_service(binaries(), folder));
    options.nats_config = deploy::nats_permissions(contracts.reading().model);
    for (const auto* user : {"deployer", "operator", "tracker", "order", "payment", "inventory", "shipping"}) {
      options.nats_passwords[user] = std::string("pw-of-") + user;
      options.nats_environment[deploy::password_variable(user)] = std::string("pw-of-") + user;
    }
    return options;
  }
  void SetUp() override {
    ASSERT_FALSE(embedded::find_program("prometheus").empty()) << "tools/test installs it (Debian package prometheus)";
    embedded::ChildProcess deploy(
        {.arguments = {(binaries() / "quadrille").string(), "deploy", source("contracts/shop").string()},
         .environment = {{"QUADRILLE_NATS_URL", system_.nats_url("deployer")}},
         .output = folder_.path() / "deploy.log"});
    ASSERT_EQ(deploy.wait(std::chrono::seconds(60)), 0) << embedded::tail(folder_.path() / "deploy.log");
    shop::open_shop(system_, opening_);
    system_.start_all();
    system_.await_all_ready();
  }
  [[nodiscard]] saga::TrackerClient tracker() const {
    std::string token;
    std::ifstream(folder_.path() / "tracker-token") >> token;
    return {"http://" + system_.http("tracker"), token, ""};
  }
  [[nodiscard]] std::size_t in_state(const std::string& state) const {
    const auto overview = tracker().get("/api/overview");
    return overview["sagas"].contains("checkout") ? overview["sagas"]["checkout"]["states"].value(state, 0U) : 0;
  }
  /// What a person sees in a terminal.
  [[nodiscard]] Json listed(const std::string& step) const {
    const auto output = folder_.path() / ("list-" + new_uuid() + ".json");
    embedded::ChildProcess list(
        {.arguments = {(binaries() / "quadrille").string(), "saga", "list", "--step", step, "--limit", "1000",
                       "--tracker", "http://" + system_.http("tracker"), "--format", "json"},
         .output = output});
    EXPECT_LT(list.wait(std::chrono::seconds(30)).value_or(2), 2) << embedded::tail(output);
    return Json::parse(content(output))["sagas"];
  }

  const embedded::TemporaryFolder folder_;
  const shop::Opening opening_ = shop::usual_opening();
  dev::System system_{options(folder_.path())};
};

TEST_F(Incident, NamesEverySagaThatWaitsForAServiceThatIsAwayAndRaisesTheAlarm) {
  std::vector<std::string> targets;
  for (const auto& service : system_.services()) targets.push_back(system_.http(service.participant));
  const Prometheus prometheus(folder_.path() / "prometheus", targets);
  system_.process("shipping").signal(SIGSTOP);
  shop::Load load(system_, opening_, 7);
  load.place(orders);
  // All but shipping's have gone as far as they get.
  ASSERT_TRUE(embedded::await(
      [&] {
        const auto overview = tracker().get("/api/overview");
        return overview["waiting"].size() == 1 && overview["waiting"][0]["step"] == "shipping.Book" &&
               in_state("RUNNING") + in_state("CANCELLED") == orders;
      },
      std::chrono::seconds(60)))
      << tracker().get("/api/overview").dump(2);
  const auto waiting = in_state("RUNNING");
  EXPECT_GT(waiting, orders / 4) << "orders that nobody refuses";
  std::set<std::string> ids;
  for (const auto& saga : listed("shipping.Book")) {
    ids.insert(saga["saga_id"]);
    ASSERT_EQ(saga["waiting"].size(), 1U);
    EXPECT_EQ(saga["waiting"][0]["step"], "shipping.Book");
    EXPECT_TRUE(saga["waiting"][0]["since"].is_string());
  }
  EXPECT_EQ(ids.size(), waiting);
  EXPECT_TRUE(embedded::await([&] { return prometheus.firing().contains("ParticipantSilent{shipping}"); },
                              std::chrono::seconds(60)))
      << testing::PrintToString(prometheus.firing());

  system_.process("shipping").signal(SIGCONT);
  EXPECT_TRUE(embedded::await([&] { return in_state("COMPLETED") + in_state("CANCELLED") == orders; },
                              std::chrono::seconds(90)));
  EXPECT_TRUE(listed("shipping.Book").empty());
  EXPECT_EQ(in_state("COMPLETED"), shop::ends(system_).completed);
  EXPECT_TRUE(embedded::await([&] { return prometheus.firing().empty(); }, std::chrono::seconds(60)))
      << testing::PrintToString(prometheus.firing());

  // The tracker's own user only reads; what people do with its token goes as another.
  const Json count{{"act", "retry_all"}, {"participant", "payment"}, {"class", "technical"}, {"dry_run", true},
                   {"who", "ada"},       {"why", "see what is left"}};
  EXPECT_EQ(tracker().post("/api/acts", count)["count"], 0);
}

}  // namespace
}  // namespace quadrille
