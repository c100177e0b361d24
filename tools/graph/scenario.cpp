#include "graph/scenario.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <set>

namespace quadrille::graph {
namespace {

using checker::Graph;
using Node = Graph::Node;

constexpr int unreachable = std::numeric_limits<int>::max();

/// Plays a saga with fixed choices. What is not fixed is chosen so that the saga ends soon, and without a no where that
/// is possible.
class Play {
 public:
  Play(const Graph& graph, const checker::SagaView& saga) : graph_(graph), saga_(saga) {
    to_done_ = distances(saga.done);
    auto ends = saga.done;
    ends.insert(ends.end(), saga.undone.begin(), saga.undone.end());
    to_end_ = distances(ends);
  }

  /// Events that have to be chosen where a step has the choice.
  void choose(const std::vector<Node>& events) { chosen_.insert(events.begin(), events.end()); }
  /// Nothing that the step leads to is heard; the timer fires instead.
  void hang_after(Node arming, Node timer) {
    hangs_ = arming;
    timer_ = timer;
  }

  Scenario run(std::string name) {
    scenario_.name = std::move(name);
    for (const auto root : saga_.roots)
      if (graph_.is_step(root)) begin(root);
    while (!open_.empty()) {
      const auto step = open_.front();
      open_.pop_front();
      perform(step);
    }
    scenario_.nodes.assign(seen_.begin(), seen_.end());
    return std::move(scenario_);
  }

 private:
  [[nodiscard]] std::map<Node, int> distances(const std::vector<Node>& ends) const {
    std::map<Node, int> distance;
    std::deque<Node> open(ends.begin(), ends.end());
    for (const auto end : ends) distance[end] = 0;
    while (!open.empty()) {
      const auto node = open.front();
      open.pop_front();
      for (const auto earlier : graph_.before(node))
        if (saga_.nodes.contains(earlier) && distance.try_emplace(earlier, distance[node] + 1).second)
          open.push_back(earlier);
    }
    return distance;
  }
  static int at(const std::map<Node, int>& distance, Node node) {
    const auto found = distance.find(node);
    return found == distance.end() ? unreachable : found->second;
  }

  void begin(Node step) {
    if (graph_.step(step).start == contract::Start::timer || !seen_.insert(step).second) return;
    scenario_.beats.push_back({Beat::Kind::command, -1, -1, {step}, {}, {}});
    open_.push_back(step);
  }

  /// The event a group of an outcome says; -1 for nothing.
  [[nodiscard]] Node choice(Node step, const contract::OutcomeGroup& group) const {
    std::vector<Node> members;
    for (const auto& name : group.events) members.push_back(graph_.event_node(name));
    for (const auto member : members)
      if (chosen_.contains(member)) return member;
    if (!group.exclusive) return members.empty() ? -1 : members.front();
    Node best = -1;
    const auto better = [&](Node node) {
      if (best < 0) return true;
      const auto rank = [&](Node event) {
        return std::tuple(graph_.event(event).failure, at(to_done_, event), at(to_end_, event));
      };
      return rank(node) < rank(best);
    };
    for (const auto member : members)
      if (at(to_end_, member) != unreachable && better(member)) best = member;
    if (best < 0 && (!group.may_be_nothing || step == timer_) && !members.empty()) best = members.front();
    return best;
  }

  void perform(Node node) {
    const auto& step = graph_.step(node);
    for (const auto& group : step.outcomes) {
      const auto event = choice(node, group);
      if (event < 0 || !saga_.nodes.contains(event)) continue;
      seen_.insert(event);
      Beat beat{Beat::Kind::message, node, event, {}, {}, {}};
      if (group.exclusive)
        for (const auto& other : group.events)
          if (const auto alternative = graph_.event_node(other); alternative != event)
            beat.otherwise.push_back(alternative);
      if (step.bound && step.bound->max > 0) beat.loop = "up to " + std::to_string(step.bound->max) + " times";
      const bool ends = saga_.is_end(event);
      if (!ends && node != hangs_) beat.to = hearers(event);
      scenario_.beats.push_back(beat);
      if (ends) scenario_.beats.push_back({Beat::Kind::end, node, event, {}, {}, {}});
      for (const auto hearer : beat.to) open_.push_back(hearer);
    }
    if (node == hangs_ && seen_.insert(timer_).second) {
      scenario_.beats.push_back({Beat::Kind::timer, timer_, -1, {timer_}, {}, {}});
      open_.push_back(timer_);
    }
  }

  /// Steps the event starts now: each once, a join only when all it waits for has been said.
  std::vector<Node> hearers(Node event) {
    std::vector<Node> steps;
    for (const auto step : graph_.next(event)) {
      if (!saga_.nodes.contains(step) || seen_.contains(step)) continue;
      const auto& triggers = graph_.step(step).triggers;
      const bool all_said = std::ranges::all_of(
          triggers, [&](const auto& trigger) { return seen_.contains(graph_.event_node(trigger)); });
      if (graph_.step(step).start == contract::Start::all_of && !all_said) continue;
      seen_.insert(step);
      steps.push_back(step);
    }
    return steps;
  }

  const Graph& graph_;
  const checker::SagaView& saga_;
  std::map<Node, int> to_done_;
  std::map<Node, int> to_end_;
  std::set<Node> chosen_;
  Node hangs_ = -1;
  Node timer_ = -1;
  std::deque<Node> open_;
  std::set<Node> seen_;
  Scenario scenario_;
};

/// Events on a way from the saga's beginning to a step.
std::vector<Node> events_before(const Graph& graph, const checker::SagaView& saga, Node step) {
  std::vector<Node> roots;
  for (const auto root : saga.roots)
    if (graph.is_step(root)) roots.push_back(root);
  auto way = graph.path(
      roots, [&](Node node) { return node == step; }, [&](Node node) { return !saga.nodes.contains(node); });
  std::erase_if(way, [&](Node node) { return graph.is_step(node); });
  return way;
}

}  // namespace

std::vector<Scenario> scenarios(const Graph& graph, const checker::SagaView& saga) {
  std::vector<Scenario> all;
  all.push_back(Play(graph, saga).run("happy path"));
  for (const auto node : saga.nodes) {
    if (!graph.is_step(node)) continue;
    for (const auto& emitted : graph.step(node).emits()) {
      const auto event = graph.event_node(emitted);
      if (!graph.event(event).failure || !saga.nodes.contains(event)) continue;
      Play play(graph, saga);
      auto fixed = events_before(graph, saga, node);
      fixed.push_back(event);
      play.choose(fixed);
      // A timer on the way has to fire for the step to be reached at all.
      const auto way = graph.path(
          saga.roots, [&](Node other) { return other == node; },
          [&](Node other) { return !saga.nodes.contains(other); });
      for (std::size_t i = 1; i < way.size(); ++i)
        if (graph.is_step(way[i]) && graph.step(way[i]).start == contract::Start::timer)
          play.hang_after(way[i - 1], way[i]);
      all.push_back(play.run(graph.event(event).short_name + " by " + graph.label(node)));
    }
  }
  for (const auto node : saga.nodes) {
    if (!graph.is_step(node) || graph.step(node).start != contract::Start::timer) continue;
    const auto arming = graph.step_of(graph.step(node).service, graph.step(node).timeout->armed_by);
    if (arming < 0 || !saga.nodes.contains(arming)) continue;
    Play play(graph, saga);
    play.choose(events_before(graph, saga, arming));
    play.hang_after(arming, node);
    all.push_back(play.run("time-out " + graph.label(node)));
  }
  return all;
}

}  // namespace quadrille::graph
