#include "checker/rules.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace quadrille::checker {
namespace {

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

/// What follows a step that took its hold: not what it says when it says no.
std::vector<Graph::Node> after_taking(const SagaFlow& saga, Graph::Node step) {
  std::vector<Graph::Node> nodes;
  for (const auto follower : saga.graph().next(step))
    if (!saga.outside(follower) && (saga.graph().is_step(follower) || !saga.graph().event(follower).failure))
      nodes.push_back(follower);
  return nodes;
}

/// Nodes after which the hold is given back whatever happens: the consumers of an event all hear it, each group of an
/// outcome is said, and of a choice every member has to lead there.
NodeSet given_back(const SagaFlow& saga, const std::string& hold) {
  const auto& graph = saga.graph();
  std::set<Graph::Node> sure;
  const auto is_sure = [&](Graph::Node node) { return sure.contains(node); };
  const auto leads_there = [&](Graph::Node node) {
    if (!graph.is_step(node))
      return !saga.saga().is_end(node) && std::ranges::any_of(graph.next(node), [&](Graph::Node consumer) {
        return is_sure(consumer) && graph.step(consumer).start != contract::Start::all_of;
      });
    const auto& step = graph.step(node);
    return has(step.releases, hold) || std::ranges::any_of(step.outcomes, [&](const contract::OutcomeGroup& group) {
             return !group.may_be_nothing && !group.events.empty() &&
                    std::ranges::all_of(group.events,
                                        [&](const auto& event) { return is_sure(graph.event_node(event)); });
           });
  };
  for (bool more = true; more;) {
    more = false;
    for (const auto node : saga.saga().nodes)
      if (!is_sure(node) && leads_there(node)) more = sure.insert(node).second;
  }
  return NodeSet({sure.begin(), sure.end()});
}

/// QDR151: a way from the hold to an END on which nobody gives it back. It lapses by its time limit only. True
/// when that was found.
bool hold_that_stays(const Context& context, const SagaFlow& saga, Graph::Node node, const std::string& hold) {
  const auto& graph = context.graph;
  const auto releases = [&](Graph::Node other) {
    return graph.is_step(other) && has(graph.step(other).releases, hold);
  };
  // An END that is the START of a saga which gives it back is not the end of it.
  const auto handed_on = [&](Graph::Node end) {
    return std::ranges::any_of(context.sagas, [&](const SagaFlow& next) {
      return std::ranges::find(next.saga().starts, end) != next.saga().starts.end() &&
             std::ranges::any_of(next.steps(), releases);
    });
  };
  const bool never = std::ranges::none_of(saga.steps(), releases);
  const auto sure = given_back(saga, hold);
  auto from = after_taking(saga, node);
  std::erase_if(from, [&](Graph::Node other) { return sure.contains(other); });
  const auto way = graph.path(
      from, [&](Graph::Node other) { return saga.saga().is_end(other) && !handed_on(other); },
      [&](Graph::Node other) { return saga.outside(other) || sure.contains(other); });
  if (way.empty()) return false;
  context.findings.push_back({"QDR151",
                              never ? Severity::error : Severity::warning,
                              graph.location(node),
                              "the hold " + hold + " that " + graph.label(node) + " takes is released by " +
                                  (never ? "no step of saga " : "no step on one way through saga ") + saga.saga().name,
                              "let the step that settles or undoes it say releases: \"" + hold + "\"",
                              graph.stations(way),
                              {graph.full_name(node), hold},
                              saga.saga().name});
  return true;
}

/// Which hold is taken while which is held, and where.
struct Nesting {
  const SagaFlow* saga;
  Graph::Node outer;
  Graph::Node inner;
};
using Order = std::map<std::pair<std::string, std::string>, Nesting>;

void collect_order(const SagaFlow& saga, Order& order) {
  const auto& graph = saga.graph();
  for (const auto outer : saga.steps())
    for (const auto& held : graph.step(outer).holds) {
      const auto still_held = graph.reach(after_taking(saga, outer), [&](Graph::Node node) {
        return saga.outside(node) || (graph.is_step(node) && has(graph.step(node).releases, held));
      });
      for (const auto inner : still_held)
        if (graph.is_step(inner))
          for (const auto& taken : graph.step(inner).holds)
            if (taken != held) order.try_emplace({held, taken}, Nesting{&saga, outer, inner});
    }
}

/// QDR152: each waits for what the other has, until one of the holds lapses.
void opposite_orders(const Context& context, const Order& order) {
  const auto& graph = context.graph;
  for (const auto& [pair, one] : order) {
    if (pair.first > pair.second) continue;
    const auto found = order.find({pair.second, pair.first});
    if (found == order.end()) continue;
    const auto& other = found->second;
    const auto how = [&](const Nesting& nesting) {
      return "saga " + nesting.saga->saga().name + " (" + graph.label(nesting.outer) + ", then " +
             graph.label(nesting.inner) + ")";
    };
    context.add("QDR152", Severity::error, {one.inner, one.outer, other.inner, other.outer},
                how(one) + " takes " + pair.second + " while it holds " + pair.first + "; " + how(other) +
                    " takes them the other way round: each may wait for the other",
                "let every saga take the two in the same order, or release the first before the second is taken",
                graph.stations({one.outer, one.inner, other.outer, other.inner}));
  }
}

}  // namespace

void check_holds(const Context& context) {
  Order order;
  std::set<std::pair<Graph::Node, std::string>> told;  // a step that begins one saga and ends another is in both
  for (const auto& saga : context.sagas) {
    for (const auto node : saga.steps())
      for (const auto& hold : context.graph.step(node).holds)
        if (!told.contains({node, hold}) && hold_that_stays(context, saga, node, hold)) told.emplace(node, hold);
    collect_order(saga, order);
  }
  opposite_orders(context, order);
}

}  // namespace quadrille::checker
