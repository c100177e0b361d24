#include "checker/rules.hpp"

#include <algorithm>
#include <set>

namespace quadrille::checker {
namespace {

void events(const Context& context) {
  const auto& graph = context.graph;
  std::set<std::string> lite_files;  // each is told once
  for (const auto node : graph.all_events()) {
    const auto& event = graph.event(node);
    if (event.key_field.empty())
      context.add("QDR170", Severity::error, {node}, event.name + " has no key",
                  "mark the string field that names its aggregate with [(quadrille.v1.field).key = true]");
    for (const auto& field : event.personal_fields)
      context.findings.push_back(
          {"QDR172",
           event.is_public ? Severity::error : Severity::warning,
           event.location,
           event.short_name + "." + field + " carries direct personal data in a log that is never rewritten",
           "record a reference to where the data can be erased",
           {},
           {event.name + "." + field},
           ""});
    if (event.lite && lite_files.insert(event.location.file).second)
      context.add("QDR177", Severity::error, {node},
                  "the file of " + event.name + " has optimize_for = LITE_RUNTIME, which leaves out descriptors",
                  "remove the option: fingerprints, replay and the console read events by their descriptors");
  }
}

/// QDR171: within one saga the key is the thread; a step may not change it unless it begins something else.
void key_that_changes(const Context& context) {
  const auto& graph = context.graph;
  for (const auto& saga : context.sagas)
    for (const auto node : saga.steps()) {
      const auto& step = graph.step(node);
      if (step.triggers.empty() || step.new_instance) continue;
      for (const auto said : graph.next(node)) {
        if (graph.is_step(said)) continue;
        const auto& key = graph.event(said).key_field;
        if (saga.outside(said) || key.empty() || has_role(graph.event(said), v1::SagaRole::START)) continue;
        const auto other = std::ranges::find_if(step.triggers, [&](const std::string& trigger) {
          const auto& event = graph.model().events.at(trigger);
          return !saga.outside(graph.event_node(trigger)) && !event.key_field.empty() && event.key_field != key;
        });
        if (other == step.triggers.end()) continue;
        const auto& heard = graph.model().events.at(*other);
        context.add(
            "QDR171", Severity::error, {node, said},
            graph.label(node) + " hears " + heard.short_name + " by " + heard.key_field + " and says " +
                graph.event(said).short_name + " by " + key + ": the saga's key changes on the way",
            "use one key through the saga, or say new_instance: true on the step if it begins another aggregate", {},
            saga.saga().name);
      }
    }
}

/// Fields its participant knows once a step has run: those it heard and those it said.
bool tells(const Graph& graph, Graph::Node node, const std::string& field) {
  const auto& step = graph.step(node);
  const auto has = [&](const std::string& event) {
    return graph.model().events.at(event).find_field(field) != nullptr;
  };
  if (std::ranges::find(step.input_fields, field) != step.input_fields.end()) return true;
  if (step.start == contract::Start::all_of) return std::ranges::any_of(step.triggers, has);
  return !step.triggers.empty() && std::ranges::all_of(step.triggers, has);
}

bool says(const Graph& graph, Graph::Node node, const std::string& field) {
  return std::ranges::any_of(graph.step(node).emits(), [&](const std::string& event) {
    return graph.model().events.at(event).find_field(field) != nullptr;
  });
}

/// QDR150: a way to the step on which its participant has neither heard nor said a field the step needs.
void need_that_is_not_met(const Context& context) {
  const auto& graph = context.graph;
  for (const auto& saga : context.sagas)
    for (const auto node : saga.steps())
      for (const auto& field : graph.step(node).needs) {
        if (tells(graph, node, field)) continue;
        const auto& participant = graph.step(node).participant;
        const auto informed = [&](Graph::Node other) {
          return other != node && graph.is_step(other) && graph.step(other).participant == participant &&
                 (tells(graph, other, field) || says(graph, other, field));
        };
        std::vector<Graph::Node> roots;
        for (const auto root : saga.saga().roots)
          if (graph.is_step(root) && !informed(root)) roots.push_back(root);
        // A saga that an END of another begins goes on with what its participants learned there.
        const bool learned_before = std::ranges::any_of(context.sagas, [&](const SagaFlow& earlier) {
          return earlier.saga().name != saga.saga().name &&
                 std::ranges::any_of(saga.saga().starts,
                                     [&](Graph::Node start) { return earlier.saga().is_end(start); }) &&
                 std::ranges::any_of(earlier.steps(), informed);
        });
        if (learned_before) continue;
        const auto way = saga.way_without(roots, node, informed);
        if (way.empty()) continue;
        context.findings.push_back(
            {"QDR150",
             Severity::error,
             graph.location(node),
             graph.label(node) + " needs " + field + ", which " + participant + " has not heard on every way there",
             "let its trigger carry " + field + ", or let an earlier step of " + participant +
                 " on this way hear or say it",
             graph.stations(way),
             {graph.full_name(node), field},
             saga.saga().name});
      }
}

}  // namespace

void check_data(const Context& context) {
  events(context);
  key_that_changes(context);
  need_that_is_not_met(context);
}

}  // namespace quadrille::checker
