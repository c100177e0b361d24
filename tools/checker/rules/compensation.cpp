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

/// The step has done its work on some way to the other, and nothing has undone it yet.
bool done_before(const SagaFlow& saga, Graph::Node step, Graph::Node other) {
  const auto& graph = saga.graph();
  const auto undo = compensation_of(graph, graph.step(step));
  std::vector<Graph::Node> success;
  for (const auto next : graph.next(step))
    if (!saga.outside(next) && (graph.is_step(next) || !graph.event(next).failure)) success.push_back(next);
  return !graph
              .path(
                  success, [&](Graph::Node node) { return node == other; },
                  [&](Graph::Node node) { return saga.outside(node) || node == undo || saga.saga().is_end(node); })
              .empty();
}

/// Steps that may have been done when `sayer` says no: those that led to it, in an earlier round of a loop also what
/// its own success leads to, and those on branches beside it.
std::vector<Graph::Node> may_be_done(const SagaFlow& saga, Graph::Node sayer) {
  const auto without_it = saga.graph().reach(saga.saga().roots, [&](Graph::Node node) {
    return node == sayer || saga.outside(node) || saga.saga().is_end(node);
  });
  std::vector<Graph::Node> done;
  for (const auto step : saga.steps_of(v1::COMPENSATABLE))
    if (step != sayer && (done_before(saga, step, sayer) || (without_it.contains(step) && saga.beside(step, sayer))))
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

/// QDR122 where nobody says no: a choice that ends the saga as cancelled, past something that was done. (What follows a
/// failure or the clock is judged by that.)
void cancelled_without_a_failure(const Context& context) {
  const auto& graph = context.graph;
  for (const auto& saga : context.sagas)
    for (const auto node : saga.steps_of(v1::COMPENSATABLE)) {
      const auto undo = compensation_of(graph, graph.step(node));
      if (undo < 0) continue;
      const auto avoided = [&](Graph::Node other) {
        return graph.is_step(other)
                   ? graph.step(other).kind == v1::COMPENSATION || graph.step(other).start == contract::Start::timer
                   : graph.event(other).failure;
      };
      std::vector<Graph::Node> success;
      for (const auto said : graph.next(node))
        if (!saga.outside(said) && !avoided(said)) success.push_back(said);
      for (const auto end : saga.saga().undone) {
        if (!has_role(graph.event(end), v1::SagaRole::END_UNDONE)) continue;
        const auto way = saga.way_without(success, end, avoided);
        if (way.empty()) continue;
        // One consumer of an event may undo while another ends the saga: only a choice leaves the undo out.
        bool beside = false;
        for (std::size_t i = 0; i + 1 < way.size(); ++i)
          beside = beside || (!graph.is_step(way[i]) && saga.reaches(way[i], undo) && !saga.reaches(way[i + 1], undo));
        if (beside) continue;
        context.add(
            "QDR122", Severity::error, {node, end},
            graph.event(end).name + " may end saga " + saga.saga().name + " as cancelled after " + graph.label(node) +
                " and without " + graph.label(undo) + ", which undoes it",
            "let what decides so say a failure: true that leads to " + graph.label(undo) + " before the saga ends",
            graph.stations(way), saga.saga().name);
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
      for (const auto said : graph.next(node))  // when it says no itself, there is nothing to undo either
        if (!graph.is_step(said) && graph.event(said).failure) roots.push_back(said);
      const auto without = saga.way_without(roots, undo, [&](Graph::Node other) { return other == node; });
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
  for (const auto node : graph.all_steps())  // the conductor's clock leads back, too
    if (graph.step(node).start == contract::Start::timer && graph.conducts(node)) failures.push_back(node);
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
  cancelled_without_a_failure(context);
  may_not_fail(context);
  compensation_that_may_overtake(context);
  compensation_nobody_triggers(context);
}

}  // namespace quadrille::checker
