#include "checker/rules.hpp"

#include <algorithm>
#include <set>

namespace quadrille::checker {
namespace {

/// The pivot itself and the steps it settles: there, in one aggregate, the first one wins.
bool is_settled_by(const Graph& graph, Graph::Node pivot, Graph::Node node) {
  const auto& decider = graph.step(pivot);
  if (node == pivot) return true;
  return graph.is_step(node) && graph.step(node).service == decider.service &&
         std::ranges::find(decider.settles, graph.step(node).name) != decider.settles.end();
}

/// QDR133
void failure_beside_the_pivot(const Context& context, const SagaView& saga, Graph::Node pivot) {
  const auto& graph = context.graph;
  const auto after = graph.reach({pivot});
  const auto before = graph.lead_to({pivot});
  for (const auto node : saga.nodes) {
    if (!graph.is_step(node) || after.contains(node) || before.contains(node) || is_settled_by(graph, pivot, node))
      continue;
    const auto& step = graph.step(node);
    if (step.kind == v1::COMPENSATION || step.kind == v1::RETRIABLE || step.start == contract::Start::timer ||
        !can_fail(graph, step))
      continue;
    context.add("QDR133", Severity::error, step.location,
                graph.label(node) + " can say no while pivot " + graph.label(pivot) + " goes ahead: both may win",
                "let the step come before the pivot, in one chain");
  }
}

/// It undoes something, or says that everything has been undone.
bool undoes(const Graph& graph, Graph::Node node) {
  return graph.is_step(node) ? graph.step(node).kind == v1::COMPENSATION
                             : has_role(graph.event(node), v1::SagaRole::END_UNDONE);
}

/// The participant that says the last word of a path to an END.
std::string ender(const Graph& graph, const std::vector<Graph::Node>& way) {
  for (auto node = way.rbegin(); node != way.rend(); ++node)
    if (graph.is_step(*node)) return graph.step(*node).participant;
  return graph.step(graph.before(way.front()).front()).participant;
}

/// QDR160: without a pivot, two branches that meet nowhere end the saga in two ways.
void two_who_end_it(const Context& context, const SagaView& saga) {
  const auto& graph = context.graph;
  const auto outside = [&](Graph::Node node) { return !saga.nodes.contains(node); };
  std::set<std::string> told;
  for (const auto& [forward, back] : parallel_branches(graph, saga)) {
    const auto with_forward = graph.reach({forward}, outside);
    const auto with_back = graph.reach({back}, outside);
    const auto done = graph.path(
        {forward},
        [&](Graph::Node node) { return !graph.is_step(node) && has_role(graph.event(node), v1::SagaRole::END_DONE); },
        [&](Graph::Node node) { return outside(node) || with_back.contains(node); });
    const auto undone = graph.path(
        {back},
        [&](Graph::Node node) { return !graph.is_step(node) && has_role(graph.event(node), v1::SagaRole::END_UNDONE); },
        [&](Graph::Node node) { return outside(node) || with_forward.contains(node); });
    if (done.empty() || undone.empty() || ender(graph, done) == ender(graph, undone)) continue;
    const auto message = ender(graph, done) + " may end saga " + saga.name + " with " + graph.label(done.back()) +
                         " while " + ender(graph, undone) + " ends it with " + graph.label(undone.back()) +
                         ": nobody decides which";
    if (told.insert(message).second)
      context.add("QDR160", Severity::error, graph.location(back), message,
                  "let one participant say go or no-go: give its step kind: PIVOT, let the other ask it, and name the "
                  "asked step in the pivot's settles",
                  graph.labels(undone));
  }
}

/// QDR161: a time-out that undoes without asking who decides.
void timeout_beside_the_pivot(const Context& context, const SagaView& saga, Graph::Node pivot) {
  const auto& graph = context.graph;
  const auto past_pivot = graph.reach({pivot});
  for (const auto timer : saga.nodes) {
    if (!graph.is_step(timer) || graph.step(timer).start != contract::Start::timer || past_pivot.contains(timer) ||
        is_settled_by(graph, pivot, timer))
      continue;
    const auto way = graph.path(
        graph.next(timer), [&](Graph::Node node) { return undoes(graph, node); },
        [&](Graph::Node node) { return !saga.nodes.contains(node) || is_settled_by(graph, pivot, node); });
    if (way.empty()) continue;
    auto witness = graph.labels(way);
    witness.insert(witness.begin(), graph.label(timer) + " (timer)");
    context.add("QDR161", Severity::error, graph.location(timer),
                "timeout " + graph.label(timer) + " leads to " + graph.label(way.back()) + " without asking " +
                    graph.step(pivot).participant + ", which decides " + graph.label(pivot) + ": both may win",
                "let the timeout emit a request, and add a step to " + graph.step(pivot).service +
                    " that takes it and is named in the pivot's settles",
                std::move(witness));
  }
}

}  // namespace

void check_races(const Context& context) {
  for (const auto& saga : context.sagas) {
    const bool has_pivot = std::ranges::any_of(saga.nodes, [&](Graph::Node node) {
      return context.graph.is_step(node) && context.graph.step(node).kind == v1::PIVOT;
    });
    if (!has_pivot) two_who_end_it(context, saga);
    for (const auto node : saga.nodes)
      if (context.graph.is_step(node) && context.graph.step(node).kind == v1::PIVOT) {
        failure_beside_the_pivot(context, saga, node);
        timeout_beside_the_pivot(context, saga, node);
      }
  }
}

}  // namespace quadrille::checker
