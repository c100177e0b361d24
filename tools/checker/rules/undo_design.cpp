#include "checker/rules.hpp"

namespace quadrille::checker {
namespace {

/// QDR123: what was done last is undone first.
void undone_in_the_wrong_order(const Context& context, const SagaFlow& saga) {
  const auto& graph = context.graph;
  const auto done = saga.steps_of(v1::COMPENSATABLE);
  for (const auto first : done)
    for (const auto second : done) {
      if (first == second || !saga.reaches(first, second) || saga.reaches(second, first)) continue;
      const auto undo_first = compensation_of(graph, graph.step(first));
      const auto undo_second = compensation_of(graph, graph.step(second));
      if (undo_first < 0 || undo_second < 0 || undo_first == undo_second || !saga.reaches(undo_first, undo_second) ||
          saga.reaches(undo_second, undo_first))
        continue;
      context.add("QDR123", Severity::warning, {undo_first, undo_second},
                  graph.label(undo_first) + " undoes " + graph.label(first) + " before " + graph.label(undo_second) +
                      " undoes " + graph.label(second) + ", which was built on it",
                  "let the compensations run in the reverse order of the steps",
                  graph.stations(graph.path({undo_first}, [&](Graph::Node node) { return node == undo_second; })),
                  saga.saga().name);
    }
}

/// QDR181: between the step and its undo another saga has changed the aggregate; setting the old value loses that.
void undo_that_sets_a_value(const Context& context) {
  const auto& graph = context.graph;
  for (const auto node : graph.all_steps()) {
    const auto& step = graph.step(node);
    if (step.kind != v1::COMPENSATION || step.write != v1::ABSOLUTE) continue;
    for (const auto& emitted : step.emits()) {
      const auto& event = graph.model().events.at(emitted);
      if (!event.shared) continue;
      context.add("QDR181", Severity::warning, {node},
                  graph.label(node) + " sets a value of " + event.aggregate +
                      ", which other sagas change at the same time: their changes are lost",
                  "give back what the step took (write: DELTA) instead of setting what was there before");
      break;
    }
  }
}

}  // namespace

void check_undo_design(const Context& context) {
  for (const auto& saga : context.sagas) undone_in_the_wrong_order(context, saga);
  undo_that_sets_a_value(context);
}

}  // namespace quadrille::checker
