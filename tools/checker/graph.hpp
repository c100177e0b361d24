#pragma once

#include "checker/finding.hpp"
#include "checker/node_set.hpp"
#include "contract/model.hpp"

#include <functional>
#include <map>
#include <string>
#include <unordered_map>
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
  /// The step belongs to a participant that conducts a saga.
  [[nodiscard]] bool conducts(Node step_node) const;
  /// -1 where there is none.
  [[nodiscard]] Node step_node(const contract::Step& step) const;
  [[nodiscard]] Node step_of(const std::string& service, const std::string& name) const;
  /// `payment.Authorize`, `PaymentDeclined`
  [[nodiscard]] std::string label(Node node) const;
  /// `payment.Authorize`, `shop.payment.v1.PaymentDeclined`
  [[nodiscard]] std::string full_name(Node node) const;
  [[nodiscard]] contract::Location location(Node node) const {
    return is_step(node) ? step(node).location : event(node).location;
  }

  /// What can be reached from `from`, itself included, without entering nodes that `blocked` names.
  [[nodiscard]] NodeSet reach(
      const std::vector<Node>& from, const std::function<bool(Node)>& blocked = [](Node) { return false; }) const;
  /// What leads to one of `to`, themselves included.
  [[nodiscard]] NodeSet lead_to(const std::vector<Node>& to) const;
  /// A shortest path from one of `from` to the first node that `wanted` names; empty when there is none.
  [[nodiscard]] std::vector<Node> path(
      const std::vector<Node>& from, const std::function<bool(Node)>& wanted,
      const std::function<bool(Node)>& blocked = [](Node) { return false; }) const;
  [[nodiscard]] std::vector<Station> stations(const std::vector<Node>& path) const;

 private:
  void connect(Node from, Node to);
  void begin_search() const { ++search_; }
  /// True the first time a search comes to a node.
  [[nodiscard]] bool first_visit(Node node) const;

  const contract::Model& model_;
  std::vector<const contract::Step*> steps_;
  std::vector<const contract::EventType*> events_;
  std::vector<Node> step_nodes_;
  std::vector<Node> event_nodes_;
  std::unordered_map<std::string, Node> event_by_name_;
  std::unordered_map<std::string, Node> step_by_name_;  ///< service/step
  std::vector<std::vector<Node>> next_;
  std::vector<std::vector<Node>> before_;
  // Which search saw a node last: a search costs what it visits, not what there is. Graphs are used by one thread.
  mutable std::vector<unsigned> seen_;
  mutable unsigned search_ = 0;
};

/// One saga within the graph: what its START events lead to, up to its END events. The steps that emit START belong to
/// it, with the timers they arm.
struct SagaView {
  std::string name;
  const contract::Saga* declared = nullptr;  ///< null where no file has an option for it
  NodeSet nodes;
  std::vector<Graph::Node> starts;
  std::vector<Graph::Node> done;
  std::vector<Graph::Node> undone;  ///< END_UNDONE and END_STUCK

  [[nodiscard]] bool is_end(Graph::Node node) const;
  /// Where searches begin: START events, and the steps that emit them.
  std::vector<Graph::Node> roots;
};

/// What one node leads to at the same time, each entry one choice: the consumers of an event; the groups of an outcome
/// and the timers its step arms. (Members of one `oneof` exclude each other.)
[[nodiscard]] std::vector<std::vector<Graph::Node>> simultaneous(const Graph& graph, Graph::Node node);

/// Every saga that has a START event, by name.
[[nodiscard]] std::vector<SagaView> sagas(const Graph& graph);

[[nodiscard]] bool has_role(const contract::EventType& event, v1::SagaRole::Role role);
/// It ends some saga, in whatever way.
[[nodiscard]] bool ends_a_saga(const contract::EventType& event);
/// The step emits an event that says no.
[[nodiscard]] bool can_fail(const Graph& graph, Graph::Node step);

}  // namespace quadrille::checker
