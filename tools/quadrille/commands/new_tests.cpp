#include "quadrille/commands/new_tests.hpp"

#include "coverage/record.hpp"
#include "coverage/skeleton.hpp"
#include "quadrille/commands/contract_arguments.hpp"
#include "scaffold/project.hpp"

#include <iostream>
#include <map>
#include <memory>

namespace quadrille::tool {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::vector<fs::path> records;
  fs::path folder = ".";
};

void run(const Options& options) {
  const auto project = scaffold::Project::find(options.folder);
  const checker::Contracts contracts({project.root() / "contracts"}, {});
  if (report_faults(contracts)) throw std::runtime_error("the contracts have faults; see above");
  const auto& model = contracts.reading().model;
  auto branches = coverage::branches_of(model);
  static_cast<void>(coverage::count_taken(options.records, branches));
  scaffold::Edits edits(project.root());
  std::map<std::string, std::size_t> begun;
  for (const auto& skeleton : coverage::skeletons(model, branches)) {
    const auto file = scaffold::Project::service_file(skeleton.participant, "_test.cpp");
    if (edits.text(file).find(skeleton.opening) != std::string::npos) continue;
    edits.insert_before(file, "}  // namespace", skeleton.text);
    ++begun[file.string()];
  }
  edits.write();
  for (const auto& [file, count] : begun)
    std::cout << "  " << (project.root() / file).lexically_proximate(fs::current_path()).string() << ": " << count
              << (count == 1 ? " test" : " tests") << "\n";
  std::cout << (begun.empty() ? "Every branch is taken, or its test is begun already.\n"
                              : "\nThey are skipped until you say what was before and what arrives.\n");
}

}  // namespace

void add_new_tests(CLI::App& parent) {
  auto options = std::make_shared<Options>();
  auto* command = parent.add_subcommand("tests",
                                        "Begins a given/when/then test for each branch of the contracts that no test "
                                        "has taken; see `quadrille coverage --help`.\n\n"
                                        "  rm -f taken.tsv; QUADRILLE_COVERAGE=$PWD/taken.tsv ctest --test-dir build\n"
                                        "  quadrille new tests --record taken.tsv");
  command->add_option("--record", options->records, "What the tests wrote; may be repeated")
      ->required()
      ->check(CLI::ExistingFile);
  command->add_option("--project", options->folder, "The project, or a folder in it; default: here")
      ->check(CLI::ExistingDirectory);
  command->callback([options] { run(*options); });
}

}  // namespace quadrille::tool
