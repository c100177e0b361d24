#include "checker/check.hpp"
#include "graph/drawing.hpp"
#include "graph/scenario.hpp"
#include "quadrille/commands/commands.hpp"
#include "quadrille/commands/contract_arguments.hpp"
#include "report/report.hpp"

#include <algorithm>
#include <charconv>
#include <memory>

namespace quadrille::tool {
namespace {

struct Options {
  ContractArguments contracts;
  std::string view = "saga";
  std::string scenario;
  std::string format = "text";
  std::filesystem::path output;
};

const checker::SagaView& choose_saga(const std::vector<checker::SagaView>& sagas, const std::string& view) {
  std::string names;
  for (const auto& saga : sagas) {
    if (view == "saga:" + saga.name || (view == "saga" && sagas.size() == 1)) return saga;
    names += " saga:" + saga.name;
  }
  throw std::runtime_error("--view " + view + ": choose one of" + names + " services event:TYPE finding:ID");
}

/// `event:TYPE` or `event:TYPE:DEPTH`; the type by its full or, where that is enough, its short name.
graph::Drawing draw_around(const checker::Graph& graph, std::string what) {
  int depth = 2;
  if (const auto colon = what.rfind(':'); colon != std::string::npos) {
    const auto [end, error] = std::from_chars(what.data() + colon + 1, what.data() + what.size(), depth);
    if (error != std::errc() || end != what.data() + what.size() || depth < 1)
      throw std::runtime_error("--view event:" + what + ": the depth is a number from 1");
    what.resize(colon);
  }
  for (const auto node : graph.all_events())
    if (graph.event(node).name == what || graph.event(node).short_name == what)
      return graph::draw_neighbourhood(graph, node, depth);
  throw std::runtime_error("--view event:" + what + ": no contract declares such an event");
}

graph::Drawing draw_one_finding(const checker::Graph& graph, const std::vector<checker::SagaView>& sagas,
                                const std::string& id) {
  for (const auto& finding : checker::check(graph, sagas))
    if (finding.code == id || (id.size() >= 6 && checker::fingerprint(finding).starts_with(id)))
      return graph::draw_finding(graph, finding);
  throw std::runtime_error("--view finding:" + id +
                           ": there is none; give a code, or the beginning of a fingerprint from check --format json");
}

graph::Drawing draw(const Options& options, const checker::Graph& graph, const std::vector<checker::SagaView>& sagas) {
  if (options.view == "services") return graph::draw_services(graph);
  if (options.view.starts_with("event:")) return draw_around(graph, options.view.substr(6));
  if (options.view.starts_with("finding:")) return draw_one_finding(graph, sagas, options.view.substr(8));
  return graph::draw_saga(graph, choose_saga(sagas, options.view));
}

/// The scenarios of a saga: all as a page of Markdown or a row of diagrams, or the one that is asked for.
std::string tell_scenarios(const Options& options, const checker::Graph& graph, const checker::SagaView& saga) {
  const bool plantuml = options.format == "plantuml";
  std::string text = plantuml || !options.scenario.empty() ? "" : "# Saga " + saga.name + "\n";
  std::string names;
  for (const auto& scenario : graph::scenarios(graph, saga)) {
    names += "\n  " + scenario.name;
    if (!options.scenario.empty() && options.scenario != scenario.name) continue;
    if (plantuml)
      text += graph::as_plantuml(graph, scenario);
    else if (options.scenario.empty())
      text += "\n## " + scenario.name + "\n\n```mermaid\n" + graph::as_mermaid(graph, scenario) + "```\n";
    else
      text += graph::as_mermaid(graph, scenario);
  }
  if (text.empty()) throw std::runtime_error("--scenario " + options.scenario + ": choose one of" + names);
  return text;
}

/// Whatever the view: the report has them all.
std::string everything(const checker::Graph& graph, const std::vector<checker::SagaView>& sagas) {
  report::Report input{graph, {}, checker::check(graph, sagas)};
  for (const auto& saga : sagas) input.sagas.push_back({saga, graph::scenarios(graph, saga)});
  return report::as_html(input);
}

std::string picture(const Options& options, const checker::Graph& graph) {
  const auto sagas = checker::sagas(graph);
  if (options.format == "html") return everything(graph, sagas);
  if (options.format == "text") {
    if (!options.view.starts_with("saga"))
      throw std::runtime_error("--format text draws a saga; use dot, mermaid, svg or graphml for --view " +
                               options.view);
    return graph::as_outline(graph, choose_saga(sagas, options.view));
  }
  if (options.format == "sequence" || options.format == "plantuml")
    return tell_scenarios(options, graph, choose_saga(sagas, options.view));
  const auto drawing = draw(options, graph, sagas);
  if (options.format == "dot") return graph::as_dot(drawing);
  if (options.format == "graphml") return graph::as_graphml(drawing);
  return options.format == "mermaid" ? graph::as_mermaid(drawing) : graph::as_svg(drawing);
}

int run(const Options& options) {
  const auto contracts = options.contracts.load();
  if (report_faults(contracts)) return 1;
  const checker::Graph graph(contracts.reading().model);
  write_output(options.output, picture(options, graph));
  return 0;
}

}  // namespace

void add_graph(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand(
      "graph",
      "Draws the flow that the contracts declare. The same contracts give the same bytes.\n\n"
      "  quadrille graph contracts/shop                                   a saga for the terminal\n"
      "  quadrille graph contracts/shop --format svg -o checkout.svg\n"
      "  quadrille graph contracts/shop --format html -o report.html      everything, to look around in a browser\n"
      "  quadrille graph contracts/shop --view services --format mermaid\n"
      "  quadrille graph contracts/shop --view event:StockReserved:1 --format dot\n"
      "  quadrille graph contracts/shop --format sequence                 a page of diagrams, one a scenario:\n"
      "                                                                   happy, each failure, each time-out\n"
      "  quadrille graph contracts/shop --format plantuml --scenario 'happy path'");
  options->contracts.add_to(*command);
  command
      ->add_option("--view", options->view,
                   "services, saga (where there is one), saga:NAME, event:TYPE[:DEPTH] or finding:ID")
      ->capture_default_str();
  command->add_option("--scenario", options->scenario, "One scenario by name; default: all (sequence and plantuml)");
  command
      ->add_option("--format", options->format,
                   "text, dot, mermaid, svg, html, graphml, sequence (Mermaid) or plantuml")
      ->check(CLI::IsMember({"text", "dot", "mermaid", "svg", "html", "graphml", "sequence", "plantuml"}))
      ->capture_default_str();
  command->add_option("-o,--output", options->output, "File to write; default: standard output");
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace quadrille::tool
