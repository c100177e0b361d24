#include "export/export.hpp"

#include "deploy/permissions.hpp"
#include "quadrille/commands/commands.hpp"
#include "quadrille/commands/contract_arguments.hpp"

#include <memory>

namespace quadrille::tool {
namespace {

struct Options {
  ContractArguments contracts;
  std::string format;
  std::string of;
  std::filesystem::path output;
};

/// The one that is named, or the only one there is.
template <class Things>
const auto& pick(const Things& things, const std::string& name, const char* what) {
  std::string names;
  for (const auto& thing : things) {
    if (thing.name == name || (name.empty() && things.size() == 1)) return thing;
    names += " " + thing.name;
  }
  throw std::runtime_error(std::string("--of: name the ") + what + "; there are" + names);
}

std::string write(const Options& options, const checker::Contracts& contracts) {
  const auto& model = contracts.reading().model;
  if (options.format == "nats-permissions") return deploy::nats_permissions(model);
  if (options.format == "streams") return exports::streams(model);
  if (options.format == "alert-rules") return exports::alert_rules(model);
  if (options.format == "asyncapi")
    return exports::asyncapi(model, pick(model.participants, options.of, "participant"), contracts.pool());
  const checker::Graph graph(model);
  const auto sagas = checker::sagas(graph);
  return exports::canvas(graph, pick(sagas, options.of, "saga"));
}

int run(const Options& options) {
  const auto contracts = options.contracts.load();
  if (report_faults(contracts)) return 1;
  write_output(options.output, write(options, contracts));
  return 0;
}

}  // namespace

void add_export(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand(
      "export",
      "Writes what follows from the contracts for others to use. The same contracts give the same bytes.\n\n"
      "  nats-permissions  a configuration for nats-server in which each participant may publish what it declares, "
      "read its own\n"
      "                    durables, and nothing else. Passwords come from the server's environment "
      "(PAYMENT_PASSWORD ...). Services\n"
      "                    may then not create streams: run `quadrille deploy` first\n"
      "  streams           streams and durable consumers, in the words of JetStream's API\n"
      "  asyncapi          AsyncAPI 3.0 of one participant (--of NAME)\n"
      "  canvas            one saga as Markdown for a review (--of NAME): steps, who undoes what, how it ends\n"
      "  alert-rules       rules of Prometheus for the objectives of steps and the deadlines of sagas\n\n"
      "  quadrille export contracts/shop --format nats-permissions > permissions.conf\n"
      "  quadrille export contracts/shop --format asyncapi --of payment -o payment.asyncapi.json");
  options->contracts.add_to(*command);
  command->add_option("--format", options->format, "What to write")
      ->required()
      ->check(CLI::IsMember({"nats-permissions", "streams", "asyncapi", "canvas", "alert-rules"}));
  command->add_option("--of", options->of, "The participant (asyncapi) or the saga (canvas)");
  command->add_option("-o,--output", options->output, "File to write; default: standard output");
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace quadrille::tool
