#pragma once

#include "checker/finding.hpp"
#include "checker/graph.hpp"
#include "graph/scenario.hpp"

#include <string>
#include <vector>

namespace quadrille::report {

struct Saga {
  checker::SagaView view;
  std::vector<graph::Scenario> scenarios;
};

struct Report {
  const checker::Graph& graph;
  std::vector<Saga> sagas;
  std::vector<checker::Finding> findings;
};

/// One HTML file that needs nothing else: no network, no other file. Equal input gives equal bytes. Names of the
/// contracts are data in it and never markup or script.
[[nodiscard]] std::string as_html(const Report& input);

}  // namespace quadrille::report
