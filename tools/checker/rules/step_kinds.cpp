#include "checker/rules.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace quadrille::checker {
namespace {

/// Words for what somebody has to take back when the saga is cancelled.
bool sounds_like_a_change(const std::string& event) {
  static constexpr std::array<std::string_view, 18> endings{
      "Reserved", "Charged", "Authorized", "Captured", "Booked",     "Debited",
      "Credited", "Shipped", "Allocated",  "Blocked",  "Deducted",   "Withdrawn",
      "Paid",     "Granted", "Purchased",  "Locked",   "Dispatched", "Transferred"};
  return std::ranges::any_of(endings, [&](std::string_view ending) { return event.ends_with(ending); });
}

/// QDR129: a step that is said to leave nothing, and leaves something.
void query_that_changes(const Context& context) {
  const auto& graph = context.graph;
  for (const auto& saga : context.sagas) {
    const auto pivots = saga.steps_of(v1::PIVOT);
    for (const auto node : saga.steps()) {
      const auto& step = graph.step(node);
      if (step.kind != v1::QUERY && step.kind != v1::OBSERVER) continue;
      std::string why;
      if (!step.holds.empty())
        why = "takes the hold " + step.holds.front();
      else if (step.write != v1::WRITE_UNSPECIFIED)
        why = "declares how it writes";
      else if (step.start != contract::Start::timer &&
               std::ranges::any_of(pivots, [&](Graph::Node pivot) { return saga.reaches(node, pivot); }))
        for (const auto& emitted : step.emits())
          if (const auto& event = graph.model().events.at(emitted);
              !event.failure && sounds_like_a_change(event.short_name))
            why = "says " + event.short_name + " before the pivot";
      if (why.empty()) continue;
      context.add(
          "QDR129", Severity::warning, {node},
          graph.label(node) + " is " + v1::StepKind_Name(step.kind) + ", which leaves nothing to undo, but " + why,
          "make it COMPENSATABLE with a compensation, or rename the event if nothing was changed", {},
          saga.saga().name);
    }
  }
}

/// QDR134: a call to the outside that is repeated until it succeeds, with nothing that tells it is the same call.
void outside_call_without_a_key(const Context& context) {
  const auto& graph = context.graph;
  for (const auto node : graph.all_steps()) {
    const auto& step = graph.step(node);
    const auto* participant = graph.model().find_participant(step.participant);
    if (!participant->external || step.kind != v1::RETRIABLE || !step.idempotency_key.empty()) continue;
    context.add(
        "QDR134", Severity::warning, {node},
        graph.label(node) + " belongs to an external participant and is repeated, but names no idempotency_key",
        "name the field that the other side recognises a repetition by, such as idempotency_key: \"{order_id}\"");
  }
}

}  // namespace

void check_step_kinds(const Context& context) {
  query_that_changes(context);
  outside_call_without_a_key(context);
}

}  // namespace quadrille::checker
