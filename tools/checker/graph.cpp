#include "checker/graph.hpp"

#include <algorithm>
#include <unordered_set>

namespace quadrille::checker {

Graph::Graph(const contract::Model& model) : model_(model) {
  for (const auto& participant : model.participants)
    for (const auto& step : participant.steps) {
      step_nodes_.push_back(static_cast<Node>(steps_.size()));
      step_by_name_[step.service + "/" + step.name] = step_nodes_.back();
      steps_.push_back(&step);
    }
  for (const auto& [name, event] : model.events) {
    event_nodes_.push_back(static_cast<Node>(steps_.size() + events_.size()));
    event_by_name_[name] = event_nodes_.back();
    events_.push_back(&event);
  }
  next_.resize(steps_.size() + events_.size());
  before_.resize(next_.size());
  seen_.resize(next_.size(), 0);
  for (const auto node : step_nodes_) {
    for (const auto& trigger : step(node).triggers) connect(event_node(trigger), node);
    for (const auto& emitted : step(node).emits()) connect(node, event_node(emitted));
    if (step(node).timeout)
      if (const auto arming = step_of(step(node).service, step(node).timeout->armed_by); arming >= 0)
        connect(arming, node);
  }
}

void Graph::connect(Node from, Node to) {
  next_[static_cast<std::size_t>(from)].push_back(to);
  before_[static_cast<std::size_t>(to)].push_back(from);
}

Graph::Node Graph::step_of(const std::string& service, const std::string& name) const {
  const auto found = step_by_name_.find(service + "/" + name);
  return found == step_by_name_.end() ? -1 : found->second;
}

bool Graph::conducts(Node node) const {
  const auto* participant = model_.find_participant(step(node).participant);
  return participant != nullptr && participant->orchestration.has_value();
}

Graph::Node Graph::step_node(const contract::Step& step) const { return step_of(step.service, step.name); }

std::string Graph::label(Node node) const {
  return is_step(node) ? step(node).participant + "." + step(node).name : event(node).short_name;
}

std::string Graph::full_name(Node node) const { return is_step(node) ? step(node).full_name() : event(node).name; }

bool Graph::first_visit(Node node) const {
  auto& seen = seen_[static_cast<std::size_t>(node)];
  if (seen == search_) return false;
  seen = search_;
  return true;
}

NodeSet Graph::reach(const std::vector<Node>& from, const std::function<bool(Node)>& blocked) const {
  begin_search();
  std::vector<Node> found;
  for (const auto node : from)
    if (first_visit(node)) found.push_back(node);
  for (std::size_t i = 0; i < found.size(); ++i)
    for (const auto follower : next(found[i]))
      if (!blocked(follower) && first_visit(follower)) found.push_back(follower);
  return NodeSet(std::move(found));
}

NodeSet Graph::lead_to(const std::vector<Node>& to) const {
  begin_search();
  std::vector<Node> found;
  for (const auto node : to)
    if (first_visit(node)) found.push_back(node);
  for (std::size_t i = 0; i < found.size(); ++i)
    for (const auto earlier : before(found[i]))
      if (first_visit(earlier)) found.push_back(earlier);
  return NodeSet(std::move(found));
}

std::vector<Graph::Node> Graph::path(const std::vector<Node>& from, const std::function<bool(Node)>& wanted,
                                     const std::function<bool(Node)>& blocked) const {
  struct Visit {
    Node node;
    std::size_t came_from;
  };
  begin_search();
  std::vector<Visit> visits;
  for (const auto node : from)
    if (first_visit(node)) visits.push_back({node, visits.size()});
  for (std::size_t i = 0; i < visits.size(); ++i) {
    if (wanted(visits[i].node)) {
      std::vector<Node> stations;
      for (std::size_t at = i;; at = visits[at].came_from) {
        stations.push_back(visits[at].node);
        if (visits[at].came_from == at) break;
      }
      std::ranges::reverse(stations);
      return stations;
    }
    for (const auto follower : next(visits[i].node))
      if (!blocked(follower) && first_visit(follower)) visits.push_back({follower, i});
  }
  return {};
}

std::vector<Station> Graph::stations(const std::vector<Node>& way) const {
  std::vector<Station> stations;
  for (const auto node : way) stations.push_back({label(node), location(node)});
  return stations;
}

bool SagaView::is_end(Graph::Node node) const {
  return std::ranges::find(done, node) != done.end() || std::ranges::find(undone, node) != undone.end();
}

std::vector<std::vector<Graph::Node>> simultaneous(const Graph& graph, Graph::Node node) {
  std::vector<std::vector<Graph::Node>> branches;
  if (!graph.is_step(node)) {
    for (const auto consumer : graph.next(node)) branches.push_back({consumer});
    return branches;
  }
  for (const auto& group : graph.step(node).outcomes) {
    std::vector<Graph::Node> choice;
    for (const auto& event : group.events) choice.push_back(graph.event_node(event));
    branches.push_back(std::move(choice));
  }
  // Where a saga is orchestrated, one aggregate decides whether the answer or the clock came first.
  if (graph.conducts(node)) return branches;
  for (const auto follower : graph.next(node))
    if (graph.is_step(follower)) branches.push_back({follower});
  return branches;
}

bool has_role(const contract::EventType& event, v1::SagaRole::Role role) {
  return std::ranges::any_of(event.roles, [&](const auto& entry) { return entry.role() == role; });
}

bool ends_a_saga(const contract::EventType& event) {
  return has_role(event, v1::SagaRole::END_DONE) || has_role(event, v1::SagaRole::END_UNDONE) ||
         has_role(event, v1::SagaRole::END_STUCK);
}

bool can_fail(const Graph& graph, Graph::Node step) {
  return std::ranges::any_of(graph.next(step),
                             [&](Graph::Node node) { return !graph.is_step(node) && graph.event(node).failure; });
}

std::vector<SagaView> sagas(const Graph& graph) {
  std::map<std::string, SagaView> views;
  for (const auto node : graph.all_events())
    for (const auto& role : graph.event(node).roles) {
      auto& view = views[role.saga()];
      view.name = role.saga();
      if (role.role() == v1::SagaRole::START) view.starts.push_back(node);
      if (role.role() == v1::SagaRole::END_DONE) view.done.push_back(node);
      if (role.role() == v1::SagaRole::END_UNDONE || role.role() == v1::SagaRole::END_STUCK)
        view.undone.push_back(node);
    }
  std::vector<SagaView> result;
  for (auto& [name, view] : views) {
    if (view.starts.empty()) continue;
    const auto not_ours = [&](Graph::Node node) {
      if (!graph.is_step(node)) return false;
      const auto& narrowed = graph.step(node).sagas;
      return !narrowed.empty() && std::ranges::find(narrowed, view.name) == narrowed.end();
    };
    view.declared = graph.model().find_saga(name);
    view.roots = view.starts;
    for (const auto start : view.starts)
      view.roots.insert(view.roots.end(), graph.before(start).begin(), graph.before(start).end());
    std::unordered_set<Graph::Node> nodes;
    std::vector<Graph::Node> open = view.roots;
    while (!open.empty()) {
      const auto node = open.back();
      open.pop_back();
      if (not_ours(node) || !nodes.insert(node).second || view.is_end(node)) continue;
      open.insert(open.end(), graph.next(node).begin(), graph.next(node).end());
    }
    view.nodes = NodeSet({nodes.begin(), nodes.end()});
    result.push_back(std::move(view));
  }
  return result;
}

}  // namespace quadrille::checker
