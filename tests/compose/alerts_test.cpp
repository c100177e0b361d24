// The alert rules of compose/, as Prometheus's own tool takes and tries them.
#include "compose_tree.hpp"
#include "support/validators.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <regex>
#include <set>

namespace quadrille {
namespace {

using nlohmann::json;

class ComposeAlerts : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_FALSE(embedded::find_program("promtool").empty())
        << "install promtool: tools/test does (Debian package prometheus)";
  }
  static std::vector<json> alerts() {
    std::vector<json> all;
    for (const auto& group : json::parse(yaml_to_json(compose("prometheus/alerts.yml")))["groups"])
      for (const auto& rule : group["rules"]) all.push_back(rule);
    return all;
  }
};

TEST_F(ComposeAlerts, AreTakenByPrometheusWithItsConfiguration) {
  // Without the secrets that it names, which are not here.
  const auto file = compose("prometheus/prometheus.yml");
  const auto answer = run({"promtool", "check", "config", "--syntax-only", file.string()});
  EXPECT_EQ(answer.exit_code, 0) << answer.output;
  const auto rule_files = json::parse(yaml_to_json(file))["rule_files"];
  EXPECT_EQ(rule_files.size(), 2U);
  for (const auto& rules : rule_files) {
    const auto checked =
        run({"promtool", "check", "rules", compose("prometheus/" + rules.get<std::string>()).string()});
    EXPECT_EQ(checked.exit_code, 0) << checked.output;
  }
}

TEST_F(ComposeAlerts, FireWhenTheyShouldAndOnlyThen) {
  const auto answer = run({"promtool", "test", "rules", compose("prometheus/alerts_test.yml").string()});
  EXPECT_EQ(answer.exit_code, 0) << answer.output;
}

TEST_F(ComposeAlerts, AreEachTriedInACaseThatFiresAndOneThatDoesNot) {
  std::set<std::string> fires;
  std::set<std::string> quiet;
  for (const auto& test : json::parse(yaml_to_json(compose("prometheus/alerts_test.yml")))["tests"])
    for (const auto& look : test["promql_expr_test"])
      (look["exp_samples"].empty() ? quiet : fires)
          .insert(look["expr"] == "ALERTS{alertname=\"" + test["name"].get<std::string>() + "\", alertstate=\"firing\"}"
                      ? test["name"].get<std::string>()
                      : "not of its own alert");
  std::set<std::string> all;
  for (const auto& alert : alerts()) all.insert(alert["alert"].get<std::string>());
  EXPECT_EQ(fires, all);
  EXPECT_EQ(quiet, all);
}

TEST_F(ComposeAlerts, SayWhatToDoWithCommandsThatThereAre) {
  const auto help = run({(binaries() / "quadrille").string(), "--help"}).output;
  const std::regex command("`quadrille ([a-z-]+)");
  for (const auto& alert : alerts()) {
    const auto name = alert["alert"].get<std::string>();
    for (const auto* part : {"summary", "description"}) EXPECT_TRUE(alert["annotations"].contains(part)) << name;
    EXPECT_TRUE(alert["labels"]["severity"] == "critical" || alert["labels"]["severity"] == "warning") << name;
    EXPECT_TRUE(alert.contains("for")) << name;
    const auto text = alert["annotations"].value("description", "");
    for (std::sregex_iterator found(text.begin(), text.end(), command), end; found != end; ++found)
      EXPECT_NE(help.find("\n  " + (*found)[1].str() + " "), std::string::npos) << name << " says " << found->str();
  }
}

}  // namespace
}  // namespace quadrille
