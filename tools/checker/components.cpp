#include "checker/components.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace quadrille::checker {
namespace {

/// Over the places of some nodes, so that a part of an estate costs what the part is.
class Tarjan {
 public:
  Tarjan(const Graph& graph, const NodeSet& nodes) : nodes_(nodes), next_(nodes.size()), marks_(nodes.size()) {
    for (std::size_t i = 0; i < nodes.size(); ++i)
      for (const auto follower : graph.next(nodes[i]))
        if (nodes.contains(follower)) next_[i].push_back(nodes.place(follower));
  }

  std::vector<std::vector<Graph::Node>> run() {
    for (std::size_t place = 0; place < nodes_.size(); ++place)
      if (marks_[place].index < 0) visit(place);
    return std::move(components_);
  }

 private:
  struct Mark {
    int index = -1;
    int low = 0;
    bool on_stack = false;
  };
  struct Frame {
    std::size_t place;
    std::size_t follower = 0;
  };

  void enter(std::size_t place) {
    marks_[place] = {counter_, counter_, true};
    ++counter_;
    stack_.push_back(place);
    frames_.push_back({place});
  }

  void visit(std::size_t root) {
    enter(root);
    while (!frames_.empty()) {
      auto& frame = frames_.back();
      const auto place = frame.place;
      auto& mark = marks_[place];
      if (frame.follower < next_[place].size()) {
        const auto follower = next_[place][frame.follower++];
        if (marks_[follower].index < 0)
          enter(follower);
        else if (marks_[follower].on_stack)
          mark.low = std::min(mark.low, marks_[follower].index);
        continue;
      }
      frames_.pop_back();
      if (!frames_.empty()) {
        auto& caller = marks_[frames_.back().place];
        caller.low = std::min(caller.low, mark.low);
      }
      if (mark.low == mark.index) close(place);
    }
  }

  void close(std::size_t root) {
    std::vector<Graph::Node> component;
    std::size_t place = 0;
    do {
      place = stack_.back();
      stack_.pop_back();
      marks_[place].on_stack = false;
      component.push_back(nodes_[place]);
    } while (place != root);
    const bool loop = std::ranges::find(next_[root], root) != next_[root].end();
    if (component.size() < 2 && !loop) return;
    std::ranges::sort(component);
    components_.push_back(std::move(component));
  }

  const NodeSet& nodes_;
  std::vector<std::vector<std::size_t>> next_;
  std::vector<Mark> marks_;
  std::vector<std::size_t> stack_;
  std::vector<Frame> frames_;
  int counter_ = 0;
  std::vector<std::vector<Graph::Node>> components_;
};

}  // namespace

std::vector<std::vector<Graph::Node>> cyclic_components(const Graph& graph, const NodeSet& within) {
  return Tarjan(graph, within).run();
}

std::vector<std::vector<Graph::Node>> cyclic_components(const Graph& graph) {
  std::vector<Graph::Node> all(static_cast<std::size_t>(graph.size()));
  std::iota(all.begin(), all.end(), 0);
  return cyclic_components(graph, NodeSet(std::move(all)));
}

std::vector<Graph::Node> shortest_cycle(const Graph& graph, Graph::Node node, const NodeSet& within) {
  std::vector<Graph::Node> followers;
  for (const auto follower : graph.next(node))
    if (within.contains(follower)) followers.push_back(follower);
  auto back = graph.path(
      followers, [&](Graph::Node other) { return other == node; },
      [&](Graph::Node other) { return !within.contains(other); });
  if (!back.empty()) back.insert(back.begin(), node);
  return back;
}

std::vector<std::vector<std::string>> service_circles(const Graph& graph) {
  // Participants as a model of their own, in which each is a step that hears the others.
  contract::Model services;
  services.participants.push_back({});
  std::map<std::string, contract::Step> talkers;
  for (const auto& participant : graph.model().participants) talkers[participant.name].name = participant.name;
  std::set<std::pair<std::string, std::string>> told;
  for (const auto event : graph.all_events()) {
    if (!graph.event(event).command_to.empty()) continue;  // to command is not to hear
    for (const auto from : graph.before(event))
      for (const auto to : graph.next(event)) {
        const auto& speaker = graph.step(from).participant;
        const auto& hearer = graph.step(to).participant;
        if (speaker == hearer || !told.emplace(speaker, hearer).second) continue;
        services.events[speaker].name = speaker;
        talkers[hearer].triggers.push_back(speaker);
      }
  }
  for (auto& [name, talker] : talkers) {
    if (services.events.contains(name)) talker.outcomes.push_back({false, false, {""}, {name}});
    services.participants.back().steps.push_back(std::move(talker));
  }
  const Graph talk(services);
  std::vector<std::vector<std::string>> circles;
  for (const auto& component : cyclic_components(talk)) {
    circles.emplace_back();
    for (const auto node : component)
      if (talk.is_step(node)) circles.back().push_back(talk.step(node).name);
    std::ranges::sort(circles.back());
  }
  std::ranges::sort(circles);
  return circles;
}

}  // namespace quadrille::checker
