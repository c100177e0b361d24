#include "checker/saga_flow.hpp"

#include <algorithm>
#include <set>

namespace quadrille::checker {

SagaFlow::SagaFlow(const Graph& graph, const SagaView& saga) : graph_(graph), saga_(saga) {
  for (const auto node : saga.nodes) (graph.is_step(node) ? steps_ : events_).push_back(node);
  find_ways();
  find_parallel();
}

std::vector<Graph::Node> SagaFlow::steps_of(v1::StepKind kind) const {
  std::vector<Graph::Node> found;
  for (const auto node : steps_)
    if (graph_.step(node).kind == kind) found.push_back(node);
  return found;
}

bool SagaFlow::reaches(Graph::Node from, Graph::Node to) const {
  return saga_.nodes.contains(from) && saga_.nodes.contains(to) &&
         reach_[saga_.nodes.place(from)].test(saga_.nodes.place(to));
}

bool SagaFlow::beside(Graph::Node one, Graph::Node other) const {
  return saga_.nodes.contains(one) && saga_.nodes.contains(other) &&
         beside_[saga_.nodes.place(one)].test(saga_.nodes.place(other));
}

std::vector<Graph::Node> SagaFlow::way_without(const std::vector<Graph::Node>& from, Graph::Node to,
                                               const std::function<bool(Graph::Node)>& avoided) const {
  std::set<Graph::Node> incomplete;
  const auto blocked = [&](Graph::Node node) { return outside(node) || avoided(node) || incomplete.contains(node); };
  for (bool more = true; more;) {
    more = false;
    const auto come = graph_.reach(from, blocked);
    for (const auto node : come) {
      if (!graph_.is_step(node) || graph_.step(node).start != contract::Start::all_of) continue;
      if (std::ranges::any_of(graph_.before(node),
                              [&](Graph::Node event) { return !outside(event) && !come.contains(event); }))
        more = incomplete.insert(node).second || more;
    }
  }
  return graph_.path(
      from, [&](Graph::Node node) { return node == to; }, blocked);
}

bool SagaFlow::exclude_each_other(Graph::Node one, Graph::Node other) const {
  return !together(one, other) &&
         std::ranges::any_of(saga_.roots, [&](Graph::Node root) { return reaches(root, one) && reaches(root, other); });
}

bool SagaFlow::settled_by(Graph::Node pivot, Graph::Node node) const {
  const auto& decider = graph_.step(pivot);
  if (node == pivot) return true;
  return graph_.is_step(node) && graph_.step(node).service == decider.service &&
         std::ranges::find(decider.settles, graph_.step(node).name) != decider.settles.end();
}

bool SagaFlow::settle_each_other(Graph::Node one, Graph::Node other) const {
  return settled_by(one, other) || settled_by(other, one);
}

void SagaFlow::find_ways() {
  const auto& nodes = saga_.nodes;
  std::vector<std::vector<std::size_t>> next(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (saga_.is_end(nodes[i])) continue;
    for (const auto follower : graph_.next(nodes[i]))
      if (nodes.contains(follower)) next[i].push_back(nodes.place(follower));
  }
  reach_.assign(nodes.size(), Bits(nodes.size()));
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    auto& row = reach_[i];
    row.set(i);
    open.assign(1, i);
    while (!open.empty()) {
      const auto at = open.back();
      open.pop_back();
      for (const auto follower : next[at])
        if (!row.test(follower)) {
          row.set(follower);
          open.push_back(follower);
        }
    }
  }
}

void SagaFlow::find_parallel() {
  const auto& nodes = saga_.nodes;
  beside_.assign(nodes.size(), Bits(nodes.size()));
  for (const auto node : nodes) {
    if (saga_.is_end(node)) continue;
    // What each branch may lead to, and for each the others together.
    std::vector<Bits> branches;
    for (const auto& choice : simultaneous(graph_, node)) {
      Bits all(nodes.size());
      for (const auto member : choice)
        if (nodes.contains(member)) all.merge(reach_[nodes.place(member)]);
      branches.push_back(std::move(all));
    }
    if (branches.size() < 2) continue;
    std::vector<Bits> before{Bits(nodes.size())};
    for (const auto& branch : branches) {
      before.push_back(before.back());
      before.back().merge(branch);
    }
    Bits after(nodes.size());
    for (std::size_t i = branches.size(); i-- > 0;) {
      auto others = before[i];
      others.merge(after);
      for (std::size_t place = 0; place < nodes.size(); ++place)
        if (branches[i].test(place)) beside_[place].merge(others);
      after.merge(branches[i]);
    }
  }
}

Graph::Node compensation_of(const Graph& graph, const contract::Step& step) {
  if (step.kind != v1::COMPENSATABLE || step.compensated_by.empty()) return -1;
  const auto node = graph.step_of(step.service, step.compensated_by);
  return node >= 0 && graph.step(node).kind == v1::COMPENSATION ? node : -1;
}

}  // namespace quadrille::checker
