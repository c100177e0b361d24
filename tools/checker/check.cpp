#include "checker/check.hpp"

#include "checker/rules.hpp"

#include <algorithm>
#include <tuple>

namespace quadrille::checker {

std::vector<Finding> check(const contract::Reading& reading) {
  std::vector<Finding> findings;
  for (const auto& fault : reading.faults)
    findings.push_back({"QDR100", Severity::error, fault.location, fault.what, fault.repair, {}});
  if (findings.empty()) {
    const Graph graph(reading.model);
    const auto views = sagas(graph);
    const Context context{graph, views, findings};
    for (const auto rule :
         {check_wiring, check_flow, check_compensation, check_pivot, check_cycles, check_races, check_data})
      rule(context);
  }
  std::ranges::stable_sort(findings, {}, [](const Finding& finding) {
    return std::tie(finding.location.file, finding.location.line, finding.location.column, finding.code,
                    finding.message);
  });
  return findings;
}

}  // namespace quadrille::checker
