#include "checker/rules.hpp"

#include <algorithm>

namespace quadrille::checker {
namespace {

/// QDR110: no option to complete.
void no_end_reachable(const Context& context) {
  const auto& graph = context.graph;
  for (const auto& saga : context.sagas) {
    std::vector<Graph::Node> ends = saga.done;
    ends.insert(ends.end(), saga.undone.begin(), saga.undone.end());
    const auto leads_to_end = graph.lead_to(ends);
    for (const auto node : saga.nodes) {
      if (graph.is_step(node) || leads_to_end.contains(node)) continue;
      // Where nobody listens, QDR102 has said so; PUBLIC events and what is only observed may lead nowhere.
      const bool only_observed = std::ranges::all_of(
          graph.next(node), [&](Graph::Node step) { return graph.step(step).kind == v1::OBSERVER; });
      if (graph.event(node).is_public || only_observed) continue;
      context.add("QDR110", Severity::error, graph.location(node),
                  graph.event(node).name + " leads to no end of saga " + saga.name,
                  "let what follows it reach an event with role END_DONE or END_UNDONE");
    }
    if (ends.empty())
      context.add("QDR110", Severity::error, graph.location(saga.starts.front()),
                  "saga " + saga.name + " has a START but no END",
                  "give the event that ends it role: { saga: \"" + saga.name + "\", role: END_DONE }");
  }
}

/// QDR111: dead steps and events.
void unreachable_from_any_start(const Context& context) {
  const auto& graph = context.graph;
  std::vector<Graph::Node> roots;
  for (const auto node : graph.all_steps())
    if (graph.step(node).start == contract::Start::command) roots.push_back(node);
  for (const auto& saga : context.sagas) roots.insert(roots.end(), saga.starts.begin(), saga.starts.end());
  if (context.sagas.empty()) return;
  const auto alive = graph.reach(roots);
  for (const auto node : graph.all_steps()) {
    if (alive.contains(node)) continue;
    // What waits for an event nobody emits is QDR101's.
    const bool waits_for_nobody =
        std::ranges::any_of(graph.before(node), [&](Graph::Node event) { return graph.before(event).empty(); });
    if (!waits_for_nobody)
      context.add("QDR111", Severity::error, graph.location(node),
                  graph.label(node) + " cannot be reached from the start of any saga",
                  "mark the event that begins its saga with role START, or remove the step");
  }
  for (const auto node : graph.all_events())
    if (!alive.contains(node) && graph.before(node).empty() && graph.next(node).empty())
      context.add("QDR111", Severity::error, graph.location(node),
                  graph.event(node).name + " is neither emitted nor consumed", "use it or remove it");
}

}  // namespace

void check_flow(const Context& context) {
  no_end_reachable(context);
  unreachable_from_any_start(context);
}

}  // namespace quadrille::checker
