#include "report/report_model.hpp"

#include "checker/rule_book.hpp"
#include "core/time_text.hpp"
#include "graph/layout.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <map>

namespace quadrille::report {
namespace {

using checker::Graph;
using nlohmann::ordered_json;

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::string place(const contract::Location& location) {
  if (location.line == 0) return location.file;
  return location.file + ":" + std::to_string(location.line) + ":" + std::to_string(location.column);
}

/// Where nodes of the graph are in the page's lists.
struct Places {
  explicit Places(const Graph& graph) {
    for (const auto node : graph.all_steps()) of.emplace(node, static_cast<int>(of.size()));
    const auto steps = static_cast<int>(of.size());
    for (const auto node : graph.all_events()) of.emplace(node, static_cast<int>(of.size()) - steps);
  }
  [[nodiscard]] std::vector<int> among(const Graph& graph, const std::vector<Graph::Node>& nodes, bool steps) const {
    std::vector<int> result;
    for (const auto node : nodes)
      if (graph.is_step(node) == steps) result.push_back(of.at(node));
    return result;
  }
  std::map<Graph::Node, int> of;
};

ordered_json step_json(const Graph& graph, const Places& places, Graph::Node node) {
  const auto& step = graph.step(node);
  const auto indices = [&](const std::vector<std::string>& names) {
    auto list = ordered_json::array();
    for (const auto& name : names) list.push_back(places.of.at(graph.event_node(name)));
    return list;
  };
  static constexpr const char* starts[] = {"event", "all of", "any of", "timer", "command"};
  auto outcomes = ordered_json::array();
  for (const auto& group : step.outcomes)
    outcomes.push_back(
        {{"exclusive", group.exclusive}, {"nothing", group.may_be_nothing}, {"events", indices(group.events)}});
  ordered_json json{{"name", graph.label(node)},
                    {"participant", step.participant},
                    {"kind", lower(v1::StepKind_Name(step.kind))},
                    {"start", starts[static_cast<std::size_t>(step.start)]},
                    {"input", step.input},
                    {"triggers", indices(step.triggers)},
                    {"outcomes", outcomes},
                    {"arms", places.among(graph, graph.next(node), true)},
                    {"place", place(step.location)}};
  if (!step.compensated_by.empty()) json["compensated_by"] = step.compensated_by;
  if (step.timeout)
    json["timeout"] = {{"armed_by", step.timeout->armed_by}, {"after", duration_text(step.timeout->after)}};
  if (step.bound) json["bound"] = {{"loop", step.bound->loop}, {"max", step.bound->max}, {"exit", step.bound->exit}};
  if (step.null_safe) json["null_safe"] = true;
  for (const auto& [name, list] : {std::pair{"settles", &step.settles}, std::pair{"sagas", &step.sagas},
                                   std::pair{"holds", &step.holds}, std::pair{"releases", &step.releases}})
    if (!list->empty()) json[name] = *list;
  return json;
}

ordered_json event_json(const Graph& graph, const Places& places, Graph::Node node) {
  const auto& event = graph.event(node);
  auto roles = ordered_json::array();
  for (const auto& role : event.roles)
    roles.push_back({{"saga", role.saga()}, {"role", lower(v1::SagaRole::Role_Name(role.role()))}});
  auto fields = ordered_json::array();
  for (const auto& field : event.fields) fields.push_back(field.name);
  return {{"name", event.name},
          {"short", event.short_name},
          {"context", event.context},
          {"aggregate", event.aggregate},
          {"subject", event.subject_pattern()},
          {"key", event.key_field},
          {"failure", event.failure},
          {"public", event.is_public},
          {"deprecated", event.deprecated},
          {"roles", roles},
          {"fields", fields},
          {"personal", event.personal_fields},
          {"by", places.among(graph, graph.before(node), true)},
          {"to", places.among(graph, graph.next(node), true)},
          {"place", place(event.location)}};
}

ordered_json participants_json(const contract::Model& model) {
  auto list = ordered_json::array();
  for (const auto& participant : model.participants)
    list.push_back({{"name", participant.name},
                    {"owner", participant.owner},
                    {"description", participant.description},
                    {"external", participant.external},
                    {"service", participant.service},
                    {"place", place(participant.location)}});
  return list;
}

ordered_json node_json(const graph::Node& node, const graph::PlacedNode& placed) {
  const auto [x, y] = graph::middle_of_text(node.kind, placed.box);
  return {{"id", node.id},
          {"name", node.title},
          {"title", placed.title},
          {"subtitle", placed.subtitle},
          {"kind", graph::name_of(node.kind)},
          {"border", graph::border(node.kind, placed.box)},
          {"inner", graph::inner_lines(node.kind, placed.box)},
          {"x", graph::number(x)},
          {"y", graph::number(y)}};
}

ordered_json edge_json(const graph::Edge& edge, const graph::PlacedEdge& placed) {
  return {{"from", edge.from},
          {"to", edge.to},
          {"kind", graph::name_of(edge.line)},
          {"labels", edge.labels},
          {"lines", placed.lines},
          {"path", graph::line_path(placed)},
          {"head", graph::head_path(placed)},
          {"x", graph::number(placed.label.middle_x())},
          {"y", graph::number(placed.label.y)}};
}

/// Without places where there is too much to draw: the page then lists.
ordered_json drawing_json(const graph::Drawing& drawing) {
  const bool drawable = drawing.nodes.size() <= graph::most_nodes;
  const auto layout = drawable ? graph::lay_out(drawing) : graph::Layout{};
  auto nodes = ordered_json::array();
  auto edges = ordered_json::array();
  for (std::size_t i = 0; i < drawing.nodes.size(); ++i)
    nodes.push_back(drawable ? node_json(drawing.nodes[i], layout.nodes[i])
                             : ordered_json{{"id", drawing.nodes[i].id}, {"name", drawing.nodes[i].title}});
  for (std::size_t i = 0; i < drawing.edges.size(); ++i) {
    const auto& edge = drawing.edges[i];
    edges.push_back(drawable ? edge_json(edge, layout.edges[i])
                             : ordered_json{{"from", edge.from}, {"to", edge.to}, {"labels", edge.labels}});
  }
  return {{"drawable", drawable},
          {"width", graph::number(layout.width)},
          {"height", graph::number(layout.height)},
          {"nodes", nodes},
          {"edges", edges}};
}

ordered_json saga_json(const Graph& graph, const Saga& saga) {
  auto scenarios = ordered_json::array();
  for (const auto& scenario : saga.scenarios) {
    auto lit = ordered_json::array();
    for (const auto node : scenario.nodes) lit.push_back(graph.label(node));
    scenarios.push_back({{"name", scenario.name}, {"lit", lit}});
  }
  const auto* declared = graph.model().find_saga(saga.view.name);
  return {{"name", saga.view.name},
          {"deadline", declared == nullptr ? "" : duration_text(declared->deadline)},
          {"scenarios", scenarios},
          {"drawing", drawing_json(graph::draw_saga(graph, saga.view))}};
}

ordered_json finding_json(const checker::Finding& finding) {
  auto witness = ordered_json::array();
  for (const auto& station : finding.witness)
    witness.push_back({{"label", station.label}, {"place", place(station.location)}});
  return {{"code", finding.code},
          {"severity", checker::name_of(finding.severity)},
          {"message", finding.message},
          {"hint", finding.hint},
          {"place", place(finding.location)},
          {"saga", finding.saga},
          {"suppressed", finding.suppressed},
          {"witness", witness}};
}

}  // namespace

ordered_json model_of(const Report& input) {
  const auto& graph = input.graph;
  const Places places(graph);
  ordered_json model{{"participants", participants_json(graph.model())}};
  auto& steps = model["steps"] = ordered_json::array();
  for (const auto node : graph.all_steps()) steps.push_back(step_json(graph, places, node));
  auto& events = model["events"] = ordered_json::array();
  for (const auto node : graph.all_events()) events.push_back(event_json(graph, places, node));
  auto& sagas = model["sagas"] = ordered_json::array();
  for (const auto& saga : input.sagas) sagas.push_back(saga_json(graph, saga));
  model["services"] = drawing_json(graph::draw_services(graph));
  auto& findings = model["findings"] = ordered_json::array();
  for (const auto& finding : input.findings) findings.push_back(finding_json(finding));
  auto& rules = model["rules"] = ordered_json::array();
  for (const auto& rule : checker::rule_book())
    rules.push_back({{"code", rule.code}, {"title", rule.title}, {"why", rule.why}, {"repair", rule.repair}});
  return model;
}

}  // namespace quadrille::report
