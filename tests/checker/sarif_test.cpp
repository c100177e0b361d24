#include "checker/sarif.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>

namespace quadrille::checker {
namespace {

Finding finding(Severity severity, int line, const std::string& message) {
  return {"QDR161",
          severity,
          {"shop/order.proto", line, 3},
          message,
          "ask the pivot",
          {{"order.Expire", {"shop/order.proto", line, 3}}, {"payment.Void", {"shop/payment.proto", 7, 3}}},
          {"order.Expire"},
          "checkout"};
}

nlohmann::json run_of(const std::vector<Finding>& findings) {
  return nlohmann::json::parse(as_sarif(findings, "1.2.3"))["runs"][0];
}

TEST(Sarif, HasWhatCodeScanningReads) {
  const auto document = nlohmann::json::parse(as_sarif({finding(Severity::error, 27, "both may win")}, "1.2.3"));
  EXPECT_EQ(document["version"], "2.1.0");
  const auto& run = document["runs"][0];
  EXPECT_EQ(run["tool"]["driver"]["name"], "quadrille");
  EXPECT_EQ(run["tool"]["driver"]["version"], "1.2.3");
  const auto& result = run["results"][0];
  EXPECT_EQ(result["ruleId"], "QDR161");
  EXPECT_EQ(result["level"], "error");
  EXPECT_EQ(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "shop/order.proto");
  EXPECT_EQ(result["locations"][0]["physicalLocation"]["region"]["startLine"], 27);
  EXPECT_EQ(result["codeFlows"][0]["threadFlows"][0]["locations"][1]["location"]["message"]["text"], "payment.Void");
  EXPECT_EQ(result["codeFlows"][0]["threadFlows"][0]["locations"][1]["location"]["physicalLocation"]["artifactLocation"]
                  ["uri"],
            "shop/payment.proto");
  std::set<std::string> declared;
  for (const auto& rule : run["tool"]["driver"]["rules"]) declared.insert(rule["id"]);
  EXPECT_TRUE(declared.contains("QDR161"));
}

TEST(Sarif, FingerprintsAFindingByWhatTakesPartAndNotByLineOrWording) {
  auto other_saga = finding(Severity::error, 1, "a");
  other_saga.saga = "refund";
  auto other_step = finding(Severity::error, 1, "a");
  other_step.about = {"order.Tire"};
  const auto results =
      run_of({finding(Severity::error, 1, "a"), finding(Severity::error, 99, "b"), other_saga, other_step})["results"];
  EXPECT_EQ(results[0]["partialFingerprints"], results[1]["partialFingerprints"]);
  EXPECT_NE(results[0]["partialFingerprints"], results[2]["partialFingerprints"]);
  EXPECT_NE(results[0]["partialFingerprints"], results[3]["partialFingerprints"]);
}

TEST(Sarif, PutsTheSevereFirstAndCutsTheRest) {
  std::vector<Finding> findings(6'000, finding(Severity::note, 1, "n"));
  findings.push_back(finding(Severity::error, 1, "e"));
  const auto results = run_of(findings)["results"];
  EXPECT_EQ(results.size(), 5'000U);
  EXPECT_EQ(results[0]["level"], "error");
}

}  // namespace
}  // namespace quadrille::checker
