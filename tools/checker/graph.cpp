#include "checker/graph.hpp"

#include <algorithm>
#include <deque>

namespace quadrille::checker {

Graph::Graph(const contract::Model& model) : model_(model) {
  for (const auto& participant : model.participants)
    for (const auto& step : participant.steps) {
      step_nodes_.push_back(static_cast<Node>(steps_.size()));
      step_by_name_[{step.service, step.name}] = step_nodes_.back();
      steps_.push_back(&step);
    }
  for (const auto& [name, event] : model.events) {
    event_nodes_.push_back(static_cast<Node>(steps_.size() + events_.size()));
    event_by_name_[name] = event_nodes_.back();
    events_.push_back(&event);
  }
  next_.resize(steps_.size() + events_.size());
  before_.resize(next_.size());
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
  const auto found = step_by_name_.find({service, name});
  return found == step_by_name_.end() ? -1 : found->second;
}

Graph::Node Graph::step_node(const contract::Step& step) const { return step_of(step.service, step.name); }

std::string Graph::label(Node node) const {
  return is_step(node) ? step(node).participant + "." + step(node).name : event(node).short_name;
}

std::set<Graph::Node> Graph::reach(const std::vector<Node>& from, const std::function<bool(Node)>& blocked) const {
  std::set<Node> seen;
  std::deque<Node> open(from.begin(), from.end());
  while (!open.empty()) {
    const auto node = open.front();
    open.pop_front();
    if (!seen.insert(node).second) continue;
    for (const auto follower : next(node))
      if (!blocked(follower)) open.push_back(follower);
  }
  return seen;
}

std::set<Graph::Node> Graph::lead_to(const std::vector<Node>& to) const {
  std::set<Node> seen;
  std::deque<Node> open(to.begin(), to.end());
  while (!open.empty()) {
    const auto node = open.front();
    open.pop_front();
    if (seen.insert(node).second) open.insert(open.end(), before(node).begin(), before(node).end());
  }
  return seen;
}

std::vector<Graph::Node> Graph::path(const std::vector<Node>& from, const std::function<bool(Node)>& wanted,
                                     const std::function<bool(Node)>& blocked) const {
  std::map<Node, Node> came_from;
  std::deque<Node> open;
  for (const auto node : from)
    if (came_from.emplace(node, node).second) open.push_back(node);
  while (!open.empty()) {
    const auto node = open.front();
    open.pop_front();
    if (wanted(node)) {
      std::vector<Node> stations{node};
      while (came_from.at(stations.back()) != stations.back()) stations.push_back(came_from.at(stations.back()));
      std::ranges::reverse(stations);
      return stations;
    }
    for (const auto follower : next(node))
      if (!blocked(follower) && came_from.emplace(follower, node).second) open.push_back(follower);
  }
  return {};
}

std::vector<std::string> Graph::labels(const std::vector<Node>& stations) const {
  std::vector<std::string> texts;
  for (const auto node : stations) texts.push_back(label(node));
  return texts;
}

bool SagaView::is_end(Graph::Node node) const {
  return std::ranges::find(done, node) != done.end() || std::ranges::find(undone, node) != undone.end();
}

namespace {

/// What one step leads to at the same time: each set is one choice.
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
  for (const auto follower : graph.next(node))
    if (graph.is_step(follower)) branches.push_back({follower});
  return branches;
}

}  // namespace

std::vector<std::pair<Graph::Node, Graph::Node>> parallel_branches(const Graph& graph, const SagaView& saga) {
  std::vector<std::pair<Graph::Node, Graph::Node>> pairs;
  for (const auto node : saga.nodes) {
    if (saga.is_end(node)) continue;
    const auto branches = simultaneous(graph, node);
    for (const auto& one : branches)
      for (const auto& other : branches)
        if (&one != &other)
          for (const auto a : one)
            for (const auto b : other)
              if (saga.nodes.contains(a) && saga.nodes.contains(b)) pairs.emplace_back(a, b);
  }
  return pairs;
}

bool has_role(const contract::EventType& event, v1::SagaRole::Role role) {
  return std::ranges::any_of(event.roles, [&](const auto& entry) { return entry.role() == role; });
}

bool can_fail(const Graph& graph, const contract::Step& step) {
  return std::ranges::any_of(step.emits(), [&](const auto& name) { return graph.model().events.at(name).failure; });
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
    // The steps that emit START belong to it, too, with the timers they arm.
    std::vector<Graph::Node> roots = view.starts;
    for (const auto start : view.starts)
      roots.insert(roots.end(), graph.before(start).begin(), graph.before(start).end());
    std::vector<Graph::Node> open = roots;
    while (!open.empty()) {
      const auto node = open.back();
      open.pop_back();
      if (not_ours(node) || !view.nodes.insert(node).second || view.is_end(node)) continue;
      open.insert(open.end(), graph.next(node).begin(), graph.next(node).end());
    }
    result.push_back(std::move(view));
  }
  return result;
}

}  // namespace quadrille::checker
