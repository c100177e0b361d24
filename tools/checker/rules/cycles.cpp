#include "checker/components.hpp"
#include "checker/rules.hpp"

#include <algorithm>
#include <iterator>
#include <set>

namespace quadrille::checker {
namespace {

using Component = std::vector<Graph::Node>;

/// Steps of a component that raise a counter which nothing in it sets back: a run through them for ever would pass
/// their bound.
std::vector<Graph::Node> bounded_steps(const Graph& graph, const Component& component) {
  std::set<std::string> reset;
  for (const auto node : component)
    if (graph.is_step(node) && graph.step(node).bound)
      reset.insert(graph.step(node).bound->resets.begin(), graph.step(node).bound->resets.end());
  std::vector<Graph::Node> bounded;
  for (const auto node : component)
    if (graph.is_step(node) && graph.step(node).bound && graph.step(node).bound->max > 0 &&
        !reset.contains(graph.step(node).bound->loop))
      bounded.push_back(node);
  return bounded;
}

/// Streett emptiness by recursive elimination: what is left are the components in which a saga can run for ever.
void collect_unbounded(const Graph& graph, std::vector<Component> components, std::vector<Component>& unbounded) {
  while (!components.empty()) {
    const auto component = std::move(components.back());
    components.pop_back();
    const auto bounded = bounded_steps(graph, component);
    if (bounded.empty()) {
      unbounded.push_back(component);
      continue;
    }
    std::vector<Graph::Node> rest;
    std::ranges::set_difference(component, bounded, std::back_inserter(rest));
    for (auto& smaller : cyclic_components(graph, NodeSet(std::move(rest)))) components.push_back(std::move(smaller));
  }
}

std::vector<Station> witness_of(const Graph& graph, const Component& component) {
  const auto step = std::ranges::find_if(component, [&](Graph::Node node) { return graph.is_step(node); });
  return graph.stations(shortest_cycle(graph, *step, NodeSet(component)));
}

/// QDR140, and QDR141 where every way round waits for the clock.
void unbounded_cycle(const Context& context) {
  const auto& graph = context.graph;
  std::vector<Component> unbounded;
  collect_unbounded(graph, cyclic_components(graph), unbounded);
  for (const auto& component : unbounded) {
    std::vector<Graph::Node> steps;
    std::vector<Graph::Node> without_timers;
    for (const auto node : component) {
      if (graph.is_step(node)) steps.push_back(node);
      if (!graph.is_step(node) || graph.step(node).start != contract::Start::timer) without_timers.push_back(node);
    }
    const bool paced = cyclic_components(graph, NodeSet(std::move(without_timers))).empty();
    const bool meant = std::ranges::any_of(steps, [&](Graph::Node node) { return graph.step(node).perpetual; });
    if (paced && meant) continue;
    context.add(paced ? "QDR141" : "QDR140", paced ? Severity::warning : Severity::error, steps,
                (paced ? "a cycle that never ends, paced by the clock, of "
                       : "a cycle without a bound, a saga can go round it for ever, of ") +
                    std::to_string(steps.size()) + " steps",
                paced ? "bound it, or say perpetual: true on one of its steps if it is meant to go on for ever"
                      : "declare bound: { loop, max, exit } on a step of it that every way round passes and that "
                        "nothing in it sets back",
                witness_of(graph, component));
  }
}

/// QDR142: services that talk to each other in a circle. Harmless; a measure of coupling.
void conversation(const Context& context) {
  const auto& graph = context.graph;
  for (const auto& circle : service_circles(graph)) {
    std::string names;
    for (const auto& name : circle) names += (names.empty() ? "" : ", ") + name;
    context.findings.push_back({"QDR142",
                                Severity::note,
                                graph.model().find_participant(circle.front())->location,
                                std::to_string(circle.size()) + " participants hear each other in a circle: " + names,
                                "no fault by itself; they are released and understood together",
                                {},
                                circle,
                                ""});
  }
}

/// QDR143
void cycle_of_compensations(const Context& context) {
  const auto& graph = context.graph;
  const auto undoing = [&](Graph::Node node) {
    if (graph.is_step(node)) return graph.step(node).kind == v1::COMPENSATION;
    return std::ranges::any_of(graph.before(node),
                               [&](Graph::Node step) { return graph.step(step).kind == v1::COMPENSATION; });
  };
  std::vector<Graph::Node> undo;
  for (Graph::Node node = 0; node < graph.size(); ++node)
    if (undoing(node)) undo.push_back(node);
  for (const auto& component : cyclic_components(graph, NodeSet(std::move(undo))))
    context.add("QDR143", Severity::error, component, "compensations trigger each other in a circle",
                "let each compensation be triggered by what failed, or by the compensation after it, in one direction",
                witness_of(graph, component));
}

/// A way leads back to `node` on which every other bounded step has used up its rounds, too: it is left by its exit.
bool comes_back(const Graph& graph, Graph::Node from, Graph::Node node) {
  std::set<Graph::Node> seen{from};
  std::vector<Graph::Node> open{from};
  while (!open.empty()) {
    const auto at = open.back();
    open.pop_back();
    if (at == node) return true;
    const auto go = [&](Graph::Node next) {
      if (seen.insert(next).second) open.push_back(next);
    };
    const bool bounded = graph.is_step(at) && graph.step(at).bound && graph.step(at).bound->max > 0;
    if (!bounded) {
      std::ranges::for_each(graph.next(at), go);
      continue;
    }
    for (const auto& group : graph.step(at).outcomes)
      for (std::size_t i = 0; i < group.fields.size(); ++i)
        if (group.fields[i] == graph.step(at).bound->exit) go(graph.event_node(group.events[i]));
  }
  return false;
}

/// QDR144
void bound_that_bounds_nothing(const Context& context) {
  const auto& graph = context.graph;
  const auto components = cyclic_components(graph);
  for (const auto node : graph.all_steps()) {
    const auto& step = graph.step(node);
    if (!step.bound) continue;
    const auto component = std::ranges::find_if(
        components, [&](const Component& nodes) { return std::ranges::binary_search(nodes, node); });
    if (component == components.end()) {
      context.add("QDR144", Severity::error, {node}, graph.label(node) + " declares a bound but is on no cycle",
                  "remove the bound");
      continue;
    }
    for (const auto& group : step.outcomes) {
      const auto back = [&](const std::string& event) { return comes_back(graph, graph.event_node(event), node); };
      const bool with_exit = std::ranges::find(group.fields, step.bound->exit) != group.fields.end();
      if (!step.bound->exit.empty() && !with_exit && !group.may_be_nothing && !group.events.empty() &&
          std::ranges::all_of(group.events, back))
        context.add("QDR144", Severity::error, {node, graph.event_node(group.events.front())},
                    graph.label(node) + " says " + graph.event(graph.event_node(group.events.front())).short_name +
                        ", which leads round the cycle, also when it leaves by '" + step.bound->exit + "'",
                    "put the event that goes round and the exit into one oneof");
      for (std::size_t i = 0; i < group.fields.size(); ++i)
        if (group.fields[i] == step.bound->exit && back(group.events[i]))
          context.add(
              "QDR144", Severity::error, {node, graph.event_node(group.events[i])},
              "the exit '" + step.bound->exit + "' of " + graph.label(node) + "'s bound leads back into the cycle",
              "name a field of its outcome whose event leaves the cycle");
    }
  }
}

}  // namespace

void check_cycles(const Context& context) {
  unbounded_cycle(context);
  conversation(context);
  cycle_of_compensations(context);
  bound_that_bounds_nothing(context);
}

}  // namespace quadrille::checker
