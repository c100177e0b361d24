#pragma once

#include "checker/graph.hpp"

#include <string>
#include <vector>

namespace quadrille::graph {

/// One thing that happens in a scenario, in order.
struct Beat {
  enum class Kind { command, message, timer, end };
  Kind kind = Kind::message;
  checker::Graph::Node from = -1;               ///< step that says it; the timer's step; -1 where it comes from outside
  checker::Graph::Node event = -1;              ///< -1 for commands and timers
  std::vector<checker::Graph::Node> to;         ///< steps it starts; several are a parallel split
  std::vector<checker::Graph::Node> otherwise;  ///< events `from` could have said instead
  std::string loop;  ///< of the loop `from` closes: `up to 3 times`; empty where it closes none
};

/// One way through a saga: the happy one, after one failure, or after one time-out. One each, not one a path, of which
/// there may be a million.
struct Scenario {
  std::string name;  ///< `happy path`, `PaymentDeclined by payment.Authorize`, `time-out order.GiveUp`
  std::vector<Beat> beats;
  std::vector<checker::Graph::Node> nodes;  ///< steps and events that take part, ascending
};

[[nodiscard]] std::vector<Scenario> scenarios(const checker::Graph& graph, const checker::SagaView& saga);

/// A sequence diagram of Mermaid. Throws std::runtime_error with a way out where it is over Mermaid's limits.
[[nodiscard]] std::string as_mermaid(const checker::Graph& graph, const Scenario& scenario);
[[nodiscard]] std::string as_plantuml(const checker::Graph& graph, const Scenario& scenario);

}  // namespace quadrille::graph
