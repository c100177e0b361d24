#include "checker/rules.hpp"

#include <algorithm>
#include <iterator>
#include <set>

namespace quadrille::checker {
namespace {

/// QDR101
void consumed_but_never_emitted(const Context& context) {
  const auto& graph = context.graph;
  for (const auto node : graph.all_events()) {
    if (!graph.before(node).empty() || graph.next(node).empty()) continue;
    const auto consumer = graph.next(node).front();
    context.add(
        "QDR101", Severity::error, {consumer, node},
        graph.label(consumer) + " waits for " + graph.event(node).name + ", which no step emits",
        "add it to the outcome of the step of " + graph.event(node).context + " that says so, or remove the trigger");
  }
}

/// QDR102
void emitted_but_never_consumed(const Context& context) {
  const auto& graph = context.graph;
  for (const auto node : graph.all_events()) {
    const auto& event = graph.event(node);
    if (graph.before(node).empty() || !graph.next(node).empty() || ends_a_saga(event)) continue;
    if (!event.command_to.empty()) continue;  // QDR139
    context.add("QDR102", event.is_public ? Severity::note : Severity::error, {node},
                event.name + " is emitted but nobody consumes it and it ends no saga",
                event.is_public ? "it is PUBLIC, so that is allowed"
                                : "give it a consumer or an END role, say audience: PUBLIC, or stop emitting it");
  }
}

/// QDR103
void emitted_by_two_participants(const Context& context) {
  const auto& graph = context.graph;
  for (const auto node : graph.all_events()) {
    std::set<std::string> emitters;
    for (const auto step : graph.before(node)) emitters.insert(graph.step(step).participant);
    if (emitters.size() < 2) continue;
    context.add("QDR103", Severity::error, {node},
                graph.event(node).name + " is emitted by " + *emitters.begin() + " and by " +
                    *std::next(emitters.begin()) + ": a fact has one owner",
                "give each participant an event of its own");
  }
}

/// QDR109: a fact that nobody else hears need not be a message.
void heard_by_its_own_emitter_only(const Context& context) {
  const auto& graph = context.graph;
  if (graph.model().participants.size() < 2) return;  // one service's contract by itself, or a minimal example
  for (const auto node : graph.all_events()) {
    if (graph.before(node).empty() || graph.next(node).empty() || graph.event(node).is_public ||
        !graph.event(node).roles.empty())
      continue;
    const auto& owner = graph.step(graph.before(node).front()).participant;
    if (!std::ranges::all_of(graph.next(node), [&](Graph::Node step) { return graph.step(step).participant == owner; }))
      continue;
    context.add(
        "QDR109", Severity::warning, {node, graph.next(node).front()},
        graph.event(node).name + " is heard by nobody but its own emitter, " + owner,
        "do what " + graph.label(graph.next(node).front()) + " does in the step that emits it, in one transaction");
  }
}

/// QDR176
void deprecated_but_consumed(const Context& context) {
  const auto& graph = context.graph;
  for (const auto node : graph.all_events()) {
    if (!graph.event(node).deprecated) continue;
    for (const auto consumer : graph.next(node))
      context.add("QDR176", Severity::warning, {consumer, node},
                  graph.label(consumer) + " still consumes the deprecated event " + graph.event(node).name,
                  "let it consume the event that replaces it before the old one is no longer emitted");
  }
}

}  // namespace

void check_wiring(const Context& context) {
  consumed_but_never_emitted(context);
  emitted_but_never_consumed(context);
  emitted_by_two_participants(context);
  heard_by_its_own_emitter_only(context);
  deprecated_but_consumed(context);
}

}  // namespace quadrille::checker
