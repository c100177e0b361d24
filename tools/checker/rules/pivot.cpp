#include "checker/rules.hpp"

#include <algorithm>

namespace quadrille::checker {
namespace {

/// What the pivot says when it goes ahead, and the timers it arms. What leads round a loop that the pivot itself bounds
/// decides nothing yet: it is asked again.
std::vector<Graph::Node> after_success(const SagaFlow& saga, Graph::Node pivot) {
  const auto& graph = saga.graph();
  const bool asked_again = graph.step(pivot).bound && graph.step(pivot).bound->max > 0;
  std::vector<Graph::Node> nodes;
  for (const auto follower : graph.next(pivot))
    if (graph.is_step(follower) || (!graph.event(follower).failure && !(asked_again && saga.reaches(follower, pivot))))
      nodes.push_back(follower);
  return nodes;
}

/// Each failure of a later pivot still leads to END_DONE through retriable steps only (a well-formed flexible
/// transaction, Zhang et al. 1994).
bool has_way_forward(const SagaFlow& saga, Graph::Node pivot) {
  const auto& graph = saga.graph();
  return std::ranges::all_of(graph.next(pivot), [&](Graph::Node node) {
    if (graph.is_step(node) || !graph.event(node).failure) return true;
    const auto way = graph.path(
        {node}, [&](Graph::Node other) { return std::ranges::find(saga.saga().done, other) != saga.saga().done.end(); },
        [&](Graph::Node other) {
          return saga.outside(other) || (graph.is_step(other) && graph.step(other).kind != v1::RETRIABLE);
        });
    return !way.empty();
  });
}

/// A step of an orchestrated saga: QDR135 and QDR136 judge what comes after its pivot.
bool is_commanded(const Graph& graph, Graph::Node step) {
  return std::ranges::any_of(graph.before(step), [&](Graph::Node node) {
    return !graph.is_step(node) && !graph.event(node).command_to.empty();
  });
}

/// QDR127, QDR131, QDR132: what may not come after the pivot.
void after_the_pivot(const Context& context, const SagaFlow& saga, Graph::Node pivot) {
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
  const auto stop = [&](Graph::Node node) { return saga.outside(node) || saga.saga().is_end(node); };
  for (const auto& law : laws)
    for (const auto node : saga.steps_of(law.kind)) {
      if (node == pivot || (law.kind != v1::COMPENSATION && is_commanded(graph, node))) continue;
      const auto way = graph.path(
          after_success(saga, pivot), [&](Graph::Node other) { return other == node; }, stop);
      if (way.empty()) continue;
      auto witness = graph.stations(way);
      witness.insert(witness.begin(), {graph.label(pivot) + " (pivot)", graph.location(pivot)});
      const bool forgiven = law.kind == v1::PIVOT && has_way_forward(saga, node);
      context.add(law.code, forgiven ? Severity::warning : Severity::error, {node, pivot},
                  std::string(law.what) + " " + graph.label(node) + " comes after pivot " + graph.label(pivot) +
                      (forgiven ? "; each of its failures has another way forward" : ""),
                  law.hint, std::move(witness), saga.saga().name);
    }
}

/// QDR130
void no_pivot(const Context& context, const SagaFlow& saga) {
  const auto& graph = context.graph;
  const bool fails = std::ranges::any_of(saga.steps(), [&](Graph::Node node) { return can_fail(graph, node); });
  if (fails && !saga.steps_of(v1::RETRIABLE).empty() && saga.steps_of(v1::PIVOT).empty())
    context.add(
        "QDR130", Severity::warning, {saga.saga().starts.front()},
        "saga " + saga.saga().name + " has steps that can fail and steps that may not, but no pivot between them",
        "give the last step that can fail kind: PIVOT", {}, saga.saga().name);
}

}  // namespace

void check_pivot(const Context& context) {
  for (const auto& saga : context.sagas) {
    no_pivot(context, saga);
    for (const auto pivot : saga.steps_of(v1::PIVOT)) after_the_pivot(context, saga, pivot);
  }
}

}  // namespace quadrille::checker
