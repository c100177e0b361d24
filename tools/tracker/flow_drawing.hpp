#pragma once

#include "graph/drawing.hpp"
#include "tracker/census.hpp"

#include <chrono>
#include <map>
#include <string>

namespace quadrille::tracker {

/// A saga's flow with what goes on in it: on each edge how many of its event were said, on each step how many sagas
/// wait for it and how long the longest has (`longest`, by step).
[[nodiscard]] graph::Drawing draw_flow(const checker::Graph& graph, const checker::SagaView& saga,
                                       const Census::Counts& counts,
                                       const std::map<std::string, std::chrono::seconds>& longest);

}  // namespace quadrille::tracker
