#include "coverage/record.hpp"
#include "coverage/report.hpp"
#include "quadrille/commands/commands.hpp"
#include "quadrille/commands/contract_arguments.hpp"

#include <iostream>
#include <memory>

namespace quadrille::tool {
namespace {

struct Options {
  ContractArguments contracts;
  std::vector<std::filesystem::path> records;
  std::filesystem::path output;
  std::string format = "text";
  std::size_t threshold = 0;
};

int run(const Options& options) {
  const auto contracts = options.contracts.load();
  if (report_faults(contracts)) return 1;
  auto branches = coverage::branches_of(contracts.reading().model);
  if (const auto unknown = coverage::count_taken(options.records, branches); unknown > 0)
    std::cerr << unknown << (unknown == 1 ? " line" : " lines")
              << " of the record speak of what these contracts do not have; does it come from older ones?\n";
  if (options.format == "html")
    write_output(options.output, coverage::as_html(branches));
  else if (options.format == "junit")
    write_output(options.output, coverage::as_junit(branches, options.threshold));
  else
    write_output(options.output, coverage::as_text(branches, options.output.empty() && colour_on_output()));
  const auto percent = coverage::share_of(branches).percent();
  if (percent >= options.threshold) return 0;
  std::cerr << "FAILED  " << percent << " % of the branches are taken, --threshold asks for " << options.threshold
            << "; `quadrille new tests` begins tests for the others\n";
  return 1;
}

}  // namespace

void add_coverage(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand(
      "coverage",
      "Tells which ways through the choreography its tests have taken: what each step says (success, failure, "
      "timeout,\n"
      "compensation), and what starts it where that may be one of several. The test kit (Scenario, Choreography) "
      "notes\n"
      "them while the environment names a file; each process adds to it, so remove it before.\n\n"
      "  QUADRILLE_COVERAGE=/tmp/taken.tsv ctest --test-dir build\n"
      "  quadrille coverage contracts --record /tmp/taken.tsv\n"
      "  quadrille coverage contracts --record /tmp/taken.tsv --format junit -o coverage.xml --threshold 90\n"
      "  quadrille new tests --record /tmp/taken.tsv             begins tests for what is missing\n\n"
      "Exit code: 0 good, 1 less than the threshold or faults in the contracts, 2 it could not be done.");
  options->contracts.add_to(*command);
  command->add_option("--record", options->records, "What the tests wrote; may be repeated")
      ->required()
      ->check(CLI::ExistingFile);
  command->add_option("--format", options->format, "text, html or junit")
      ->check(CLI::IsMember({"text", "html", "junit"}))
      ->capture_default_str();
  command->add_option("-o,--output", options->output, "File to write; default: standard output");
  command->add_option("--threshold", options->threshold, "Percent of the branches that have to be taken")
      ->check(CLI::Range(0, 100))
      ->capture_default_str();
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace quadrille::tool
