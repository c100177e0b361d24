#include "checker/rules.hpp"

#include <algorithm>

namespace quadrille::checker {
namespace {

/// QDR110: no option to complete.
void no_end_reachable(const Context& context) {
  const auto& graph = context.graph;
  for (const auto& saga : context.sagas) {
    std::vector<Graph::Node> ends = saga.saga().done;
    ends.insert(ends.end(), saga.saga().undone.begin(), saga.saga().undone.end());
    const auto leads_to_end = graph.lead_to(ends);
    for (const auto node : saga.events()) {
      if (leads_to_end.contains(node)) continue;
      // Where nobody listens, QDR102 has said so; PUBLIC events and what is only observed may lead nowhere.
      const bool only_observed = std::ranges::all_of(
          graph.next(node), [&](Graph::Node step) { return graph.step(step).kind == v1::OBSERVER; });
      if (graph.event(node).is_public || only_observed) continue;
      context.add("QDR110", Severity::error, {node},
                  graph.event(node).name + " leads to no end of saga " + saga.saga().name,
                  "let what follows it reach an event with role END_DONE or END_UNDONE", {}, saga.saga().name);
    }
    if (ends.empty())
      context.add("QDR110", Severity::error, {saga.saga().starts.front()},
                  "saga " + saga.saga().name + " has a START but no END",
                  "give the event that ends it role: { saga: \"" + saga.saga().name + "\", role: END_DONE }", {},
                  saga.saga().name);
  }
}

/// QDR110 again: the pivot goes ahead, and nothing of what it then says leads to an end.
void pivot_without_an_end(const Context& context) {
  const auto& graph = context.graph;
  for (const auto& saga : context.sagas)
    for (const auto pivot : saga.steps_of(v1::PIVOT)) {
      const bool completes = std::ranges::any_of(graph.next(pivot), [&](Graph::Node said) {
        return (graph.is_step(said) || !graph.event(said).failure) &&
               std::ranges::any_of(saga.saga().done, [&](Graph::Node end) { return saga.reaches(said, end); });
      });
      if (!completes)
        context.add("QDR110", Severity::error, {pivot},
                    "where pivot " + graph.label(pivot) + " goes ahead, no END_DONE of saga " + saga.saga().name +
                        " can be reached",
                    "let what follows its success lead to an event with role END_DONE", {}, saga.saga().name);
    }
}

/// QDR111: dead steps and events.
void unreachable_from_any_start(const Context& context) {
  const auto& graph = context.graph;
  std::vector<Graph::Node> roots;
  for (const auto node : graph.all_steps())
    if (graph.step(node).start == contract::Start::command) roots.push_back(node);
  for (const auto& saga : context.sagas)
    roots.insert(roots.end(), saga.saga().starts.begin(), saga.saga().starts.end());
  if (context.sagas.empty()) return;
  for (const auto node : graph.all_steps())
    for (const auto& name : graph.step(node).sagas)
      if (std::ranges::none_of(context.sagas, [&](const SagaFlow& saga) { return saga.saga().name == name; }))
        context.add("QDR111", Severity::error, {node},
                    graph.label(node) + " is narrowed to saga " + name + ", which no event starts",
                    "correct the name in its sagas, or mark the event that begins the saga with role START");
  const auto alive = graph.reach(roots);
  for (const auto node : graph.all_steps()) {
    if (alive.contains(node)) continue;
    // What waits for an event nobody emits is QDR101's.
    const bool waits_for_nobody =
        std::ranges::any_of(graph.before(node), [&](Graph::Node event) { return graph.before(event).empty(); });
    if (!waits_for_nobody)
      context.add("QDR111", Severity::error, {node},
                  graph.label(node) + " cannot be reached from the start of any saga",
                  "mark the event that begins its saga with role START, or remove the step");
  }
  for (const auto node : graph.all_events())
    if (!alive.contains(node) && graph.before(node).empty() && graph.next(node).empty())
      context.add("QDR111", Severity::error, {node}, graph.event(node).name + " is neither emitted nor consumed",
                  "use it or remove it");
}

/// QDR112: no proper completion. (An END that is the START of another saga chains the two.)
void activity_after_the_end(const Context& context) {
  const auto& graph = context.graph;
  for (const auto& saga : context.sagas)
    for (const auto& ends : {saga.saga().done, saga.saga().undone})
      for (const auto end : ends) {
        if (saga.outside(end) || has_role(graph.event(end), v1::SagaRole::START)) continue;
        for (const auto step : graph.next(end)) {
          const auto& narrowed = graph.step(step).sagas;
          const bool others = !narrowed.empty() && std::ranges::find(narrowed, saga.saga().name) == narrowed.end();
          if (others || graph.step(step).kind == v1::OBSERVER) continue;
          context.add("QDR112", Severity::error, {step, end},
                      graph.label(step) + " goes on after " + graph.event(end).short_name + ", which ends saga " +
                          saga.saga().name,
                      "let the END be said last; a step that only listens is an OBSERVER; what begins anew is a saga "
                      "of its own, of which the event is the START",
                      {}, saga.saga().name);
        }
      }
}

}  // namespace

void check_flow(const Context& context) {
  no_end_reachable(context);
  pivot_without_an_end(context);
  unreachable_from_any_start(context);
  activity_after_the_end(context);
}

}  // namespace quadrille::checker
