#pragma once

#include "conform/conformance.hpp"
#include "graph/drawing.hpp"

namespace quadrille::conform {

/// A saga's drawing with what traffic did on it: counts and percentiles on edges, edges never taken, and edges that
/// nobody declared.
[[nodiscard]] graph::Drawing overlay(const Graph& graph, const checker::SagaView& saga, const Report& report);

}  // namespace quadrille::conform
