// `quadrille dev`: what a developer starts first, and stops by Ctrl-C.
#include "embedded/child_process.hpp"
#include "embedded/probe.hpp"

#include <gtest/gtest.h>
#include <httplib.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

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

TEST_F(Dev, GoesOnWithANamedFolder) {
  const auto data = folder_.path() / "data";
  for (int round = 0; round < 2; ++round) {
    fs::remove(folder_.path() / "output");
    auto process = start({"dev", "--folder", data.string()});
    ASSERT_TRUE(await("Ctrl-C stops everything")) << output();
    EXPECT_EQ(process.stop(std::chrono::seconds(60), SIGINT), 0);
    EXPECT_TRUE(fs::exists(data / "postgres" / "data"));
  }
}

TEST_F(Dev, SaysWhichServiceWasNotUnderstood) {
  auto process = start({"dev", "--service", "payment"});
  EXPECT_EQ(process.wait(std::chrono::seconds(20)), 2);
  EXPECT_NE(output().find("'payment' is not PARTICIPANT=PROGRAM"), std::string::npos) << output();
}

}  // namespace
}  // namespace quadrille
