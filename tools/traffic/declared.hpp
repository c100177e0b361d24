#pragma once

#include "checker/graph.hpp"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace quadrille::traffic {

using checker::Graph;

/// A declared choreography made quick to lay recorded events over. Graph and views outlive it. Immutable.
class Declared {
 public:
  Declared(const Graph& graph, const std::vector<checker::SagaView>& sagas);

  [[nodiscard]] const Graph& graph() const { return graph_; }
  [[nodiscard]] const std::vector<checker::SagaView>& sagas() const { return sagas_; }
  /// -1 where no contract declares it.
  [[nodiscard]] Graph::Node event_of(const std::string& type) const;
  /// Place among the views; -1 where there is none.
  [[nodiscard]] int saga_of(const std::string& name) const;
  /// The step of `source` that says `event` because of `cause`; where the cause is unknown (-1), one that needs none.
  /// -1 where the graph has none that could.
  [[nodiscard]] Graph::Node step_between(std::string_view source, Graph::Node cause, Graph::Node event) const;

 private:
  const Graph& graph_;
  const std::vector<checker::SagaView>& sagas_;
  std::unordered_map<std::string, Graph::Node> event_by_type_;
  std::unordered_map<std::string, int> saga_by_name_;
};

/// One of the two has decided, so the other has nothing to say any more: a contract says that one settles the other.
[[nodiscard]] bool settle_one_question(const contract::Step& one, const contract::Step& other);

}  // namespace quadrille::traffic
