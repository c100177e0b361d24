#include "graph/drawing.hpp"

#include "core/time_text.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace quadrille::graph {
namespace {

Kind kind_of(const contract::Step& step) {
  switch (step.kind) {
    case v1::COMPENSATABLE:
      return Kind::compensatable;
    case v1::PIVOT:
      return Kind::pivot;
    case v1::RETRIABLE:
      return Kind::retriable;
    case v1::COMPENSATION:
      return Kind::compensation;
    case v1::QUERY:
      return Kind::query;
    default:
      return Kind::observer;
  }
}

std::string kind_text(const contract::Step& step) {
  std::string name = v1::StepKind_Name(step.kind);
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name;
}

/// Steps that hear an event, within a saga.
std::vector<checker::Graph::Node> hearers(const checker::Graph& graph, const checker::SagaView& saga,
                                          checker::Graph::Node event) {
  std::vector<checker::Graph::Node> steps;
  if (saga.is_end(event)) return steps;
  for (const auto step : graph.next(event))
    if (saga.nodes.contains(step)) steps.push_back(step);
  return steps;
}

void draw_outcome(const checker::Graph& graph, const checker::SagaView& saga, checker::Graph::Node step,
                  checker::Graph::Node event, Drawing& drawing) {
  const auto& type = graph.event(event);
  const auto line = type.failure ? Line::failure : Line::forward;
  const auto from = graph.label(step);
  for (const auto hearer : hearers(graph, saga, event))
    drawing.edges.push_back({from, graph.label(hearer), {type.short_name}, line});
  if (std::ranges::find(saga.done, event) != saga.done.end())
    drawing.edges.push_back({from, "COMPLETED", {type.short_name}, line});
  if (std::ranges::find(saga.undone, event) != saga.undone.end())
    drawing.edges.push_back({from, "CANCELLED", {type.short_name}, line});
  if (graph.next(event).empty() && !saga.is_end(event))
    drawing.edges.push_back({from, "anybody", {type.short_name}, line});
}

/// The saga's steps as they come, breadth first from its beginning: layouts follow the order of nodes.
std::vector<checker::Graph::Node> in_flow_order(const checker::Graph& graph, const checker::SagaView& saga) {
  std::vector<checker::Graph::Node> open;
  for (const auto start : saga.starts) open.insert(open.end(), graph.before(start).begin(), graph.before(start).end());
  std::set<checker::Graph::Node> seen(open.begin(), open.end());
  std::vector<checker::Graph::Node> steps;
  for (std::size_t i = 0; i < open.size(); ++i) {
    const auto node = open[i];
    if (graph.is_step(node)) steps.push_back(node);
    if (saga.is_end(node)) continue;
    for (const auto follower : graph.next(node))
      if (saga.nodes.contains(follower) && seen.insert(follower).second) open.push_back(follower);
  }
  return steps;
}

void add_outcome_nodes(Drawing& drawing) {
  const auto reached = [&](const char* id) {
    return std::ranges::any_of(drawing.edges, [&](const Edge& edge) { return edge.to == id; });
  };
  if (reached("COMPLETED")) drawing.nodes.push_back({"COMPLETED", "COMPLETED", "", Kind::done});
  if (reached("CANCELLED")) drawing.nodes.push_back({"CANCELLED", "CANCELLED", "", Kind::undone});
  if (reached("anybody")) drawing.nodes.push_back({"anybody", "anybody", "public event", Kind::outside});
}

}  // namespace

Drawing draw_services(const checker::Graph& graph) {
  Drawing drawing{"services", {}, {}};
  std::set<std::string> names;
  for (const auto& participant : graph.model().participants) {
    drawing.nodes.push_back({participant.name, participant.name, participant.owner, Kind::participant});
    names.insert(participant.name);
  }
  std::map<std::pair<std::string, std::string>, std::set<std::string>> lines;
  for (const auto event : graph.all_events())
    for (const auto from : graph.before(event))
      for (const auto to : graph.next(event))
        lines[{graph.step(from).participant, graph.step(to).participant}].insert(graph.event(event).short_name);
  for (const auto& [ends, events] : lines)
    drawing.edges.push_back({ends.first, ends.second, {events.begin(), events.end()}, Line::forward});
  return drawing;
}

Drawing draw_saga(const checker::Graph& graph, const checker::SagaView& saga) {
  Drawing drawing{saga.name, {}, {}};
  for (const auto node : in_flow_order(graph, saga)) {
    const auto& step = graph.step(node);
    drawing.nodes.push_back({graph.label(node), graph.label(node), kind_text(step), kind_of(step)});
    for (const auto follower : graph.next(node)) {
      if (graph.is_step(follower)) {
        if (saga.nodes.contains(follower))
          drawing.edges.push_back({graph.label(node),
                                   graph.label(follower),
                                   {"after " + duration_text(graph.step(follower).timeout->after)},
                                   Line::timer});
      } else {
        draw_outcome(graph, saga, node, follower, drawing);
      }
    }
  }
  add_outcome_nodes(drawing);
  return drawing;
}

}  // namespace quadrille::graph
