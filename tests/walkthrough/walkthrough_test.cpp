#include "embedded/child_process.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace quadrille {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ifstream input(file);
  std::ostringstream text;
  text << input.rdbuf();
  return text.str();
}

/// Runs the page's commands and looks at what they answer.
class Walkthrough : public ::testing::Test {
 protected:
  struct Answer {
    int exit_code = -1;
    std::string text;
  };

  Answer shell(const std::string& script) {
    const auto output = folder_.path() / "output";
    fs::remove(output);
    embedded::ChildProcess child(
        {{"sh", "-c", script}, {{"BIN", bin_.string()}, {"ROOT", QUADRILLE_SOURCE_DIR}}, output, {}, folder_.path()});
    const auto exit_code = child.wait(std::chrono::minutes(2));
    return {exit_code.value_or(-1), text_of(output)};
  }

  /// The shell blocks of the page, in its order.
  static std::vector<std::string> blocks() {
    std::vector<std::string> blocks;
    std::ifstream page(std::string(QUADRILLE_SOURCE_DIR) + "/tools/replay/WALKTHROUGH.md");
    bool inside = false;
    for (std::string line; std::getline(page, line);) {
      if (line == "```sh") blocks.emplace_back();
      if (inside && line != "```") blocks.back() += line + "\n";
      if (line.starts_with("```")) inside = line == "```sh";
    }
    return blocks;
  }

  /// Compiles a test as a project that installs the test kit would, and runs it.
  Answer build_and_run(const std::string& file) {
    std::string flags;
    for (const auto* include : {"framework/include", "services", "tests"}) flags += std::string(" -I$ROOT/") + include;
    const fs::path build = QUADRILLE_BUILD_DIR;
    flags += " -I" + (build / "contracts/generated").string();
    std::string libraries;
    for (const auto& entry : fs::recursive_directory_iterator(build)) {
      const auto name = entry.path().filename().string();
      if (name.starts_with("lib") && name.ends_with(".a") && name.find("framework.a") == std::string::npos)
        libraries += " " + entry.path().string();
    }
    const auto compiled = shell(std::string(QUADRILLE_CXX) + " -std=c++20 -O0" + flags + " " + file + " -o " + file +
                                ".out -Wl,--start-group" + libraries +
                                " -Wl,--end-group $(pkg-config --libs protobuf uuid libcrypto spdlog fmt "
                                "prometheus-cpp-core) -lgtest -lgtest_main -lpthread");
    if (compiled.exit_code != 0) return {compiled.exit_code, compiled.text};
    return shell("./" + file + ".out");
  }

  embedded::TemporaryFolder folder_;
  fs::path bin_ = fs::canonical("/proc/self/exe").parent_path();
};

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_F(Walkthrough, FindsThePlantedBugFromARecordedSagaOnly) {
  ASSERT_EQ(shell("$BIN/record-shop 10000 > traffic.ndjson").exit_code, 0);
  // The first PaymentVoided of the traffic is the planted one: order 0 is the first of the hundredths.
  const auto page = blocks();
  ASSERT_EQ(page.size(), 6U);

  const auto exported = shell(page[0]);
  EXPECT_EQ(exported.exit_code, 0) << exported.text;
  EXPECT_TRUE(has(exported.text, "personal data redacted")) << exported.text;
  EXPECT_TRUE(has(exported.text, "PaymentCaptured payment-o-0@2")) << exported.text;
  EXPECT_LT(fs::file_size(folder_.path() / "double.case"), 100'000U);

  const auto stepped = shell(page[1]);
  EXPECT_EQ(stepped.exit_code, 0);
  EXPECT_TRUE(has(stepped.text, "payment Void  PaymentVoided payment-o-0@3")) << stepped.text;
  EXPECT_TRUE(has(stepped.text, "before {\"stage\":\"PaymentCaptured\"")) << stepped.text;
  EXPECT_TRUE(has(stepped.text, "because of StockRefused")) << stepped.text;

  const auto run = shell(page[2]);
  EXPECT_EQ(run.exit_code, 0) << run.text;
  EXPECT_TRUE(has(run.text, "3 same")) << run.text;

  const auto fuzzed = shell(page[3]);
  EXPECT_EQ(fuzzed.exit_code, 0) << fuzzed.text;
  EXPECT_TRUE(has(fuzzed.text, "disturbed 1000 times from seed 1: always the same end")) << fuzzed.text;

  ASSERT_EQ(shell(page[4]).exit_code, 0);
  const auto recorded = build_and_run("recorded_test.cpp");
  EXPECT_EQ(recorded.exit_code, 0) << recorded.text;
  const auto wanted = build_and_run("wanted_test.cpp");
  EXPECT_EQ(wanted.exit_code, 1) << wanted.text;
  EXPECT_TRUE(has(wanted.text, "but the participant said:\n  PaymentVoided")) << wanted.text;
  ASSERT_EQ(shell("sed -i 's/DoubleVoidService/PaymentService/' wanted_test.cpp").exit_code, 0);
  const auto fixed = build_and_run("wanted_test.cpp");
  EXPECT_EQ(fixed.exit_code, 0) << fixed.text;

  const auto what_if = shell(page[5]);
  EXPECT_EQ(what_if.exit_code, 1);
  EXPECT_TRUE(has(what_if.text, "10000 sagas: 9900 the same, 100 not, 0 could not be run")) << what_if.text;
  EXPECT_TRUE(has(what_if.text, "100 x  Void on StockRefused: PaymentVoided -> nothing (different)")) << what_if.text;
}

TEST_F(Walkthrough, ADamagedCaseIsToldByItsOffsetAndNotRun) {
  ASSERT_EQ(shell("$BIN/record-shop 1 > traffic.ndjson").exit_code, 0);
  ASSERT_EQ(shell(blocks()[0]).exit_code, 0);
  ASSERT_EQ(shell("head -c 18000 double.case > short.case").exit_code, 0);
  const auto shown = shell("$BIN/quadrille case show short.case");
  EXPECT_EQ(shown.exit_code, 2);
  EXPECT_TRUE(has(shown.text, "at byte 18000")) << shown.text;
  const auto other = shell("$BIN/quadrille case run double.case --participant payment=$BIN/shop-nothing");
  EXPECT_EQ(other.exit_code, 2) << other.text;
}

}  // namespace
}  // namespace quadrille
