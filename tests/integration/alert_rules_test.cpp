// Alert rules derived from contracts, as Prometheus itself reads and runs them.
#include "embedded/child_process.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace quadrille {
namespace {

namespace fs = std::filesystem;

class AlertRules : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_FALSE(embedded::find_program("promtool").empty())
        << "install promtool: tools/test does (Debian package prometheus)";
  }
  /// Exit code of a program; its output in `output`.
  int run(std::vector<std::string> arguments, const fs::path& output) {
    embedded::ChildProcess process(
        {.arguments = std::move(arguments), .output = output, .directory = QUADRILLE_SOURCE_DIR});
    return process.wait(std::chrono::seconds(60)).value_or(-1);
  }
  static std::string text(const fs::path& file) {
    std::ostringstream content;
    content << std::ifstream(file).rdbuf();
    return content.str();
  }
  fs::path rules() {
    const auto file = folder_.path() / "rules.yml";
    const auto tool = fs::canonical("/proc/self/exe").parent_path() / "quadrille";
    EXPECT_EQ(run({tool.string(), "export", "contracts/shop", "--format", "alert-rules", "-o", file.string()},
                  folder_.path() / "export.log"),
              0);
    return file;
  }
  embedded::TemporaryFolder folder_;
};

TEST_F(AlertRules, AreTakenByPrometheus) {
  const auto output = folder_.path() / "promtool.log";
  EXPECT_EQ(run({"promtool", "check", "rules", rules().string()}, output), 0) << text(output);
}

TEST_F(AlertRules, FireWhenAStepIsSlowerThanItsObjectiveAndASagaOlderThanItsDeadline) {
  rules();
  std::ofstream(folder_.path() / "test.yml") << R"(rule_files: [rules.yml]
evaluation_interval: 1m
tests:
  - interval: 1m
    input_series:
      - series: step_latency_seconds_bucket{participant="shipping", step="Book", le="5"}
        values: 0+1x30
      - series: step_latency_seconds_bucket{participant="shipping", step="Book", le="10"}
        values: 0+100x30
      - series: step_latency_seconds_bucket{participant="shipping", step="Book", le="+Inf"}
        values: 0+100x30
      - series: saga_oldest_running_age_seconds{saga="checkout"}
        values: 86000+60x30
    alert_rule_test:
      - eval_time: 20m
        alertname: StepOverItsObjective
        exp_alerts:
          - exp_labels: {severity: warning}
            exp_annotations:
              summary: shipping.Book takes longer than the 5 s its contract promises, from trigger to outcome, for one message in a hundred
      - eval_time: 5m
        alertname: SagaPastItsDeadline
        exp_alerts: []
      - eval_time: 20m
        alertname: SagaPastItsDeadline
        exp_alerts:
          - exp_labels: {severity: critical, saga: checkout}
            exp_annotations:
              summary: a saga checkout has been running for longer than its deadline of 24 h
)";
  const auto output = folder_.path() / "promtool.log";
  EXPECT_EQ(run({"promtool", "test", "rules", (folder_.path() / "test.yml").string()}, output), 0) << text(output);
}

}  // namespace
}  // namespace quadrille
