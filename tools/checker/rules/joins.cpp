#include "checker/rules.hpp"

#include <algorithm>

namespace quadrille::checker {
namespace {

/// Another step decides the same question in the same aggregate: the first of them wins, whatever comes again.
bool settled_by_a_pivot(const SagaFlow& saga, Graph::Node step) {
  return std::ranges::any_of(saga.steps_of(v1::PIVOT),
                             [&](Graph::Node pivot) { return pivot != step && saga.settled_by(pivot, step); });
}

/// Triggers of a step that take part in a saga.
std::vector<Graph::Node> triggers_in(const SagaFlow& saga, const contract::Step& step) {
  std::vector<Graph::Node> nodes;
  for (const auto& trigger : step.triggers)
    if (const auto node = saga.graph().event_node(trigger); !saga.outside(node)) nodes.push_back(node);
  return nodes;
}

/// QDR113 and QDR115: what waits for all of them.
void join_of_all(const Context& context, const SagaFlow& saga, Graph::Node node) {
  const auto& graph = context.graph;
  const auto triggers = triggers_in(saga, graph.step(node));
  for (std::size_t i = 0; i < triggers.size(); ++i)
    for (std::size_t k = i + 1; k < triggers.size(); ++k) {
      const auto& one = graph.event(triggers[i]);
      const auto& other = graph.event(triggers[k]);
      if (!saga.together(triggers[i], triggers[k]))
        context.add("QDR113", Severity::error, {node, triggers[i], triggers[k]},
                    graph.label(node) + " waits for " + one.short_name + " and " + other.short_name +
                        ", of which only one can come",
                    "join them with ANY, or let both branches run", {}, saga.saga().name);
      if (one.key_field != other.key_field && !one.key_field.empty() && !other.key_field.empty())
        context.add("QDR115", Severity::error, {node, triggers[i], triggers[k]},
                    graph.label(node) + " joins " + one.short_name + " by " + one.key_field + " with " +
                        other.short_name + " by " + other.key_field + ": nothing says that they belong together",
                    "join events of one key", {}, saga.saga().name);
    }
  const bool timed = std::ranges::any_of(saga.steps(), [&](Graph::Node other) {
    return graph.step(other).start == contract::Start::timer && graph.step(other).service == graph.step(node).service;
  });
  const bool has_deadline = saga.saga().declared != nullptr && saga.saga().declared->deadline.count() > 0;
  if (!timed && !has_deadline)
    context.add("QDR115", Severity::error, {node},
                graph.label(node) + " waits for all its events without a limit: half a join waits for ever",
                "arm a timer in an earlier step of the same participant, or give the saga a deadline", {},
                saga.saga().name);
}

/// QDR114: what was meant to run once runs twice.
void fires_twice(const Context& context, const SagaFlow& saga, Graph::Node node) {
  const auto& graph = context.graph;
  const auto& step = graph.step(node);
  if (step.kind == v1::OBSERVER || step.null_safe || settled_by_a_pivot(saga, node)) return;
  const auto tell = [&](Graph::Node one, Graph::Node other, const std::string& how) {
    context.add("QDR114", Severity::warning, {node, one, other}, graph.label(node) + " may run twice: " + how,
                "join the branches with ALL, let only one of them trigger it, or name the rivals in settles", {},
                saga.saga().name);
  };
  const auto triggers = triggers_in(saga, step);
  for (std::size_t i = 0; i < triggers.size(); ++i)
    for (std::size_t k = i + 1; k < triggers.size(); ++k)
      if (saga.beside(triggers[i], triggers[k]))
        tell(triggers[i], triggers[k],
             graph.event(triggers[i]).short_name + " and " + graph.event(triggers[k]).short_name +
                 " come on parallel branches");
  for (const auto trigger : triggers) {
    const auto& emitters = graph.before(trigger);
    for (std::size_t i = 0; i < emitters.size(); ++i)
      for (std::size_t k = i + 1; k < emitters.size(); ++k)
        if (graph.step(emitters[i]).participant == graph.step(emitters[k]).participant &&  // else QDR103's
            saga.beside(emitters[i], emitters[k]) && !saga.settle_each_other(emitters[i], emitters[k]))
          tell(emitters[i], emitters[k],
               graph.event(trigger).short_name + " is said by " + graph.label(emitters[i]) + " and by " +
                   graph.label(emitters[k]) + " on parallel branches");
  }
}

}  // namespace

void check_joins(const Context& context) {
  for (const auto& saga : context.sagas)
    for (const auto node : saga.steps()) {
      if (context.graph.step(node).start == contract::Start::all_of)
        join_of_all(context, saga, node);
      else
        fires_twice(context, saga, node);
    }
}

}  // namespace quadrille::checker
