// Every metric that an alert or the dashboard asks for is one that a running service shows, or one of the tracker's.
#include "compose_tree.hpp"
#include "dev/system.hpp"
#include "embedded/probe.hpp"
#include "shop/audit.hpp"
#include "shop/load.hpp"
#include "support/validators.hpp"

#include <gtest/gtest.h>
#include <httplib.h>
#include <nlohmann/json.hpp>

#include <regex>
#include <set>

namespace quadrille {
namespace {

using nlohmann::json;

const std::set<std::string> of_the_tracker{"participant_silent", "saga_oldest_running_age_seconds", "saga_running",
                                           "saga_stuck",         "saga_tracker_lag_seconds",        "saga_waiting"};

std::string without(const std::string& text, const char* pattern) {
  return std::regex_replace(text, std::regex(pattern), " ");
}

/// The names of series in a PromQL expression.
std::set<std::string> metrics_in(const std::string& expression) {
  auto rest = without(expression, R"(\{[^}]*\})");
  rest = without(rest, R"(\[[^\]]*\])");
  rest = without(rest, R"(\b(by|on|without|ignoring)\s*\([^)]*\))");
  std::set<std::string> names;
  const std::regex name(R"(\b([a-z_:][a-z0-9_:]*)\b(?!\s*\())");
  for (std::sregex_iterator found(rest.begin(), rest.end(), name), end; found != end; ++found)
    if (const auto word = found->str(); word != "and" && word != "or" && word != "unless" && word != "le" &&
                                        word != "by" && word != "sum" && word != "max" && word != "min")
      names.insert(word);
  return names;
}

TEST(ExpressionNames, AreFoundInAnExpression) {
  EXPECT_EQ(metrics_in(R"(sum by (le) (rate(a_bucket{x=~"b_c"}[5m])) > 60 and on (participant) max(d_total) == 0)"),
            (std::set<std::string>{"a_bucket", "d_total"}));
}

class MetricNames : public ::testing::Test {
 protected:
  /// What the services of a shop that has done something show.
  std::set<std::string> shown() {
    shop::open_shop(system_, opening_);
    system_.start_all();
    system_.await_all_ready();
    shop::Load load(system_, opening_, 23);
    load.place(20);
    EXPECT_TRUE(shop::await_quiet(system_, 20, std::chrono::seconds(60)));
    std::set<std::string> names{"up"};
    const std::regex series("\n([a-z_]+)[{ ]");
    for (const auto& service : system_.services()) {
      const auto answer = httplib::Client("http://" + system_.http(service.participant)).Get("/metrics");
      if (!answer) continue;
      const auto& text = answer->body;
      for (std::sregex_iterator found(text.begin(), text.end(), series), end; found != end; ++found)
        names.insert((*found)[1].str());
    }
    return names;
  }

  embedded::TemporaryFolder folder_;
  dev::System system_{dev::System::Options{.folder = folder_.path(), .services = dev::shop_services(binaries())}};
  shop::Opening opening_ = shop::usual_opening();
};

TEST_F(MetricNames, OfAlertsAndDashboardAreThoseOfARunningServiceOrOfTheTracker) {
  std::map<std::string, std::string> asked_by;
  for (const auto& file : {"prometheus/alerts.yml", "prometheus/objectives.yml"})
    for (const auto& group : json::parse(yaml_to_json(compose(file)))["groups"])
      for (const auto& rule : group["rules"])
        for (const auto& name : metrics_in(rule["expr"].get<std::string>()))
          asked_by[name] = "alert " + rule["alert"].get<std::string>();
  const auto dashboard = json::parse(content(compose("grafana/dashboards/sagas.json")));
  for (const auto& panel : dashboard["panels"])
    for (const auto& target : panel["targets"])
      for (const auto& name : metrics_in(target["expr"].get<std::string>()))
        asked_by[name] = "panel " + panel["title"].get<std::string>();
  EXPECT_GT(asked_by.size(), 20U);
  const auto known = shown();
  for (const auto& [name, who] : asked_by)
    EXPECT_TRUE(known.contains(name) || of_the_tracker.contains(name)) << name << ", which is asked for by " << who;
}

}  // namespace
}  // namespace quadrille
