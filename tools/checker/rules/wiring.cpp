#include "checker/rules.hpp"

#include <map>
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
        "QDR101", Severity::error, graph.location(consumer),
        graph.label(consumer) + " waits for " + graph.event(node).name + ", which no step emits",
        "add it to the outcome of the step of " + graph.event(node).context + " that says so, or remove the trigger");
  }
}

/// QDR102
void emitted_but_never_consumed(const Context& context) {
  const auto& graph = context.graph;
  for (const auto node : graph.all_events()) {
    const auto& event = graph.event(node);
    const bool ends = has_role(event, v1::SagaRole::END_DONE) || has_role(event, v1::SagaRole::END_UNDONE) ||
                      has_role(event, v1::SagaRole::END_STUCK);
    if (graph.before(node).empty() || !graph.next(node).empty() || ends) continue;
    context.add("QDR102", event.is_public ? Severity::note : Severity::error, event.location,
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
    context.add("QDR103", Severity::error, graph.location(node),
                graph.event(node).name + " is emitted by " + *emitters.begin() + " and by " +
                    *std::next(emitters.begin()) + ": a fact has one owner",
                "give each participant an event of its own");
  }
}

}  // namespace

void check_wiring(const Context& context) {
  consumed_but_never_emitted(context);
  emitted_but_never_consumed(context);
  emitted_by_two_participants(context);
}

}  // namespace quadrille::checker
