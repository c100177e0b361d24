#include "checker/check.hpp"

#include "checker/load.hpp"
#include "checker/report.hpp"
#include "checker/sarif.hpp"
#include "quadrille/commands/commands.hpp"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <unistd.h>

namespace quadrille::tool {
namespace {

struct Options {
  std::vector<std::filesystem::path> contracts;
  std::vector<std::filesystem::path> import_roots;
  std::string format = "text";
  bool strict = false;
};

std::ptrdiff_t count(const std::vector<checker::Finding>& findings, checker::Severity severity) {
  return std::ranges::count(findings, severity, &checker::Finding::severity);
}

int run(const Options& options) {
  const checker::Contracts contracts(options.contracts, options.import_roots);
  if (contracts.reading().faults.empty() && contracts.reading().model.participants.empty())
    throw std::runtime_error(
        options.contracts.front().string() +
        " declares no participant; a steps file has option (quadrille.v1.participant). Is it the right folder?");
  const auto findings = checker::check(contracts.reading());
  const auto errors = count(findings, checker::Severity::error);
  const auto warnings = count(findings, checker::Severity::warning);
  if (options.format == "json") {
    std::cout << checker::as_json(findings);
  } else if (options.format == "sarif") {
    std::cout << checker::as_sarif(findings, QUADRILLE_VERSION);
  } else {
    const auto& model = contracts.reading().model;
    std::size_t steps = 0;
    for (const auto& participant : model.participants) steps += participant.steps.size();
    std::cout << checker::as_text(findings, isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr)
              << (errors > 0 ? "FAILED  " : "ok  ") << model.participants.size() << " participants, " << steps
              << " steps, " << model.events.size() << " events: " << errors << " errors, " << warnings << " warnings, "
              << count(findings, checker::Severity::note) << " notes\n";
  }
  return errors > 0 || (options.strict && warnings > 0) ? 1 : 0;
}

}  // namespace

void add_check(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  auto* command =
      app.add_subcommand("check",
                         "Finds the faults of a choreography before it runs: events nobody emits or hears, sagas that "
                         "cannot end, failures that\n"
                         "undo too little, compensations after the pivot, steps that may not say no, cycles without a "
                         "bound, two who decide.\n\n"
                         "  quadrille check contracts/shop\n"
                         "  quadrille check contracts/shop --format json --strict\n\n"
                         "Exit code: 0 good, 1 errors (with --strict warnings too), 2 the contracts are not there.");
  command->add_option("contracts", options->contracts, "Folders or .proto files")->required();
  command
      ->add_option("-I,--import-root", options->import_roots,
                   "What imports are relative to; default: found by looking upwards")
      ->check(CLI::ExistingDirectory);
  command->add_option("--format", options->format, "text, json or sarif (2.1.0, for code scanning)")
      ->check(CLI::IsMember({"text", "json", "sarif"}))
      ->capture_default_str();
  command->add_flag("--strict", options->strict, "Warnings fail, too");
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace quadrille::tool
