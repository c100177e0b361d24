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

void add_outcome_nodes(Drawing& drawing) {
  const auto reached = [&](const char* id) {
    return std::ranges::any_of(drawing.edges, [&](const Edge& edge) { return edge.to == id; });
  };
  if (reached("COMPLETED")) drawing.nodes.push_back({"COMPLETED", "COMPLETED", "", Kind::done});
  if (reached("CANCELLED")) drawing.nodes.push_back({"CANCELLED", "CANCELLED", "", Kind::undone});
  if (reached("anybody")) drawing.nodes.push_back({"anybody", "anybody", "public event", Kind::outside});
}

}  // namespace

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

namespace {

/// Steps and what leads from one to the other among them.
Drawing draw_steps(const checker::Graph& graph, const std::set<checker::Graph::Node>& steps, std::string title) {
  Drawing drawing{std::move(title), {}, {}};
  for (const auto node : steps) {
    const auto& step = graph.step(node);
    drawing.nodes.push_back({graph.label(node), graph.label(node), kind_text(step), kind_of(step)});
    for (const auto follower : graph.next(node)) {
      if (graph.is_step(follower)) {
        if (steps.contains(follower))
          drawing.edges.push_back({graph.label(node),
                                   graph.label(follower),
                                   {"after " + duration_text(graph.step(follower).timeout->after)},
                                   Line::timer});
        continue;
      }
      const auto& event = graph.event(follower);
      const auto line = event.failure ? Line::failure : Line::forward;
      for (const auto hearer : graph.next(follower))
        if (steps.contains(hearer))
          drawing.edges.push_back({graph.label(node), graph.label(hearer), {event.short_name}, line});
      if (checker::ends_a_saga(event))
        drawing.edges.push_back({graph.label(node),
                                 checker::has_role(event, v1::SagaRole::END_DONE) ? "COMPLETED" : "CANCELLED",
                                 {event.short_name},
                                 line});
    }
  }
  add_outcome_nodes(drawing);
  return drawing;
}

}  // namespace

Drawing draw_neighbourhood(const checker::Graph& graph, checker::Graph::Node event, int depth) {
  std::set<checker::Graph::Node> steps;
  for (const bool forward : {true, false}) {
    std::vector<checker::Graph::Node> events{event};
    for (int level = 0; level < depth; ++level) {
      std::vector<checker::Graph::Node> further;
      for (const auto node : events)
        for (const auto step : forward ? graph.next(node) : graph.before(node)) {
          if (!steps.insert(step).second) continue;
          for (const auto other : forward ? graph.next(step) : graph.before(step))
            if (!graph.is_step(other)) further.push_back(other);
        }
      events = std::move(further);
    }
  }
  return draw_steps(graph, steps, graph.event(event).short_name);
}

Drawing draw_finding(const checker::Graph& graph, const checker::Finding& finding) {
  std::set<std::string> names(finding.about.begin(), finding.about.end());
  for (const auto& station : finding.witness) names.insert(station.label);
  std::set<checker::Graph::Node> steps;
  for (checker::Graph::Node node = 0; node < graph.size(); ++node) {
    if (!names.contains(graph.full_name(node)) && !names.contains(graph.label(node))) continue;
    if (graph.is_step(node)) {
      steps.insert(node);
      continue;
    }
    steps.insert(graph.before(node).begin(), graph.before(node).end());
    steps.insert(graph.next(node).begin(), graph.next(node).end());
  }
  return draw_steps(graph, steps, finding.code);
}

}  // namespace quadrille::graph
