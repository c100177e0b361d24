#include "checker/rules.hpp"

#include <algorithm>

namespace quadrille::checker {
namespace {

/// QDR121
void missing_compensation(const Context& context) {
  const auto& graph = context.graph;
  for (const auto node : graph.all_steps()) {
    const auto& step = graph.step(node);
    if (step.kind != v1::COMPENSATABLE || compensation_of(graph, step) >= 0) continue;
    const bool named = !step.compensated_by.empty();
    context.add(
        "QDR121", Severity::error, {node},
        graph.label(node) +
            (named ? " names " + step.compensated_by + " as its compensation, which is no COMPENSATION step"
                   : " is COMPENSATABLE but nothing undoes it"),
        named ? "give " + step.compensated_by + " kind: COMPENSATION"
              : "add compensated_by with a step of kind COMPENSATION, or make it a QUERY if it leaves nothing to undo");
  }
}

/// Steps that may have been done when `sayer` says no: those that led to it, and those on branches beside it; not
/// what only its own success leads to.
std::vector<Graph::Node> may_be_done(const SagaFlow& saga, Graph::Node sayer) {
  const auto without_it = saga.graph().reach(saga.saga().roots, [&](Graph::Node node) {
    return node == sayer || saga.outside(node) || saga.saga().is_end(node);
  });
  std::vector<Graph::Node> done;
  for (const auto step : saga.steps())
    if (step != sayer && without_it.contains(step) && (saga.reaches(step, sayer) || saga.beside(step, sayer)))
      done.push_back(step);
  return done;
}

/// QDR122: a failure after which something that was done stays done.
void failure_that_undoes_too_little(const Context& context) {
  const auto& graph = context.graph;
  for (const auto& saga : context.sagas)
    for (const auto failure : saga.events()) {
      if (!graph.event(failure).failure) continue;
      for (const auto sayer : graph.before(failure)) {
        if (saga.outside(sayer) || graph.step(sayer).kind == v1::COMPENSATION) continue;  // the latter is QDR124's
        for (const auto node : may_be_done(saga, sayer)) {
          const auto undo = compensation_of(graph, graph.step(node));
          if (undo < 0 || saga.reaches(failure, undo)) continue;
          context.add("QDR122", Severity::error, {sayer, failure, node},
                      "failure " + graph.event(failure).name + " of " + graph.label(sayer) + " never reaches " +
                          graph.label(undo) + ", which undoes " + graph.label(node),
                      "let " + graph.label(undo) + " be triggered by " + graph.event(failure).short_name +
                          " or by something that follows it",
                      graph.stations(graph.path({node}, [&](Graph::Node other) { return other == failure; })),
                      saga.saga().name);
        }
      }
    }
}

/// QDR124 and QDR125: steps that may not say no.
void may_not_fail(const Context& context) {
  const auto& graph = context.graph;
  for (const auto node : graph.all_steps()) {
    const auto& step = graph.step(node);
    const bool compensation = step.kind == v1::COMPENSATION;
    if (!compensation && step.kind != v1::RETRIABLE) continue;
    for (const auto emitted : graph.next(node)) {
      if (graph.is_step(emitted) || !graph.event(emitted).failure) continue;
      context.add(compensation ? "QDR124" : "QDR125", Severity::error, {node, emitted},
                  graph.label(node) +
                      (compensation ? " is a compensation but can fail: " : " is retriable but can say no: ") +
                      graph.event(emitted).name,
                  compensation ? "a compensation is repeated until it succeeds; remove the failure from its outcome"
                               : "after the pivot nothing may say no: remove the failure from its outcome, or move the "
                                 "step before the pivot");
    }
  }
}

/// QDR126: an undo that may come before what it undoes, or without it.
void compensation_that_may_overtake(const Context& context) {
  const auto& graph = context.graph;
  for (const auto& saga : context.sagas)
    for (const auto node : saga.steps_of(v1::COMPENSATABLE)) {
      const auto undo = compensation_of(graph, graph.step(node));
      if (undo < 0 || graph.step(undo).null_safe) continue;
      const bool begins_it = std::ranges::any_of(saga.saga().starts, [&](Graph::Node start) {
        return std::ranges::find(graph.before(start), node) != graph.before(start).end();
      });
      if (begins_it) continue;  // nothing of the saga happens before it
      auto roots = saga.saga().roots;
      std::erase(roots, node);
      const auto without = graph.path(
          roots, [&](Graph::Node other) { return other == undo; },
          [&](Graph::Node other) { return other == node || saga.outside(other); });
      if (without.empty()) continue;
      context.add(
          "QDR126", Severity::error, {undo, node},
          graph.label(undo) + " may run before, or without, " + graph.label(node) +
              ", which it undoes, but is not null_safe",
          "let it record that it came first, so that the step does nothing when it comes late, and say null_safe: true",
          graph.stations(without), saga.saga().name);
    }
}

/// QDR128
void compensation_nobody_triggers(const Context& context) {
  const auto& graph = context.graph;
  std::vector<Graph::Node> failures;
  for (const auto node : graph.all_events())
    if (graph.event(node).failure) failures.push_back(node);
  const auto triggered = graph.reach(failures);
  for (const auto node : graph.all_steps())
    if (graph.step(node).kind == v1::COMPENSATION && !triggered.contains(node))
      context.add("QDR128", Severity::warning, {node}, "no failure leads to compensation " + graph.label(node),
                  "mark the event that says no with failure: true, or remove the compensation");
}

}  // namespace

void check_compensation(const Context& context) {
  missing_compensation(context);
  failure_that_undoes_too_little(context);
  may_not_fail(context);
  compensation_that_may_overtake(context);
  compensation_nobody_triggers(context);
}

}  // namespace quadrille::checker
