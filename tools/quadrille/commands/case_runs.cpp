#include "casefile/case_file.hpp"
#include "casefile/report_text.hpp"
#include "cases/collect.hpp"
#include "cases/program.hpp"
#include "cases/tally.hpp"
#include "cases/test_text.hpp"
#include "cases/vary.hpp"
#include "core/time_text.hpp"
#include "quadrille/commands/case_options.hpp"
#include "quadrille/commands/contract_arguments.hpp"
#include "quadrille/commands/source_arguments.hpp"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <memory>
#include <stdexcept>

namespace quadrille::tool {
namespace {

using casefile::v1::Case;

struct ProgramOptions {
  std::string participant;
  std::vector<std::string> timeouts;

  void add_to(CLI::App& command) {
    command
        .add_option("--participant", participant, "The program of today, such as payment=build/dev/bin/shop-payment")
        ->required()
        ->type_name("NAME=PROGRAM");
    command
        .add_option("--timeout", timeouts,
                    "The time of a timer step in the system that was recorded, where it was not its contract's, such "
                    "as GiveUp=3s")
        ->delimiter(',')
        ->type_name("STEP=TIME");
  }
  [[nodiscard]] cases::Program program() const {
    auto program = cases::Program::parse(participant);
    program.timeouts = timeouts;
    return program;
  }
};

/// A folder stands for the case files in it.
std::vector<Case> read_cases(const std::vector<std::filesystem::path>& paths) {
  std::vector<Case> all;
  const auto take = [&](const Case& one) { all.push_back(one); };
  for (const auto& path : paths) {
    if (!std::filesystem::is_directory(path)) {
      for_each_case(path.string(), take);
      continue;
    }
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(path))
      if (entry.path().extension() == ".case") files.push_back(entry.path());
    if (files.empty()) throw std::runtime_error(path.string() + " has no file named *.case");
    std::ranges::sort(files);
    for (const auto& file : files) for_each_case(file.string(), take);
  }
  return all;
}

void add_run(CLI::App& cases, int& exit_code) {
  struct Options {
    ProgramOptions program;
    std::vector<std::filesystem::path> files;
    std::string format = "text";
  };
  auto options = std::make_shared<Options>();
  auto* command =
      cases.add_subcommand("run",
                           "Hands a recorded saga to a participant's program of today and compares, step by step, what "
                           "it says with what was\n"
                           "recorded: the same, different (field by field), an error that is new, or asked for "
                           "something that is not recorded.\n"
                           "In memory; time, order and holds are those of the record, nothing outside is called.\n\n"
                           "  quadrille case run double.case --participant payment=build/dev/bin/shop-payment\n\n"
                           "Exit code: 0 the same, 1 not, 2 it could not be run.");
  command->add_option("files", options->files, "Case files")->required()->check(CLI::ExistingFile);
  options->program.add_to(*command);
  command->add_option("--format", options->format, "text, or json: one report a line")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command->callback([options, &exit_code] {
    for (const auto& report : cases::run(options->program.program(), read_cases(options->files))) {
      std::cout << (options->format == "json" ? casefile::to_json(report) + "\n" : casefile::as_text(report));
      exit_code = std::max(exit_code, !report.could_not().empty() ? 2 : casefile::has_findings(report) ? 1 : 0);
    }
  });
}

void add_vary(CLI::App& cases, int& exit_code) {
  struct Options {
    ProgramOptions program;
    std::string file;
    std::vector<std::string> drop;
    std::vector<std::string> twice;
    std::vector<std::string> first;
    std::vector<std::string> delay;
  };
  auto options = std::make_shared<Options>();
  auto* command = cases.add_subcommand(
      "vary",
      "Lets a participant hear a recorded saga otherwise than it was, and says where that ends. Events are named by "
      "id, "
      "or by type\nwithout its package.\n\n"
      "  quadrille case vary double.case --participant payment=bin/shop-payment --drop StockReserved\n"
      "  quadrille case vary double.case --participant payment=bin/shop-payment --delay StockReserved=2h");
  command->add_option("file", options->file, "Case file")->required()->check(CLI::ExistingFile);
  options->program.add_to(*command);
  command->add_option("--drop", options->drop, "Does not come");
  command->add_option("--twice", options->twice, "Comes again at once");
  command->add_option("--first", options->first, "Comes before everything else");
  command->add_option("--delay", options->delay, "Comes later")->type_name("EVENT=TIME");
  command->callback([options, &exit_code] {
    using Kind = cases::Change::Kind;
    std::vector<cases::Change> changes;
    for (const auto& event : options->drop) changes.push_back({Kind::drop, event, {}});
    for (const auto& event : options->twice) changes.push_back({Kind::twice, event, {}});
    for (const auto& event : options->first) changes.push_back({Kind::first, event, {}});
    for (const auto& delay : options->delay) {
      const auto equals = delay.find('=');
      const auto later = equals == std::string::npos ? std::nullopt : duration_from(delay.substr(equals + 1));
      if (!later) throw CLI::ValidationError("--delay", "'" + delay + "' is not EVENT=TIME, such as StockReserved=3s");
      changes.push_back({Kind::delay, delay.substr(0, equals), *later});
    }
    const auto program = options->program.program();
    std::vector<Case> varied;
    for (const auto& one : read_cases({options->file}))
      varied.push_back(cases::vary(one, program.participant, changes));
    for (const auto& report : cases::run(program, varied)) {
      std::cout << casefile::as_text(report);
      if (!report.could_not().empty()) exit_code = 2;
    }
  });
}

void add_what_if(CLI::App& cases, int& exit_code) {
  struct Options {
    ProgramOptions program;
    std::vector<std::filesystem::path> files;
    traffic::Source source;
    std::string format = "text";
    std::size_t show = 3;
  };
  auto options = std::make_shared<Options>();
  auto* command = cases.add_subcommand(
      "what-if",
      "What would have been otherwise if this program had run: hands many recorded sagas to it, counts, and says "
      "which\n"
      "outcomes change.\n\n"
      "  quadrille case what-if cases/ --participant payment=build/dev/bin/shop-payment\n"
      "  quadrille case what-if --nats-url nats://127.0.0.1:4222 --participant payment=build/dev/bin/shop-payment\n\n"
      "Exit code: 0 nothing changes, 1 something does, 2 a saga could not be run.");
  command->add_option("files", options->files, "Case files, or folders of *.case")->check(CLI::ExistingPath);
  add_source(*command, options->source, false);
  options->program.add_to(*command);
  command->add_option("--show", options->show, "How many of the sagas that differ to tell in full")
      ->capture_default_str();
  command->add_option("--format", options->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command->callback([options, &exit_code] {
    const auto& source = options->source;
    const bool has_source = !source.nats_url.empty() || !source.database_url.empty() || !source.file.empty();
    if (has_source != options->files.empty())
      throw CLI::ValidationError("case what-if", "needs case files, or one of --nats-url, --database-url and --file");
    auto all = read_cases(options->files);
    if (has_source) cases::collect_all(source, [&](const Case& one) { all.push_back(one); });
    cases::Tally tally;
    for (const auto& report : cases::run(options->program.program(), all)) tally.add(report);
    std::cout << (options->format == "json" ? tally.as_json(options->show) : tally.as_text(options->show));
    exit_code = tally.is_partial() ? 2 : tally.has_findings() ? 1 : 0;
  });
}

void add_to_test(CLI::App& cases, int& exit_code) {
  struct Options {
    ProgramOptions program;
    std::string file;
    std::filesystem::path output;
    cases::TestNames names;
  };
  auto options = std::make_shared<Options>();
  auto* command = cases.add_subcommand(
      "to-test",
      "Writes a given/when/then GoogleTest of what a participant recorded in a saga. It passes with the program that "
      "was\n"
      "recorded; change what `then` expects where that was wrong, and it fails until the program is right.\n\n"
      "  quadrille case to-test double.case --participant payment=build/dev/bin/shop-payment -o double_test.cpp");
  command->add_option("file", options->file, "Case file of one case")->required()->check(CLI::ExistingFile);
  options->program.add_to(*command);
  command->add_option("--service", options->names.service,
                      "Class of the steps; default: <package>::<Participant>Service");
  command->add_option("--header", options->names.header,
                      "That declares it; default: <participant>/<participant>_service.hpp");
  command->add_option("--suite", options->names.suite, "Of the test; default: <Participant>Case");
  command->add_option("--test", options->names.test, "Its name; default: Saga<id>");
  command->add_option("-o,--output", options->output, "File to write; default: standard output");
  command->callback([options, &exit_code] {
    const auto program = options->program.program();
    const auto all = read_cases({options->file});
    if (all.size() != 1)
      throw std::runtime_error(options->file + " holds " + std::to_string(all.size()) +
                               " cases; export the one that is to be a test");
    auto names = cases::usual_names(all.front(), program.participant);
    const auto take = [](std::string& name, const std::string& given) {
      if (!given.empty()) name = given;
    };
    take(names.service, options->names.service);
    take(names.header, options->names.header);
    take(names.suite, options->names.suite);
    take(names.test, options->names.test);
    write_output(options->output, cases::as_test(all.front(), cases::run(program, all).front(), names));
    exit_code = 0;
  });
}

}  // namespace

void for_each_case(const std::string& file, const std::function<void(const Case&)>& take) {
  std::ifstream input(file, std::ios::binary);
  if (!input) throw std::runtime_error("cannot read " + file);
  casefile::Reader reader(input, file);
  while (const auto one = reader.next()) take(*one);
}

void add_case_runs(CLI::App& cases, int& exit_code) {
  add_run(cases, exit_code);
  add_vary(cases, exit_code);
  add_what_if(cases, exit_code);
  add_to_test(cases, exit_code);
}

}  // namespace quadrille::tool
