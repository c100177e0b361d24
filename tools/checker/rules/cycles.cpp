#include "checker/components.hpp"
#include "checker/rules.hpp"

#include <algorithm>
#include <set>

namespace quadrille::checker {
namespace {

using Component = std::vector<Graph::Node>;

/// Steps of a component that raise a counter which nothing in it sets back: a run through them for ever would pass
/// their bound.
std::set<Graph::Node> bounded_steps(const Graph& graph, const Component& component) {
  std::set<std::string> reset;
  for (const auto node : component)
    if (graph.is_step(node) && graph.step(node).bound)
      reset.insert(graph.step(node).bound->resets.begin(), graph.step(node).bound->resets.end());
  std::set<Graph::Node> bounded;
  for (const auto node : component)
    if (graph.is_step(node) && graph.step(node).bound && graph.step(node).bound->max > 0 &&
        !reset.contains(graph.step(node).bound->loop))
      bounded.insert(node);
  return bounded;
}

/// Streett emptiness by recursive elimination: what is left are the components in which a saga can run for ever.
void collect_unbounded(const Graph& graph, const std::set<Graph::Node>& within, std::vector<Component>& unbounded) {
  for (const auto& component : cyclic_components(graph, [&](Graph::Node node) { return within.contains(node); })) {
    const auto bounded = bounded_steps(graph, component);
    if (bounded.empty()) {
      unbounded.push_back(component);
      continue;
    }
    std::set<Graph::Node> rest(component.begin(), component.end());
    for (const auto node : bounded) rest.erase(node);
    collect_unbounded(graph, rest, unbounded);
  }
}

std::vector<std::string> witness_of(const Graph& graph, const Component& component) {
  const std::set<Graph::Node> inside(component.begin(), component.end());
  const auto step = std::ranges::find_if(component, [&](Graph::Node node) { return graph.is_step(node); });
  return graph.labels(shortest_cycle(graph, *step, [&](Graph::Node node) { return inside.contains(node); }));
}

/// QDR140, and QDR141 where every way round waits for the clock.
void unbounded_cycle(const Context& context) {
  const auto& graph = context.graph;
  std::set<Graph::Node> everything;
  for (Graph::Node node = 0; node < graph.size(); ++node) everything.insert(node);
  std::vector<Component> unbounded;
  collect_unbounded(graph, everything, unbounded);
  for (const auto& component : unbounded) {
    std::set<Graph::Node> without_timers;
    for (const auto node : component)
      if (!graph.is_step(node) || graph.step(node).start != contract::Start::timer) without_timers.insert(node);
    const bool paced =
        cyclic_components(graph, [&](Graph::Node node) { return without_timers.contains(node); }).empty();
    const auto steps = std::ranges::count_if(component, [&](Graph::Node node) { return graph.is_step(node); });
    auto witness = witness_of(graph, component);
    context.add(paced ? "QDR141" : "QDR140", paced ? Severity::warning : Severity::error,
                graph.location(*std::ranges::find_if(component, [&](Graph::Node node) { return graph.is_step(node); })),
                (paced ? "a cycle that never ends, paced by the clock, of "
                       : "a cycle without a bound, a saga can go round it for ever, of ") +
                    std::to_string(steps) + " steps",
                "declare bound: { loop, max, exit } on a step of it that every way round passes and that nothing in it "
                "sets back",
                std::move(witness));
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
  for (const auto& component : cyclic_components(graph, undoing))
    context.add("QDR143", Severity::error, graph.location(component.front()),
                "compensations trigger each other in a circle",
                "let each compensation be triggered by what failed, or by the compensation after it, in one direction",
                witness_of(graph, component));
}

/// QDR144
void bound_that_bounds_nothing(const Context& context) {
  const auto& graph = context.graph;
  const auto components = cyclic_components(graph, [](Graph::Node) { return true; });
  for (const auto node : graph.all_steps()) {
    const auto& step = graph.step(node);
    if (!step.bound) continue;
    const auto component = std::ranges::find_if(
        components, [&](const Component& nodes) { return std::ranges::binary_search(nodes, node); });
    if (component == components.end()) {
      context.add("QDR144", Severity::error, step.location, graph.label(node) + " declares a bound but is on no cycle",
                  "remove the bound");
      continue;
    }
    for (const auto& group : step.outcomes)
      for (std::size_t i = 0; i < group.fields.size(); ++i)
        if (group.fields[i] == step.bound->exit &&
            std::ranges::binary_search(*component, graph.event_node(group.events[i])))
          context.add(
              "QDR144", Severity::error, step.location,
              "the exit '" + step.bound->exit + "' of " + graph.label(node) + "'s bound leads back into the cycle",
              "name a field of its outcome whose event leaves the cycle");
  }
}

}  // namespace

void check_cycles(const Context& context) {
  unbounded_cycle(context);
  cycle_of_compensations(context);
  bound_that_bounds_nothing(context);
}

}  // namespace quadrille::checker
