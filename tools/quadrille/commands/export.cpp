#include "deploy/permissions.hpp"
#include "quadrille/commands/commands.hpp"
#include "quadrille/commands/contract_arguments.hpp"

#include <iostream>
#include <memory>

namespace quadrille::tool {
namespace {

struct Options {
  ContractArguments contracts;
  std::string format;
};

int run(const Options& options) {
  const auto contracts = options.contracts.load();
  if (report_faults(contracts)) return 1;
  std::cout << deploy::nats_permissions(contracts.reading().model);
  return 0;
}

}  // namespace

void add_export(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand("export",
                                     "Writes what follows from the contracts for others to use. nats-permissions: a "
                                     "configuration for nats-server in which\n"
                                     "each participant may publish what it declares, read its own durables, and "
                                     "nothing else. Passwords come from the\n"
                                     "server's environment (PAYMENT_PASSWORD ...). Services may then not create "
                                     "streams: run `quadrille deploy` first.\n\n"
                                     "  quadrille export contracts/shop --format nats-permissions > permissions.conf");
  options->contracts.add_to(*command);
  command->add_option("--format", options->format, "nats-permissions")
      ->required()
      ->check(CLI::IsMember({"nats-permissions"}));
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace quadrille::tool
