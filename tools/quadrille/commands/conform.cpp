#include "checker/report.hpp"
#include "checker/sarif.hpp"
#include "conform/overlay.hpp"
#include "contract/fingerprint.hpp"
#include "quadrille/commands/commands.hpp"
#include "quadrille/commands/contract_arguments.hpp"
#include "quadrille/commands/source_arguments.hpp"
#include "traffic/ndjson.hpp"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <memory>

namespace quadrille::tool {
namespace {

struct Options {
  ContractArguments contracts;
  traffic::Source traffic;
  std::string format = "text";
  std::filesystem::path graph;
  std::filesystem::path save;
  std::string saga;
};

std::set<std::string> fingerprints(const checker::Contracts& contracts) {
  std::set<std::string> known;
  for (const auto& participant : contracts.reading().model.participants)
    if (!participant.external)
      known.insert(contract::fingerprint(*contracts.pool().FindServiceByName(participant.service)));
  return known;
}

void draw(const Options& options, const checker::Graph& graph, const std::vector<checker::SagaView>& sagas,
          const conform::Report& report) {
  const auto saga = std::ranges::find_if(
      sagas, [&](const checker::SagaView& view) { return options.saga.empty() || view.name == options.saga; });
  if (saga == sagas.end()) throw std::runtime_error("--saga " + options.saga + ": no contract declares it");
  const auto drawing = conform::overlay(graph, *saga, report);
  const auto extension = options.graph.extension();
  if (extension == ".svg")
    write_output(options.graph, graph::as_svg(drawing));
  else if (extension == ".dot")
    write_output(options.graph, graph::as_dot(drawing));
  else if (extension == ".mmd")
    write_output(options.graph, graph::as_mermaid(drawing));
  else
    throw std::runtime_error("--graph " + options.graph.string() + ": name it .svg, .dot or .mmd");
}

int run(const Options& options) {
  const auto contracts = options.contracts.load();
  if (report_faults(contracts)) return 1;
  const checker::Graph graph(contracts.reading().model);
  const auto sagas = checker::sagas(graph);
  conform::Conformance conformance(graph, sagas, fingerprints(contracts));
  std::ofstream save;
  if (!options.save.empty()) save.open(options.save);
  traffic::read(options.traffic, [&](const Event& event) {
    if (save.is_open()) save << traffic::to_ndjson(event) << "\n";
    conformance.take(event);
  });
  if (save.is_open() && !save.flush()) throw std::runtime_error("cannot write " + options.save.string());
  const auto report =
      conformance.finish(std::chrono::time_point_cast<TimePoint::duration>(std::chrono::system_clock::now()));
  if (!options.graph.empty()) draw(options, graph, sagas, report);
  if (options.format == "json")
    std::cout << conform::as_json(report, graph);
  else if (options.format == "sarif")
    std::cout << checker::as_sarif(report.findings, QUADRILLE_VERSION);
  else
    std::cout << conform::as_text(report, graph) << checker::as_text(report.findings, colour_on_output());
  return std::ranges::any_of(report.findings,
                             [](const auto& finding) { return finding.severity == checker::Severity::error; })
             ? 1
             : 0;
}

}  // namespace

void add_conform(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand(
      "conform",
      "Holds recorded traffic against the declared graph: events and reactions nobody declared, edges never taken, "
      "sagas past their\n"
      "deadline or with two ends, compensations past the pivot or missing, events handled out of order; with the times "
      "each reaction\n"
      "took, and how sagas went.\n\n"
      "  quadrille conform contracts/shop --nats-url nats://127.0.0.1:4222\n"
      "  quadrille conform contracts/shop --nats-url ... --save traffic.ndjson --graph checkout.svg\n"
      "  quadrille conform contracts/shop --file traffic.ndjson --format json\n\n"
      "Exit code: 0 as declared, 1 not, 2 it could not be told.");
  options->contracts.add_to(*command);
  add_source(*command, options->traffic);
  command->add_option("--format", options->format, "text, json or sarif")
      ->check(CLI::IsMember({"text", "json", "sarif"}))
      ->capture_default_str();
  command->add_option("--graph", options->graph, "Also draws a saga with counts and times (.svg, .dot or .mmd)");
  command->add_option("--saga", options->saga, "The saga to draw; default: the first");
  command->add_option("--save", options->save, "Also writes the events read, one a line (NDJSON)");
  command->callback([options, &exit_code] {
    need_source(options->traffic);
    exit_code = run(*options);
  });
}

}  // namespace quadrille::tool
