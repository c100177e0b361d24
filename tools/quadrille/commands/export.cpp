#include "checker/check.hpp"
#include "checker/load.hpp"
#include "checker/report.hpp"
#include "deploy/permissions.hpp"
#include "quadrille/commands/commands.hpp"

#include <iostream>
#include <memory>

namespace quadrille::tool {
namespace {

struct Options {
  std::vector<std::filesystem::path> contracts;
  std::vector<std::filesystem::path> import_roots;
  std::string format;
};

int run(const Options& options) {
  const checker::Contracts contracts(options.contracts, options.import_roots);
  if (!contracts.reading().faults.empty()) {
    std::cerr << checker::as_text(checker::check(contracts.reading()), false);
    return 1;
  }
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
  command->add_option("contracts", options->contracts, "Folders or .proto files")->required();
  command
      ->add_option("-I,--import-root", options->import_roots,
                   "What imports are relative to; default: found by looking upwards")
      ->check(CLI::ExistingDirectory);
  command->add_option("--format", options->format, "nats-permissions")
      ->required()
      ->check(CLI::IsMember({"nats-permissions"}));
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace quadrille::tool
