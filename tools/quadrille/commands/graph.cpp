#include "graph/drawing.hpp"
#include "quadrille/commands/commands.hpp"
#include "quadrille/commands/contract_arguments.hpp"

#include <memory>

namespace quadrille::tool {
namespace {

struct Options {
  ContractArguments contracts;
  std::string view = "saga";
  std::string format = "text";
  std::filesystem::path output;
};

const checker::SagaView& choose(const std::vector<checker::SagaView>& sagas, const std::string& view) {
  std::string names;
  for (const auto& saga : sagas) {
    if (view == "saga:" + saga.name || (view == "saga" && sagas.size() == 1)) return saga;
    names += " saga:" + saga.name;
  }
  throw std::runtime_error("--view " + view + ": choose one of" + names + " services");
}

std::string draw(const Options& options, const checker::Graph& graph) {
  const auto sagas = checker::sagas(graph);
  const bool services = options.view == "services";
  if (options.format == "text") {
    if (services)
      throw std::runtime_error("--format text draws a saga; use --view saga, or dot, mermaid or svg for services");
    return graph::as_outline(graph, choose(sagas, options.view));
  }
  const auto drawing = services ? graph::draw_services(graph) : graph::draw_saga(graph, choose(sagas, options.view));
  if (options.format == "dot") return graph::as_dot(drawing);
  return options.format == "mermaid" ? graph::as_mermaid(drawing) : graph::as_svg(drawing);
}

int run(const Options& options) {
  const auto contracts = options.contracts.load();
  if (report_faults(contracts)) return 1;
  const checker::Graph graph(contracts.reading().model);
  write_output(options.output, draw(options, graph));
  return 0;
}

}  // namespace

void add_graph(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  auto* command =
      app.add_subcommand("graph",
                         "Draws the flow that the contracts declare. The same contracts give the same bytes.\n\n"
                         "  quadrille graph contracts/shop                                   a saga for the terminal\n"
                         "  quadrille graph contracts/shop --format svg -o checkout.svg      by Graphviz\n"
                         "  quadrille graph contracts/shop --view services --format mermaid");
  options->contracts.add_to(*command);
  command->add_option("--view", options->view, "services, saga (where there is one) or saga:NAME")
      ->capture_default_str();
  command->add_option("--format", options->format, "text, dot, mermaid or svg")
      ->check(CLI::IsMember({"text", "dot", "mermaid", "svg"}))
      ->capture_default_str();
  command->add_option("-o,--output", options->output, "File to write; default: standard output");
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace quadrille::tool
