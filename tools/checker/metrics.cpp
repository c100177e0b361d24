#include "checker/metrics.hpp"

#include "checker/components.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace quadrille::checker {
namespace {

/// Rounds of a cycle: the largest bound in it, 1 where it has none (QDR140 has said so).
std::uint64_t rounds(const Graph& graph, const std::vector<Graph::Node>& component) {
  std::uint64_t most = 1;
  for (const auto node : component)
    if (graph.is_step(node) && graph.step(node).bound)
      most = std::max<std::uint64_t>(most, graph.step(node).bound->max);
  return most;
}

/// Longest way on the condensation, in steps.
class LongestWay {
 public:
  explicit LongestWay(const SagaFlow& saga) : saga_(saga), graph_(saga.graph()) {
    const auto components = cyclic_components(graph_, saga.saga().nodes);
    for (const auto& component : components) {
      std::uint64_t steps = 0;
      for (const auto node : component) steps += graph_.is_step(node) ? 1 : 0;
      groups_.push_back({component, steps * rounds(graph_, component)});
      for (const auto node : component) group_of_[node] = groups_.size() - 1;
    }
    for (const auto node : saga.saga().nodes)
      if (group_of_.emplace(node, groups_.size()).second) groups_.push_back({{node}, graph_.is_step(node) ? 1U : 0U});
  }

  /// Depth first without recursion: a chain may be long.
  std::uint64_t operator()() {
    std::vector<std::uint64_t> length(groups_.size(), 0);
    std::vector<char> state(groups_.size(), 0);  // 0 new, 1 open, 2 done
    std::uint64_t longest = 0;
    for (std::size_t root = 0; root < groups_.size(); ++root) {
      std::vector<std::size_t> open{root};
      while (!open.empty()) {
        const auto group = open.back();
        const auto next = followers(group);
        if (state[group] == 0) {
          state[group] = 1;
          for (const auto follower : next)
            if (state[follower] == 0) open.push_back(follower);
          continue;
        }
        open.pop_back();
        if (state[group] == 2) continue;
        state[group] = 2;
        std::uint64_t rest = 0;
        for (const auto follower : next) rest = std::max(rest, length[follower]);
        length[group] = groups_[group].weight + rest;
        longest = std::max(longest, length[group]);
      }
    }
    return longest;
  }

 private:
  struct Group {
    std::vector<Graph::Node> nodes;
    std::uint64_t weight;
  };
  [[nodiscard]] std::vector<std::size_t> followers(std::size_t group) const {
    std::set<std::size_t> next;
    for (const auto node : groups_[group].nodes) {
      if (saga_.saga().is_end(node)) continue;
      for (const auto follower : graph_.next(node))
        if (!saga_.outside(follower) && group_of_.at(follower) != group) next.insert(group_of_.at(follower));
    }
    return {next.begin(), next.end()};
  }

  const SagaFlow& saga_;
  const Graph& graph_;
  std::vector<Group> groups_;
  std::map<Graph::Node, std::size_t> group_of_;
};

}  // namespace

Metrics measure(const SagaFlow& saga) {
  const auto& graph = saga.graph();
  Metrics metrics;
  metrics.saga = saga.saga().name;
  metrics.steps = saga.steps().size();
  metrics.events = saga.events().size();
  std::set<std::string> participants;
  for (const auto step : saga.steps()) participants.insert(graph.step(step).participant);
  metrics.participants = participants.size();
  for (const auto event : saga.events())
    metrics.widest_fan_out = std::max(metrics.widest_fan_out, graph.next(event).size());
  metrics.longest_way = LongestWay(saga)();
  return metrics;
}

}  // namespace quadrille::checker
