#pragma once

#include "checker/finding.hpp"
#include "checker/graph.hpp"
#include "contract/model.hpp"

#include <vector>

namespace quadrille::checker {

/// Everything that is wrong, by file, line and code; faults of the reading as QDR100, and then nothing else.
[[nodiscard]] std::vector<Finding> check(const contract::Reading& reading);

/// The same for what has been read without a fault and made a graph of.
[[nodiscard]] std::vector<Finding> check(const Graph& graph, const std::vector<SagaView>& sagas);

}  // namespace quadrille::checker
