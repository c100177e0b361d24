#include "checker/rules.hpp"

#include <algorithm>
#include <set>

namespace quadrille::checker {
namespace {

/// It undoes something, or says that everything has been undone.
bool undoes(const Graph& graph, Graph::Node node) {
  return graph.is_step(node) ? graph.step(node).kind == v1::COMPENSATION
                             : has_role(graph.event(node), v1::SagaRole::END_UNDONE);
}

/// Steps that end the saga as cancelled of their own accord: no failure and no clock has asked them to.
std::vector<Graph::Node> cancel_by_themselves(const SagaFlow& saga) {
  const auto& graph = saga.graph();
  std::vector<Graph::Node> asking;
  for (const auto event : saga.events())
    if (graph.event(event).failure) asking.push_back(event);
  for (const auto step : saga.steps())
    if (graph.step(step).start == contract::Start::timer) asking.push_back(step);
  const auto asked = graph.reach(asking);
  std::vector<Graph::Node> steps;
  for (const auto end : saga.saga().undone)
    for (const auto step : graph.before(end))
      if (has_role(graph.event(end), v1::SagaRole::END_UNDONE) && !saga.outside(step) && !asked.contains(step))
        steps.push_back(step);
  return steps;
}

/// QDR133
void failure_beside_the_pivot(const Context& context, const SagaFlow& saga, Graph::Node pivot) {
  const auto& graph = context.graph;
  const auto cancelling = cancel_by_themselves(saga);
  for (const auto node : saga.steps()) {
    if (saga.reaches(pivot, node) || saga.reaches(node, pivot) || saga.settled_by(pivot, node) ||
        saga.exclude_each_other(pivot, node))
      continue;
    const auto& step = graph.step(node);
    if (step.kind == v1::COMPENSATION || step.kind == v1::RETRIABLE || step.start == contract::Start::timer ||
        (!can_fail(graph, node) && std::ranges::find(cancelling, node) == cancelling.end()))
      continue;
    context.add("QDR133", Severity::error, {node, pivot},
                graph.label(node) + " can say no while pivot " + graph.label(pivot) + " goes ahead: both may win",
                "let the step come before the pivot, in one chain", {}, saga.saga().name);
  }
}

/// QDR133 again: a command that undoes a saga under way, whatever its pivot has decided by then.
void command_beside_the_pivot(const Context& context, const SagaFlow& saga, Graph::Node pivot) {
  const auto& graph = context.graph;
  for (const auto node : graph.all_steps()) {
    const auto& narrowed = graph.step(node).sagas;
    if (graph.step(node).start != contract::Start::command || !saga.outside(node) || saga.settled_by(pivot, node) ||
        (!narrowed.empty() && std::ranges::find(narrowed, saga.saga().name) == narrowed.end()))
      continue;
    const auto way = graph.path(
        graph.next(node),
        [&](Graph::Node other) {
          return undoes(graph, other) &&
                 (!saga.outside(other) || std::ranges::find(saga.saga().undone, other) != saga.saga().undone.end());
        },
        [&](Graph::Node other) {
          return (graph.is_step(other) && saga.outside(other)) || saga.settled_by(pivot, other);
        });
    if (way.empty()) continue;
    auto witness = graph.stations(way);
    witness.insert(witness.begin(), {graph.label(node) + " (command)", graph.location(node)});
    context.add("QDR133", Severity::error, {node, pivot},
                "command " + graph.label(node) + " leads to " + graph.label(way.back()) + " while pivot " +
                    graph.label(pivot) + " may go ahead: both may win",
                "let the command say a request, and add a step to " + graph.step(pivot).service +
                    " that takes it and is named in the pivot's settles",
                std::move(witness), saga.saga().name);
  }
}

/// The step that says the last word of a path to an END.
Graph::Node ender(const Graph& graph, const std::vector<Graph::Node>& way) {
  for (auto node = way.rbegin(); node != way.rend(); ++node)
    if (graph.is_step(*node)) return *node;
  return graph.before(way.front()).front();
}

/// Pairs of nodes that begin two branches of one split.
std::vector<std::pair<Graph::Node, Graph::Node>> branches_of(const SagaFlow& saga) {
  std::vector<std::pair<Graph::Node, Graph::Node>> pairs;
  for (const auto node : saga.saga().nodes) {
    if (saga.saga().is_end(node)) continue;
    const auto branches = simultaneous(saga.graph(), node);
    for (const auto& one : branches)
      for (const auto& other : branches)
        if (&one != &other)
          for (const auto a : one)
            for (const auto b : other)
              if (!saga.outside(a) && !saga.outside(b)) pairs.emplace_back(a, b);
  }
  return pairs;
}

/// QDR160 (two participants) and QDR164 (one): two branches that meet nowhere end the saga in two ways. Those that
/// begin before a pivot or beside it are judged by it.
void two_ways_to_end(const Context& context, const SagaFlow& saga) {
  const auto& graph = context.graph;
  std::set<std::string> told;
  const auto way_to = [&](Graph::Node from, Graph::Node beside, v1::SagaRole::Role role) {
    return graph.path(
        {from}, [&](Graph::Node node) { return !graph.is_step(node) && has_role(graph.event(node), role); },
        [&](Graph::Node node) { return saga.outside(node) || saga.reaches(beside, node); });
  };
  const auto pivots = saga.steps_of(v1::PIVOT);
  for (const auto& [forward, back] : branches_of(saga)) {
    if (!pivots.empty() && std::ranges::none_of(pivots, [&](Graph::Node pivot) {
          return saga.reaches(pivot, forward) && saga.reaches(pivot, back);
        }))
      continue;
    const auto done = way_to(forward, back, v1::SagaRole::END_DONE);
    const auto undone = way_to(back, forward, v1::SagaRole::END_UNDONE);
    if (done.empty() || undone.empty()) continue;
    const auto is_an_undo = [&](Graph::Node node) {  // past a pivot that is QDR127's, a failure QDR122's
      return graph.is_step(node) ? graph.step(node).kind == v1::COMPENSATION : graph.event(node).failure;
    };
    if (!pivots.empty() && std::ranges::any_of(undone, is_an_undo)) continue;
    const auto completes = ender(graph, done);
    const auto cancels = ender(graph, undone);
    if (saga.settle_each_other(completes, cancels)) continue;
    const bool alone = graph.step(completes).participant == graph.step(cancels).participant;
    const auto message = alone ? graph.label(completes) + " may end saga " + saga.saga().name + " with " +
                                     graph.label(done.back()) + " beside " + graph.label(cancels) +
                                     ", which ends it with " + graph.label(undone.back())
                               : graph.step(completes).participant + " may end saga " + saga.saga().name + " with " +
                                     graph.label(done.back()) + " while " + graph.step(cancels).participant +
                                     " ends it with " + graph.label(undone.back()) + ": nobody decides which";
    if (!told.insert(message).second) continue;
    context.add(alone ? "QDR164" : "QDR160", Severity::error, {back, done.back(), undone.back()}, message,
                alone ? "let the two exclude each other: one step with a oneof, or name one in the other's settles"
                      : "let one participant say go or no-go: give its step kind: PIVOT, let the other ask it, and "
                        "name the asked step in the pivot's settles",
                graph.stations(undone), saga.saga().name);
  }
}

/// QDR161: a time-out that undoes without asking who decides.
void timeout_beside_the_pivot(const Context& context, const SagaFlow& saga, Graph::Node pivot) {
  const auto& graph = context.graph;
  for (const auto timer : saga.steps()) {
    if (graph.step(timer).start != contract::Start::timer || saga.reaches(pivot, timer) ||
        saga.settled_by(pivot, timer) || saga.exclude_each_other(pivot, timer))
      continue;
    const auto way = graph.path(
        graph.next(timer), [&](Graph::Node node) { return undoes(graph, node); },
        [&](Graph::Node node) { return saga.outside(node) || saga.settled_by(pivot, node); });
    if (way.empty()) continue;
    auto witness = graph.stations(way);
    witness.insert(witness.begin(), {graph.label(timer) + " (timer)", graph.location(timer)});
    context.add("QDR161", Severity::error, {timer, pivot},
                "timeout " + graph.label(timer) + " leads to " + graph.label(way.back()) + " without asking " +
                    graph.step(pivot).participant + ", which decides " + graph.label(pivot) + ": both may win",
                "let the timeout emit a request, and add a step to " + graph.step(pivot).service +
                    " that takes it and is named in the pivot's settles",
                std::move(witness), saga.saga().name);
  }
}

/// Compensations are judged by QDR123 and QDR126.
bool writes(const contract::Step& step) {
  return step.kind == v1::COMPENSATABLE || step.kind == v1::PIVOT || step.kind == v1::RETRIABLE;
}

/// QDR165: no confluence.
void order_decides_the_state(const Context& context, const SagaFlow& saga) {
  const auto& graph = context.graph;
  const auto& steps = saga.steps();  // those of one participant stand together
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto& one = graph.step(steps[i]);
    if (!writes(one)) continue;
    for (std::size_t k = i + 1; k < steps.size() && graph.step(steps[k]).participant == one.participant; ++k) {
      const auto& other = graph.step(steps[k]);
      if (!writes(other) || !saga.beside(steps[i], steps[k]) || saga.reaches(steps[i], steps[k]) ||
          saga.reaches(steps[k], steps[i]) || saga.settle_each_other(steps[i], steps[k]) ||
          (one.write == v1::DELTA && other.write == v1::DELTA))
        continue;
      context.add("QDR165", Severity::warning, {steps[i], steps[k]},
                  graph.label(steps[i]) + " and " + graph.label(steps[k]) +
                      " change one aggregate in either order, and are not declared to commute",
                  "say write: DELTA on both if they add and take away, or name one in the other's settles if the first "
                  "one wins",
                  {}, saga.saga().name);
    }
  }
}

}  // namespace

void check_races(const Context& context) {
  for (const auto& saga : context.sagas) {
    const auto pivots = saga.steps_of(v1::PIVOT);
    two_ways_to_end(context, saga);
    for (const auto pivot : pivots) {
      failure_beside_the_pivot(context, saga, pivot);
      command_beside_the_pivot(context, saga, pivot);
      timeout_beside_the_pivot(context, saga, pivot);
    }
    order_decides_the_state(context, saga);
  }
}

}  // namespace quadrille::checker
