#include "checker/check.hpp"

#include "checker/rules.hpp"

#include <algorithm>
#include <tuple>

namespace quadrille::checker {

std::vector<Finding> check(const Graph& graph, const std::vector<SagaView>& views) {
  std::vector<Finding> findings;
  std::vector<SagaFlow> flows;
  flows.reserve(views.size());
  for (const auto& view : views)
    if (view.nodes.size() <= SagaFlow::largest)
      flows.emplace_back(graph, view);
    else
      findings.push_back({"QDR117",
                          Severity::error,
                          graph.location(view.starts.front()),
                          "saga " + view.name + " has " + std::to_string(view.nodes.size()) +
                              " steps and events, more than can be judged",
                          "cut it into sagas that start each other: an END of one may be the START of the next",
                          {},
                          {graph.full_name(view.starts.front())},
                          view.name});
  const Context context{graph, flows, findings};
  for (const auto rule : {check_wiring, check_subjects, check_flow, check_joins, check_size, check_compensation,
                          check_undo_design, check_pivot, check_step_kinds, check_orchestration, check_cycles,
                          check_races, check_timing, check_data, check_holds, check_configuration, check_care})
    rule(context);
  std::ranges::stable_sort(findings, {}, [](const Finding& finding) {
    return std::tie(finding.location.file, finding.location.line, finding.location.column, finding.code,
                    finding.message);
  });
  return findings;
}

std::vector<Finding> check(const contract::Reading& reading) {
  if (!reading.faults.empty()) {
    std::vector<Finding> findings;
    for (const auto& fault : reading.faults)
      findings.push_back({"QDR100", Severity::error, fault.location, fault.what, fault.repair, {}, {fault.what}, ""});
    return findings;
  }
  const Graph graph(reading.model);
  return check(graph, sagas(graph));
}

}  // namespace quadrille::checker
