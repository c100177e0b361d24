#include "checker/rules.hpp"

#include <algorithm>

namespace quadrille::checker {
namespace {

/// What the pivot says when it goes ahead, and the timers it arms.
std::vector<Graph::Node> after_success(const Graph& graph, Graph::Node pivot) {
  std::vector<Graph::Node> nodes;
  for (const auto follower : graph.next(pivot))
    if (graph.is_step(follower) || !graph.event(follower).failure) nodes.push_back(follower);
  return nodes;
}

/// QDR127, QDR131, QDR132: what may not come after the pivot.
void after_the_pivot(const Context& context, const SagaView& saga, Graph::Node pivot) {
  struct Law {
    v1::StepKind kind;
    const char* code;
    const char* what;
    const char* hint;
  };
  static const Law laws[] = {
      {v1::COMPENSATION, "QDR127", "compensation",
       "past the pivot the saga only goes forward: let the failure come before it, or make the step retriable"},
      {v1::PIVOT, "QDR131", "second pivot",
       "there is one point of no return: make the later step retriable or the earlier one compensatable"},
      {v1::COMPENSATABLE, "QDR132", "compensatable step", "past the pivot nothing is undone: make the step retriable"},
  };
  const auto& graph = context.graph;
  const auto outside = [&](Graph::Node node) { return !saga.nodes.contains(node) || saga.is_end(node); };
  for (const auto& law : laws)
    for (const auto node : saga.nodes) {
      if (!graph.is_step(node) || node == pivot || graph.step(node).kind != law.kind) continue;
      const auto way = graph.path(
          after_success(graph, pivot), [&](Graph::Node other) { return other == node; }, outside);
      if (way.empty()) continue;
      auto witness = graph.labels(way);
      witness.insert(witness.begin(), graph.label(pivot) + " (pivot)");
      context.add(law.code, Severity::error, graph.location(node),
                  std::string(law.what) + " " + graph.label(node) + " comes after pivot " + graph.label(pivot),
                  law.hint, std::move(witness));
    }
}

/// QDR130
void no_pivot(const Context& context, const SagaView& saga) {
  const auto& graph = context.graph;
  const auto any = [&](const auto& wanted) {
    return std::ranges::any_of(saga.nodes,
                               [&](Graph::Node node) { return graph.is_step(node) && wanted(graph.step(node)); });
  };
  const bool fails = any([&](const contract::Step& step) { return can_fail(graph, step); });
  const bool retriable = any([](const contract::Step& step) { return step.kind == v1::RETRIABLE; });
  const bool pivot = any([](const contract::Step& step) { return step.kind == v1::PIVOT; });
  if (fails && retriable && !pivot)
    context.add("QDR130", Severity::warning, graph.location(saga.starts.front()),
                "saga " + saga.name + " has steps that can fail and steps that may not, but no pivot between them",
                "give the last step that can fail kind: PIVOT");
}

}  // namespace

void check_pivot(const Context& context) {
  for (const auto& saga : context.sagas) {
    no_pivot(context, saga);
    for (const auto node : saga.nodes)
      if (context.graph.is_step(node) && context.graph.step(node).kind == v1::PIVOT)
        after_the_pivot(context, saga, node);
  }
}

}  // namespace quadrille::checker
