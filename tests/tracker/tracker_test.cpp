// The tracker beside a shop that runs on real servers.
#include "dev/system.hpp"
#include "embedded/private_file.hpp"
#include "embedded/probe.hpp"
#include "saga/act.hpp"
#include "saga/tracker_client.hpp"
#include "shop/audit.hpp"
#include "shop/load.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <httplib.h>
#include <pqxx/pqxx>

#include <csignal>
#include <fstream>

namespace quadrille {
namespace {

const nlohmann::ordered_json rebuilding{{"act", "rebuild"}, {"who", "ada"}, {"why", "only a test"}};

namespace fs = std::filesystem;
using Json = saga::TrackerClient::Json;

fs::path binaries() { return fs::canonical("/proc/self/exe").parent_path(); }

class TrackerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    shop::open_shop(system_, opening_);
    system_.start_all();
    system_.await_all_ready();
  }
  [[nodiscard]] saga::TrackerClient tracker() const {
    std::string token;
    std::ifstream(folder_.path() / "tracker-token") >> token;
    return {"http://" + system_.http("tracker"), token, ""};
  }
  /// Everything, page by page, as it is listed.
  [[nodiscard]] std::string whole_list() const {
    std::string all;
    std::string after;
    do {
      const auto page = tracker().get("/api/sagas", {{"limit", "100"}, {"after", after}});
      for (const auto& saga : page["sagas"]) all += saga.dump() + "\n";
      after = page["next"];
    } while (!after.empty());
    return all;
  }
  [[nodiscard]] std::int64_t in_state(const std::string& state) const {
    const auto overview = tracker().get("/api/overview");
    return overview["sagas"].contains("checkout") ? overview["sagas"]["checkout"]["states"].value(state, 0) : 0;
  }
  /// The tracker has read everything and knows no saga that runs.
  [[nodiscard]] bool await_all_over(std::size_t sagas) const {
    return embedded::await(
        [&] { return in_state("COMPLETED") + in_state("CANCELLED") == static_cast<std::int64_t>(sagas); },
        std::chrono::seconds(60));
  }
  void in_database_of(const std::string& participant, const std::string& statement) const {
    pqxx::connection connection(system_.owner_url(participant));
    pqxx::nontransaction work(connection);
    work.exec(statement);
  }
  static std::vector<dev::ServiceSpec> services(const fs::path& folder) {
    auto specs = dev::shop_services(binaries());
    for (auto& spec : specs) {
      spec.environment["QUADRILLE_MAX_ATTEMPTS"] = "3";
      spec.environment["QUADRILLE_FIRST_RETRY"] = "20ms";
    }
    specs.push_back(dev::tracker_service(binaries(), folder));
    return specs;
  }

  const embedded::TemporaryFolder folder_;
  const shop::Opening opening_ = shop::usual_opening();
  dev::System system_{{.folder = folder_.path(), .services = services(folder_.path())}};
};

TEST_F(TrackerTest, KilledAndRebuiltUnderLoadItEndsInTheSameTable) {
  shop::Load load(system_, opening_, 11);
  load.place(40);
  system_.process("tracker").kill();
  load.place(40);
  system_.start("tracker");
  system_.await_ready("tracker");
  load.place(20);
  static_cast<void>(tracker().post("/api/acts", rebuilding));
  load.place(50);  // while it is being rebuilt
  ASSERT_TRUE(await_all_over(150));
  ASSERT_TRUE(embedded::await([&] { return tracker().get("/api/overview")["tracker"]["generation"] != 1; },
                              std::chrono::seconds(60)));
  const auto first = whole_list();
  static_cast<void>(tracker().post("/api/acts", rebuilding));
  ASSERT_TRUE(embedded::await([&] { return tracker().get("/api/overview")["tracker"]["generation"] == 3; },
                              std::chrono::seconds(60)));
  EXPECT_EQ(whole_list(), first);
  EXPECT_EQ(static_cast<std::size_t>(in_state("COMPLETED")), shop::ends(system_).completed);
  EXPECT_EQ(static_cast<std::size_t>(in_state("CANCELLED")), shop::ends(system_).cancelled());

  // From the middle on: what was over before is taken over as it was told, right or wrong; what moved since is told
  // anew.
  const auto spoilt = [&] {
    const auto list = whole_list();
    std::size_t found = 0;
    for (auto at = list.find("SPOILT"); at != std::string::npos; at = list.find("SPOILT", at + 1)) ++found;
    return found;
  };
  in_database_of("tracker", "UPDATE tracker_3.saga SET summary = replace(summary, 'COMPLETED', 'SPOILT')");
  const auto all_spoilt = spoilt();
  auto from_the_middle = rebuilding;
  from_the_middle["from"] = tracker().get("/api/overview")["tracker"]["sequence"].get<std::uint64_t>() / 2;
  static_cast<void>(tracker().post("/api/acts", from_the_middle));
  ASSERT_TRUE(embedded::await([&] { return tracker().get("/api/overview")["tracker"]["generation"] == 4; },
                              std::chrono::seconds(60)));
  EXPECT_GT(spoilt(), 0U);
  EXPECT_LT(spoilt(), all_spoilt);
  from_the_middle["from"] = 1'000'000;
  EXPECT_THROW(static_cast<void>(tracker().post("/api/acts", from_the_middle)), std::runtime_error) << "not read yet";
}

TEST_F(TrackerTest, AStepThatThrowsForEverIsStuckWithItsReason) {
  in_database_of("payment",
                 "CREATE FUNCTION public.away() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the card "
                 "network is away' USING ERRCODE = '55000'; END $$; CREATE TRIGGER away BEFORE INSERT ON "
                 "quadrille.holds FOR EACH ROW EXECUTE FUNCTION public.away()");
  shop::Load load(system_, opening_, 3);
  load.place(1);
  ASSERT_TRUE(embedded::await([&] { return in_state("STUCK") == 1; }, std::chrono::seconds(60)));
  const auto stuck = tracker().get("/api/sagas", {{"state", "STUCK"}, {"class", "technical"}})["sagas"];
  ASSERT_EQ(stuck.size(), 1U);
  EXPECT_EQ(stuck[0]["stuck"][0]["step"], "payment.Authorize");
  EXPECT_THAT(stuck[0]["stuck"][0]["error"].get<std::string>(), ::testing::HasSubstr("the card network is away"));
  EXPECT_EQ(stuck[0]["stuck"][0]["attempts"], 3);

  // A person mends the cause and has it tried again: it goes on to its end, and tells who did what and why.
  in_database_of("payment", "DROP TRIGGER away ON quadrille.holds");
  const std::string id = stuck[0]["saga_id"];
  EXPECT_THROW(saga::act(tracker(), id, {"resolve", "ada", "no", "COMPLETED"}), std::runtime_error);
  EXPECT_EQ(saga::act(tracker(), id, {"retry", "ada", "the card network is back", ""}).size(), 1U);
  ASSERT_TRUE(await_all_over(1));
  EXPECT_TRUE(embedded::await([&] { return !tracker().get("/api/sagas/" + id)["parts"][0]["acts"].empty(); },
                              std::chrono::seconds(20)));
  const auto acts = tracker().get("/api/sagas/" + id)["parts"][0]["acts"];
  ASSERT_EQ(acts.size(), 1U);
  EXPECT_EQ(acts[0]["act"], "retry");
  EXPECT_EQ(acts[0]["who"], "ada");
  EXPECT_EQ(acts[0]["why"], "the card network is back");
}

TEST_F(TrackerTest, TellsPrometheusWhatWaitsWhatIsStuckAndWhoIsSilent) {
  system_.process("shipping").kill();
  shop::Load load(system_, opening_, 9);
  load.place(5);
  const auto scraped = [&] {
    httplib::Client client("http://" + system_.http("tracker"));
    const auto answer = client.Get("/metrics");
    return answer && answer->status == 200 ? answer->body : std::string();
  };
  EXPECT_TRUE(embedded::await(
      [&] { return scraped().find(R"(participant_silent{participant="shipping"} 1)") != std::string::npos; },
      std::chrono::seconds(30)));
  const auto text = scraped();
  EXPECT_THAT(text, ::testing::HasSubstr(R"(participant_silent{participant="order"} 0)"));
  EXPECT_THAT(text, ::testing::HasSubstr(R"(saga_waiting{step="shipping.Book"})"));
  EXPECT_THAT(text, ::testing::HasSubstr("saga_oldest_running_age_seconds{saga=\"checkout\"}"));
  std::ofstream(folder_.path() / "metrics") << text;
  embedded::ChildProcess promtool(
      {.arguments = {"bash", "-c", "promtool check metrics < " + (folder_.path() / "metrics").string()},
       .output = folder_.path() / "promtool.log"});
  EXPECT_EQ(promtool.wait(std::chrono::seconds(20)), 0) << embedded::tail(folder_.path() / "promtool.log");
}

TEST_F(TrackerTest, OutlivesItsServers) {
  shop::Load load(system_, opening_, 5);
  load.place(10);
  ASSERT_TRUE(await_all_over(10));
  system_.nats().kill();
  system_.postgres().kill();
  system_.postgres().start();
  system_.nats().start();
  load.place(10);
  EXPECT_TRUE(await_all_over(20));
}

TEST_F(TrackerTest, RefusesToActWithoutTheTokenAndToListNonsense) {
  const saga::TrackerClient stranger("http://" + system_.http("tracker"), "not the token at all", "");
  EXPECT_THROW(static_cast<void>(stranger.post("/api/acts", rebuilding)), std::runtime_error);
  EXPECT_THROW(static_cast<void>(tracker().get("/api/sagas", {{"state", "LOST"}})), std::runtime_error);
  EXPECT_THROW(static_cast<void>(tracker().get("/api/sagas", {{"limit", "100000"}})), std::runtime_error);
  EXPECT_THROW(static_cast<void>(tracker().get("/api/sagas", {{"stat", "STUCK"}})), std::runtime_error);
  EXPECT_THROW(static_cast<void>(tracker().get("/api/sagas", {{"newest", "yes"}})), std::runtime_error);
  EXPECT_THROW(static_cast<void>(tracker().get("/api/overview", {{"saga", "checkout"}})), std::runtime_error);
  for (const auto* bad : {"a%00b", "%ff%fe"}) {
    httplib::Client client("http://" + system_.http("tracker"));
    const auto answer = client.Get(std::string("/api/sagas/") + bad);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 400) << bad;
    EXPECT_EQ(answer->body.find("PostgreSQL"), std::string::npos) << answer->body;
  }
  EXPECT_THROW(static_cast<void>(tracker().get("/api/sagas/nobody")), std::runtime_error);
}

}  // namespace
}  // namespace quadrille
