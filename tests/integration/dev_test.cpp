// `quadrille dev`: what a developer starts first, and stops by Ctrl-C.
#include "embedded/child_process.hpp"
#include "embedded/probe.hpp"

#include <gtest/gtest.h>
#include <httplib.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <utility>

namespace quadrille {
namespace {

namespace fs = std::filesystem;

class Dev : public ::testing::Test {
 protected:
  embedded::ChildProcess start(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), (fs::canonical("/proc/self/exe").parent_path() / "quadrille").string());
    return embedded::ChildProcess({.arguments = std::move(arguments), .output = folder_.path() / "output"});
  }
  std::string output() const {
    std::ostringstream text;
    text << std::ifstream(folder_.path() / "output").rdbuf();
    return text.str();
  }
  bool await(const std::string& words) const {
    return embedded::await([&] { return output().find(words) != std::string::npos; }, std::chrono::seconds(60));
  }
  std::string find(const std::string& pattern) const {
    std::smatch match;
    const auto text = output();
    return std::regex_search(text, match, std::regex(pattern)) ? match[1].str() : "";
  }

  /// Exit code and output of another run of the tool, in the source folder.
  std::pair<int, std::string> ask(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), (fs::canonical("/proc/self/exe").parent_path() / "quadrille").string());
    const auto answer = folder_.path() / "answer";
    embedded::ChildProcess process(
        {.arguments = std::move(arguments), .output = answer, .directory = QUADRILLE_SOURCE_DIR});
    const auto code = process.wait(std::chrono::seconds(60)).value_or(-1);
    std::ostringstream text;
    text << std::ifstream(answer).rdbuf();
    return {code, text.str()};
  }

  embedded::TemporaryFolder folder_;
};

TEST_F(Dev, RunsTheShopTakesAnOrderAndLeavesNothingBehind) {
  auto process = start({"dev", "run"});
  ASSERT_TRUE(await("Ctrl-C stops everything")) << output();
  const auto order = find("HTTP +(http://[0-9.:]+)  \\(order\\)");
  const auto nats_port = std::stoi(find("NATS +nats://127.0.0.1:([0-9]+)"));
  const auto data = find("Logs and data in ([^ ]+)");
  ASSERT_TRUE(fs::exists(data));
  httplib::Client client(order);
  const auto accepted =
      client.Post("/orders", {{"Idempotency-Key", "1"}},
                  R"({"order_id": "o-1", "customer_id": "ada", "item": "clock", "quantity": 1, "amount_cents": 2500})",
                  "application/json");
  ASSERT_TRUE(accepted);
  EXPECT_EQ(accepted->status, 201) << accepted->body;
  EXPECT_TRUE(embedded::await(
      [&] {
        const auto view = client.Get("/orders/o-1");
        return view && view->body.find("confirmed") != std::string::npos;
      },
      std::chrono::seconds(20)));
  EXPECT_EQ(process.stop(std::chrono::seconds(60), SIGINT), 0) << output();
  EXPECT_FALSE(embedded::accepts_connections(nats_port));
  EXPECT_FALSE(fs::exists(data));
}

TEST_F(Dev, TellsWhatRunsWhatHappenedAndWhatMayBeDeployed) {
  auto process = start({"dev", "run"});
  ASSERT_TRUE(await("Ctrl-C stops everything")) << output();
  const auto nats = "nats://" + find("NATS +nats://([0-9.:]+)");
  httplib::Client client(find("HTTP +(http://[0-9.:]+)  \\(order\\)"));
  const auto place = [&](const std::string& id) {
    const auto answer = client.Post(
        "/orders", {{"Idempotency-Key", id}},
        R"({"order_id": ")" + id + R"(", "customer_id": "ada", "item": "clock", "quantity": 1, "amount_cents": 2500})",
        "application/json");
    return answer && answer->status == 201;
  };
  ASSERT_TRUE(place("o-1"));
  // Every service has said which contract it runs: what is deployed can be checked and drawn.
  EXPECT_TRUE(embedded::await(
      [&] {
        return ask({"check", nats}).second.find("4 participants") != std::string::npos;
      },
      std::chrono::seconds(20)))
      << ask({"check", nats}).second;
  EXPECT_EQ(ask({"check", nats}).first, 0);
  EXPECT_NE(ask({"graph", nats}).second.find("payment.Authorize"), std::string::npos);
  // The traffic is what was declared.
  EXPECT_TRUE(embedded::await(
      [&] {
        return ask({"conform", "contracts/shop", "--nats-url", nats}).second.find("1 completed") != std::string::npos;
      },
      std::chrono::seconds(20)));
  const auto conform = ask({"conform", "contracts/shop", "--nats-url", nats});
  EXPECT_EQ(conform.first, 0) << conform.second;
  EXPECT_NE(conform.second.find("fitness 1.000"), std::string::npos) << conform.second;
  // The same again may be deployed; what takes a step away from a saga in flight may not, and says how many it hits.
  EXPECT_EQ(ask({"can-deploy", "contracts/shop", "--deployed", nats}).first, 0);
  fs::create_directories(folder_.path() / "next");
  fs::copy(fs::path(QUADRILLE_SOURCE_DIR) / "contracts" / "shop", folder_.path() / "next" / "shop",
           fs::copy_options::recursive);
  const auto file = folder_.path() / "next" / "shop" / "shipping" / "v1" / "shipping.proto";
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  auto changed = text.str();
  changed.replace(changed.find("rpc Book("), 9, "rpc Post(");
  std::ofstream(file) << changed;
  const auto refused =
      ask({"can-deploy", (folder_.path() / "next" / "shop").string(), "--deployed", nats, "--nats-url", nats});
  EXPECT_EQ(refused.first, 1);
  EXPECT_NE(refused.second.find("shipping.Book is gone"), std::string::npos) << refused.second;
  EXPECT_NE(refused.second.find("no saga in flight waits there now"), std::string::npos) << refused.second;
  EXPECT_EQ(process.stop(std::chrono::seconds(60), SIGINT), 0) << output();
}

TEST_F(Dev, GoesOnWithANamedFolder) {
  const auto data = folder_.path() / "data";
  for (int round = 0; round < 2; ++round) {
    fs::remove(folder_.path() / "output");
    auto process = start({"dev", "--folder", data.string()});
    ASSERT_TRUE(await("Ctrl-C stops everything")) << output();
    if (round == 0) {  // and says so where a server dies by itself
      pid_t postmaster = 0;
      std::ifstream(data / "postgres" / "data" / "postmaster.pid") >> postmaster;
      ASSERT_EQ(kill(postmaster, SIGKILL), 0);
      EXPECT_TRUE(await("postgresql was ended by signal 9; the end of ")) << output();
    }
    EXPECT_EQ(process.stop(std::chrono::seconds(60), SIGINT), 0);
    EXPECT_TRUE(fs::exists(data / "postgres" / "data"));
  }
}

TEST_F(Dev, StartsAClusterWhereTheDeployedStreamsCanHaveThreeReplicas) {
  auto process = start({"dev", "--cluster"});
  ASSERT_TRUE(await("Ctrl-C stops everything")) << output();
  const auto nats = find("NATS +([^\n]+)");
  EXPECT_EQ(std::ranges::count(nats, ','), 2) << nats;
  const auto deployed = ask({"deploy", "contracts/shop", "--nats-url", nats, "--replicas", "3"});
  EXPECT_EQ(deployed.first, 0) << deployed.second;
  const auto differs = ask({"deploy", "contracts/shop", "--nats-url", nats});
  EXPECT_NE(differs.first, 0);
  EXPECT_NE(differs.second.find("num_replicas: wanted 1, found 3"), std::string::npos) << differs.second;
  EXPECT_EQ(process.stop(std::chrono::seconds(60), SIGINT), 0) << output();
}

TEST_F(Dev, SaysWhichServiceWasNotUnderstood) {
  auto process = start({"dev", "--service", "payment"});
  EXPECT_EQ(process.wait(std::chrono::seconds(20)), 2);
  EXPECT_NE(output().find("'payment' is not PARTICIPANT=PROGRAM"), std::string::npos) << output();
}

}  // namespace
}  // namespace quadrille
