#include "checker/rules.hpp"
#include "core/time_text.hpp"

#include <algorithm>

namespace quadrille::checker {
namespace {

/// QDR116
void no_deadline(const Context& context, const SagaFlow& saga) {
  if (saga.saga().declared != nullptr && saga.saga().declared->deadline.count() > 0) return;
  context.add("QDR116", Severity::warning, {saga.saga().starts.front()},
              "saga " + saga.saga().name + " has no deadline: one that hangs is never called STUCK",
              "add option (quadrille.v1.saga) = { name: \"" + saga.saga().name +
                  "\", deadline: { seconds: ... } } to the steps file where it begins",
              {}, saga.saga().name);
}

struct Timer {
  Graph::Node node;
  Graph::Node armed_by;
  std::chrono::milliseconds after;
};

std::vector<Timer> timers_of(const SagaFlow& saga) {
  std::vector<Timer> timers;
  for (const auto node : saga.steps()) {
    const auto& step = saga.graph().step(node);
    if (step.timeout)
      timers.push_back({node, saga.graph().step_of(step.service, step.timeout->armed_by), step.timeout->after});
  }
  return timers;
}

/// QDR162: limits that contradict each other.
void limits_that_contradict(const Context& context, const SagaFlow& saga) {
  const auto& graph = context.graph;
  const auto timers = timers_of(saga);
  const auto pivots = saga.steps_of(v1::PIVOT);
  const auto past_pivot = [&](Graph::Node node) {
    return std::ranges::any_of(pivots, [&](Graph::Node pivot) { return saga.reaches(pivot, node); });
  };
  const auto told = [&](const Context::Nodes& about, std::string message, std::string hint) {
    context.add("QDR162", Severity::warning, about, std::move(message), std::move(hint), {}, saga.saga().name);
  };
  for (const auto& timer : timers) {
    const auto* declared = saga.saga().declared;
    if (declared != nullptr && declared->deadline.count() > 0 && timer.after > declared->deadline)
      told({timer.node},
           graph.label(timer.node) + " fires after " + duration_text(timer.after) + ", later than saga " +
               saga.saga().name + "'s deadline of " + duration_text(declared->deadline),
           "shorten the time-out, or lengthen the deadline");
    for (const auto& inner : timers) {
      // A limit on a hold has to outlast the decision; any other has to end before the limit around it.
      if (inner.node == timer.node || inner.armed_by == timer.armed_by || saga.outside(inner.armed_by) ||
          saga.outside(timer.armed_by) || !saga.reaches(timer.armed_by, inner.armed_by) ||
          (past_pivot(inner.armed_by) && !past_pivot(timer.armed_by)))
        continue;
      const bool of_a_hold = !graph.step(inner.armed_by).holds.empty();
      if (!of_a_hold && inner.after > timer.after)
        told({timer.node, inner.node},
             graph.label(timer.node) + " gives up after " + duration_text(timer.after) + " while " +
                 graph.label(inner.node) + ", armed later, still waits " + duration_text(inner.after),
             "let the outer limit be longer than the sum of those within it");
      if (of_a_hold && inner.after < timer.after)
        told({inner.node, timer.node},
             "the hold of " + graph.label(inner.armed_by) + " lapses after " + duration_text(inner.after) +
                 ", before " + graph.label(timer.node) + " has asked for a decision (" + duration_text(timer.after) +
                 ")",
             "let the hold outlast the decision");
    }
    for (const auto& participant : graph.model().participants)
      for (const auto& consumer : participant.consumers) {
        const auto patience = consumer.ack_wait * consumer.max_deliver;
        if (patience <= timer.after) continue;
        const auto slow = std::ranges::find_if(saga.steps(), [&](Graph::Node node) {
          return graph.step(node).participant == participant.name && saga.reaches(timer.armed_by, node);
        });
        if (slow == saga.steps().end()) continue;
        told({timer.node, *slow},
             graph.label(timer.node) + " gives up after " + duration_text(timer.after) + " while consumer " +
                 consumer.name + " of " + participant.name + " may still redeliver for " + duration_text(patience),
             "let the time-out be longer than ack_wait times max_deliver");
      }
  }
}

/// QDR163: the clock has ended the saga; then a step on another branch does its work, and nobody undoes it.
/// (Where a declared failure lies on the way, QDR122 judges it; beside a pivot, QDR161.)
void late_success(const Context& context, const SagaFlow& saga) {
  const auto& graph = context.graph;
  for (const auto& timer : timers_of(saga)) {
    const auto way = graph.path(
        {timer.node},
        [&](Graph::Node node) { return std::ranges::find(saga.saga().undone, node) != saga.saga().undone.end(); },
        [&](Graph::Node node) { return saga.outside(node) || (!graph.is_step(node) && graph.event(node).failure); });
    if (way.empty()) continue;
    for (const auto step : saga.steps_of(v1::COMPENSATABLE)) {
      const auto undo = compensation_of(graph, graph.step(step));
      if (undo < 0 || step == timer.armed_by || !saga.beside(step, timer.node) || saga.reaches(timer.node, undo))
        continue;
      context.add("QDR163", Severity::warning, {timer.node, step},
                  graph.label(step) + " may succeed after " + graph.label(timer.node) +
                      " has ended the saga, and nothing undoes it then",
                  "let the time-out lead to " + graph.label(undo) + " before the saga ends", graph.stations(way),
                  saga.saga().name);
    }
  }
}

}  // namespace

void check_timing(const Context& context) {
  for (const auto& saga : context.sagas) {
    no_deadline(context, saga);
    limits_that_contradict(context, saga);
    late_success(context, saga);
  }
}

}  // namespace quadrille::checker
