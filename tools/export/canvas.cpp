#include "checker/saga_flow.hpp"
#include "core/short_name.hpp"
#include "core/time_text.hpp"
#include "export/export.hpp"
#include "graph/drawing.hpp"

namespace quadrille::exports {
namespace {

using checker::Graph;  // not the namespace of drawings

/// Text in a cell of a Markdown table.
std::string cell(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '|' || c == '\\' || c == '<' || c == '`' || c == '*' || c == '_' || c == '[') result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result;
}

std::string joined(const std::vector<std::string>& texts, const char* between) {
  std::string text;
  for (const auto& one : texts) text += (text.empty() ? "" : between) + one;
  return text.empty() ? "–" : text;
}

std::string trigger(const Graph& graph, const contract::Step& step) {
  switch (step.start) {
    case contract::Start::timer:
      return duration_text(step.timeout->after) + " after " + step.timeout->armed_by;
    case contract::Start::command:
      return "command " + short_name(step.input);
    default:
      break;
  }
  std::vector<std::string> names;
  for (const auto& name : step.triggers) names.push_back(graph.model().events.at(name).short_name);
  return joined(names, step.start == contract::Start::all_of ? " and " : " or ");
}

std::string outcome(const Graph& graph, const contract::Step& step) {
  std::vector<std::string> groups;
  for (const auto& group : step.outcomes) {
    std::vector<std::string> names;
    for (const auto& name : group.events) {
      const auto& event = graph.model().events.at(name);
      names.push_back(event.short_name + (event.failure ? " (no)" : ""));
    }
    if (group.may_be_nothing) names.emplace_back("nothing");
    groups.push_back(joined(names, " or "));
  }
  return joined(groups, ", ");
}

std::string holds(const contract::Step& step) {
  std::vector<std::string> texts;
  for (const auto& name : step.holds) texts.push_back("takes " + name);
  for (const auto& name : step.releases) texts.push_back("releases " + name);
  return joined(texts, ", ");
}

/// Failures against the steps they have to undo: done, or a dash where nothing was done yet.
std::string compensation_matrix(const checker::SagaFlow& saga) {
  const auto& graph = saga.graph();
  const auto undoable = saga.steps_of(v1::COMPENSATABLE);
  std::string text = "| when somebody says | by |";
  std::string line = "|---|---|";
  for (const auto step : undoable) {
    text += " undo " + cell(graph.label(step)) + " |";
    line += "---|";
  }
  text += "\n" + line + "\n";
  for (const auto failure : saga.events()) {
    if (!graph.event(failure).failure) continue;
    for (const auto sayer : graph.before(failure)) {
      if (saga.outside(sayer)) continue;
      text += "| " + cell(graph.event(failure).short_name) + " | " + cell(graph.label(sayer)) + " |";
      for (const auto step : undoable) {
        const auto undo = compensation_of(graph, graph.step(step));
        const bool done_before = step != sayer && (saga.reaches(step, sayer) || saga.beside(step, sayer));
        text += !done_before                               ? " – |"
                : undo >= 0 && saga.reaches(failure, undo) ? " " + cell(graph.label(undo)) + " |"
                                                           : " **missing** |";
      }
      text += "\n";
    }
  }
  return text;
}

std::string names(const Graph& graph, const std::vector<Graph::Node>& nodes) {
  std::vector<std::string> texts;
  for (const auto node : nodes) texts.push_back(cell(graph.event(node).name));
  return joined(texts, ", ");
}

}  // namespace

std::string canvas(const Graph& graph, const checker::SagaView& view) {
  const checker::SagaFlow saga(graph, view);
  std::string text = "# Saga " + cell(view.name) + "\n\n";
  if (view.declared != nullptr && view.declared->deadline.count() > 0)
    text += "Deadline: " + duration_text(view.declared->deadline) + "\n\n";
  text += "Starts with: " + names(graph, view.starts) + "  \nCOMPLETED by: " + names(graph, view.done) +
          "  \nCANCELLED by: " + names(graph, view.undone) + "\n\n## Steps\n\n" +
          "| participant | step | kind | triggered by | says | undone by | holds |\n|---|---|---|---|---|---|---|\n";
  for (const auto node : quadrille::graph::in_flow_order(graph, view)) {
    const auto& step = graph.step(node);
    text += "| " + cell(step.participant) + " | " + cell(step.name) + " | " + cell(v1::StepKind_Name(step.kind)) +
            " | " + cell(trigger(graph, step)) + " | " + cell(outcome(graph, step)) + " | " +
            (step.compensated_by.empty() ? "–" : cell(step.compensated_by)) + " | " + cell(holds(step)) + " |\n";
  }
  return text + "\n## Compensations\n\n" + compensation_matrix(saga);
}

}  // namespace quadrille::exports
