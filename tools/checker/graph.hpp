#pragma once

#include "contract/model.hpp"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace quadrille::checker {

/// Steps and events of a model as one directed graph: event -> step (trigger), step -> event (outcome), step -> step
/// (it arms a timer). One event with several consumers is a parallel split. Nodes are numbers; the model outlives the
/// graph.
class Graph {
 public:
  using Node = int;
  explicit Graph(const contract::Model& model);

  [[nodiscard]] const contract::Model& model() const { return model_; }
  [[nodiscard]] int size() const { return static_cast<int>(next_.size()); }
  [[nodiscard]] const std::vector<Node>& next(Node node) const { return next_[static_cast<std::size_t>(node)]; }
  [[nodiscard]] const std::vector<Node>& before(Node node) const { return before_[static_cast<std::size_t>(node)]; }

  [[nodiscard]] bool is_step(Node node) const { return node < static_cast<int>(steps_.size()); }
  [[nodiscard]] const contract::Step& step(Node node) const { return *steps_[static_cast<std::size_t>(node)]; }
  [[nodiscard]] const contract::EventType& event(Node node) const {
    return *events_[static_cast<std::size_t>(node) - steps_.size()];
  }
  [[nodiscard]] const std::vector<Node>& all_steps() const { return step_nodes_; }
  [[nodiscard]] const std::vector<Node>& all_events() const { return event_nodes_; }
  [[nodiscard]] Node event_node(const std::string& name) const { return event_by_name_.at(name); }
  /// -1 where there is none.
  [[nodiscard]] Node step_node(const contract::Step& step) const;
  [[nodiscard]] Node step_of(const std::string& service, const std::string& name) const;
  /// `payment.Authorize`, `PaymentDeclined`
  [[nodiscard]] std::string label(Node node) const;
  [[nodiscard]] contract::Location location(Node node) const {
    return is_step(node) ? step(node).location : event(node).location;
  }

  /// What can be reached from `from`, itself included, without entering nodes that `blocked` names.
  [[nodiscard]] std::set<Node> reach(
      const std::vector<Node>& from, const std::function<bool(Node)>& blocked = [](Node) { return false; }) const;
  /// What leads to one of `to`, themselves included.
  [[nodiscard]] std::set<Node> lead_to(const std::vector<Node>& to) const;
  /// A shortest path from one of `from` to the first node that `wanted` names; empty when there is none.
  [[nodiscard]] std::vector<Node> path(
      const std::vector<Node>& from, const std::function<bool(Node)>& wanted,
      const std::function<bool(Node)>& blocked = [](Node) { return false; }) const;
  [[nodiscard]] std::vector<std::string> labels(const std::vector<Node>& path) const;

 private:
  void connect(Node from, Node to);

  const contract::Model& model_;
  std::vector<const contract::Step*> steps_;
  std::vector<const contract::EventType*> events_;
  std::vector<Node> step_nodes_;
  std::vector<Node> event_nodes_;
  std::map<std::string, Node> event_by_name_;
  std::map<std::pair<std::string, std::string>, Node> step_by_name_;
  std::vector<std::vector<Node>> next_;
  std::vector<std::vector<Node>> before_;
};

/// One saga within the graph: what its START events lead to, up to its END events.
struct SagaView {
  std::string name;
  std::set<Graph::Node> nodes;
  std::vector<Graph::Node> starts;
  std::vector<Graph::Node> done;
  std::vector<Graph::Node> undone;

  [[nodiscard]] bool is_end(Graph::Node node) const;
};

/// Pairs of branches of a saga that run at the same time: two consumers of one event, two groups of one outcome, an
/// outcome and a timer its step arms. (Members of one `oneof` exclude each other.)
[[nodiscard]] std::vector<std::pair<Graph::Node, Graph::Node>> parallel_branches(const Graph& graph,
                                                                                 const SagaView& saga);

/// Every saga that has a START event, by name.
[[nodiscard]] std::vector<SagaView> sagas(const Graph& graph);

[[nodiscard]] bool has_role(const contract::EventType& event, v1::SagaRole::Role role);
/// The step emits an event that says no.
[[nodiscard]] bool can_fail(const Graph& graph, const contract::Step& step);

}  // namespace quadrille::checker
