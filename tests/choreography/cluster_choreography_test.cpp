// The shop on a NATS cluster of three: kill -9 of the server that leads the stream while sagas run, then its return.
// Every saga ends, nothing is lost, doubled or reordered.
#include "embedded/probe.hpp"
#include "jetstream/server_api.hpp"
#include "shop_fixture.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <future>
#include <thread>

namespace quadrille {
namespace {

class ShopOnACluster : public ShopFixture {
 protected:
  ShopOnACluster() : ShopFixture({.nats_servers = 3}) {}

  nlohmann::json stream(const std::string& name) {
    const jetstream::ServerApi api({.url = system_.cluster().url(), .client_name = "observer"});
    const auto answer = api.request({"$JS.API.STREAM.INFO." + name, {}, ""}, std::chrono::seconds(5));
    return answer ? nlohmann::json::parse(*answer) : nlohmann::json();
  }
  /// Name of the server, once there is one.
  std::string leader() {
    std::string name;
    const auto elected = [&] {
      const auto found = stream("EVT");
      if (found.contains("cluster")) name = found["cluster"].value("leader", "");
      return !name.empty();
    };
    EXPECT_TRUE(embedded::await(elected, std::chrono::seconds(30))) << "stream EVT has no leader";
    return name;
  }
  /// Every server has what the stream's leader has: the next may die. (Their health would also ask for each consumer,
  /// and under load one of those is always a little behind.)
  bool all_current() {
    const auto found = stream("EVT");
    if (!found.contains("cluster") || !found["cluster"].contains("replicas")) return false;
    return std::ranges::all_of(found["cluster"]["replicas"],
                               [](const auto& replica) { return replica.value("current", false); });
  }
};

TEST_F(ShopOnACluster, EndsEverySagaThoughTheStreamsLeaderDiesTwice) {
  const auto seed = test_seed(20261203);
  system_.start_all();
  system_.await_all_ready();
  for (const auto* name : {"EVT", "KV_quadrille_contracts"}) EXPECT_EQ(stream(name)["config"]["num_replicas"], 3);
  shop::Load load(system_, opening_, seed);
  auto placed = std::async(std::launch::async, [&] { load.place(300); });
  std::string before;
  for (int round = 0; round < 2; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(700));  // the moment of death is the test's input
    const auto victim = leader();
    system_.cluster().server(victim).kill();
    EXPECT_TRUE(embedded::await([&] { return leader() != victim; }, std::chrono::seconds(30))) << "nobody takes over";
    system_.cluster().server(victim).start();
    EXPECT_TRUE(embedded::await([&] { return all_current(); }, std::chrono::seconds(90))) << stream("EVT");
    std::cout << victim << " was killed and is back, " << leader() << " leads" << std::endl;
  }
  placed.get();
  expect_sound(load, std::chrono::seconds(120));
}

}  // namespace
}  // namespace quadrille
