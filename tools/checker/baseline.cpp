#include "checker/policy.hpp"

#include <nlohmann/json.hpp>

#include <fstream>
#include <stdexcept>

namespace quadrille::checker {

namespace {
constexpr const char* schema = "quadrille-baseline/1";
}

Baseline::Baseline(const std::filesystem::path& file) {
  const auto document = nlohmann::json::parse(std::ifstream(file), nullptr, false);
  if (!document.is_object() || document.value("schema", "") != schema)
    throw std::runtime_error("--baseline: " + file.string() + " is no baseline; make one with --write-baseline FILE");
  for (const auto& entry : document["findings"]) known_.insert(entry["fingerprint"].get<std::string>());
}

void Baseline::apply(std::vector<Finding>& findings) const {
  for (auto& finding : findings)
    if (finding.suppressed.empty() && known_.contains(fingerprint(finding))) finding.suppressed = "in the baseline";
}

std::string Baseline::write(const std::vector<Finding>& findings) {
  auto list = nlohmann::ordered_json::array();
  for (const auto& finding : findings)
    if (finding.suppressed.empty())
      list.push_back({{"fingerprint", fingerprint(finding)}, {"code", finding.code}, {"message", finding.message}});
  return nlohmann::ordered_json{{"schema", schema}, {"findings", list}}.dump(2) + "\n";
}

}  // namespace quadrille::checker
