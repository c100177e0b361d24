#include "casefile/case_file.hpp"
#include "casefile/report_text.hpp"
#include "cases/collect.hpp"
#include "cases/course.hpp"
#include "cases/course_text.hpp"
#include "cases/program.hpp"
#include "cases/tally.hpp"
#include "cases/test_text.hpp"
#include "cases/vary.hpp"
#include "core/time_text.hpp"
#include "core/timestamp.hpp"
#include "quadrille/commands/case_options.hpp"
#include "quadrille/commands/case_program.hpp"
#include "quadrille/commands/contract_arguments.hpp"
#include "quadrille/commands/source_arguments.hpp"
#include "terminal/progress.hpp"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

namespace quadrille::tool {
namespace {

using casefile::v1::Case;

/// A folder stands for the case files in it.
void read_cases(const std::vector<std::filesystem::path>& paths, const std::function<void(const Case&)>& take) {
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
}

std::vector<Case> read_cases(const std::vector<std::filesystem::path>& paths) {
  std::vector<Case> all;
  read_cases(paths, [&](const Case& one) { all.push_back(one); });
  return all;
}

bool began_in(const archive::Window& window, const Case& one) {
  for (const auto& event : one.event())
    if (event.saga_id() == one.header().saga_id()) return window.has(to_time(event.recorded_at()));
  return false;
}

/// Hands cases to a program in batches, so that no more of them are in memory than one takes.
class Batches {
 public:
  Batches(cases::Program program, cases::Tally& tally) : program_(std::move(program)), tally_(tally) {}
  void add(const Case& one) {
    constexpr std::size_t most = 1'000;
    waiting_.push_back(one);
    if (waiting_.size() == most) flush();
  }
  void flush() {
    if (waiting_.empty()) return;
    for (const auto& report : cases::run(program_, waiting_)) tally_.add(report);
    waiting_.clear();
  }

 private:
  const cases::Program program_;
  cases::Tally& tally_;
  std::vector<Case> waiting_;
};

int exit_code_of(const casefile::v1::Report& report) {
  return !report.could_not().empty() ? 2 : casefile::has_findings(report) ? 1 : 0;
}

/// Where the saga as a whole goes, by these programs.
std::string course_of(const Case& one, const std::vector<cases::Program>& programs,
                      const std::vector<cases::Change>& changes) {
  std::vector<cases::Player> players;
  auto others = cases::participants(one);
  for (const auto& program : programs) {
    players.push_back({program.participant, [&program](const Case& given) {
                         const std::vector<Case> alone{given};
                         return cases::run(program, alone).front();
                       }});
    others.erase(program.participant);
  }
  auto text = cases::as_text(one, cases::play(players, one, {}), cases::play(players, one, changes));
  std::string names;
  for (const auto& other : others) names += (names.empty() ? "" : ", ") + other;
  if (!names.empty())
    text +=
        "  not run     " + names + ": what they recorded stands as long as its cause does; give their programs too\n";
  return text;
}

/// What a program makes of many cases.
struct Compared {
  Compared(cases::Program program, std::size_t show)
      : tally(program.participant, show), batches(std::move(program), tally) {}
  cases::Tally tally;
  Batches batches;
};

void add_run(CLI::App& cases, int& exit_code) {
  struct Options {
    ProgramOptions program;
    FuzzArguments fuzz;
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
                           "  quadrille case run double.case --participant payment=build/dev/bin/shop-payment\n"
                           "  quadrille case run double.case --participant payment=bin/shop-payment --fuzz 1000\n\n"
                           "Exit code: 0 the same, 1 not, 2 it could not be run.");
  command->add_option("files", options->files, "Case files")->required()->check(CLI::ExistingFile);
  options->program.add_to(*command);
  command->add_option("--format", options->format, "text, or json: one report a line")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  options->fuzz.add_to(*command);
  command->callback([options, &exit_code] {
    const auto all = read_cases(options->files);
    bool saved = false;
    for (auto& program : options->program.programs()) {
      program.options = options->fuzz.options();
      const auto reports = cases::run(program, all);
      saved = saved || options->fuzz.save_smallest(all, reports);
      for (const auto& report : reports) {
        std::cout << (options->format == "json" ? casefile::to_json(report) + "\n" : casefile::as_text(report));
        exit_code = std::max(exit_code, exit_code_of(report));
      }
    }
  });
}

void add_vary(CLI::App& cases, int& exit_code) {
  struct Options {
    ProgramOptions program;
    FuzzArguments fuzz;
    std::string file;
    std::vector<std::string> set;
    std::vector<std::string> drop;
    std::vector<std::string> twice;
    std::vector<std::string> first;
    std::vector<std::string> delay;
  };
  auto options = std::make_shared<Options>();
  auto* command = cases.add_subcommand(
      "vary",
      "Lets participants hear a recorded saga otherwise than it was, and says where that ends: first for the steps of "
      "each alone,\nthen for the saga as a whole, where each hears what the others say to that. Events are named by "
      "id, "
      "or by type without\nits package.\n\n"
      "  quadrille case vary double.case --participant payment=bin/shop-payment --drop StockReserved\n"
      "  quadrille case vary double.case --participant payment=bin/shop-payment --delay StockReserved=2h\n"
      "  quadrille case vary double.case --participant payment=bin/shop-payment --set StockReserved.quantity=2\n"
      "  quadrille case vary double.case --participant payment=bin/shop-payment --participant order=bin/shop-order "
      "--drop StockReserved\n\n"
      "Exit code: 0 told, 1 --fuzz found a divergence, 2 it could not be run.");
  command->add_option("file", options->file, "Case file")->required()->check(CLI::ExistingFile);
  options->program.add_to(*command);
  command->add_option("--drop", options->drop, "Does not come");
  command->add_option("--twice", options->twice, "Comes again at once");
  command->add_option("--first", options->first, "Comes before everything else");
  command->add_option("--delay", options->delay, "Comes later")->type_name("EVENT=TIME");
  command->add_option("--set", options->set, "Says something else: a value as JSON has it, a text without quotes")
      ->type_name("EVENT.FIELD=VALUE");
  options->fuzz.add_to(*command);
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
    for (const auto& set : options->set) changes.push_back(cases::Change::parse_set(set));
    const auto all = read_cases({options->file});
    auto programs = options->program.programs();
    bool saved = false;
    for (auto& program : programs) {
      program.options = options->fuzz.options();
      std::vector<Case> varied;
      for (const auto& one : all) varied.push_back(cases::vary(one, program.participant, changes));
      const auto reports = cases::run(program, varied);
      saved = saved || options->fuzz.save_smallest(varied, reports);
      for (const auto& report : reports) {
        std::cout << casefile::as_text(report);
        exit_code = std::max(exit_code, exit_code_of(report));
      }
      program.options.clear();
    }
    if (options->fuzz.tries > 0) return;
    for (const auto& one : all) std::cout << course_of(one, programs, changes);
  });
}

void add_what_if(CLI::App& cases, int& exit_code) {
  struct Options {
    ProgramOptions program;
    std::vector<std::filesystem::path> files;
    traffic::Source source;
    archive::Window began;
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
      "  quadrille case what-if --nats-url nats://127.0.0.1:4222 --participant payment=build/dev/bin/shop-payment\n"
      "  quadrille case what-if --archive november.qarc --from 2026-11-27T00:00:00Z --to 2026-11-28T00:00:00Z "
      "--participant\n    payment=build/dev/bin/shop-payment\n\n"
      "Exit code: 0 nothing changes, 1 something does, 2 a saga could not be run.");
  command->add_option("files", options->files, "Case files, or folders of *.case")->check(CLI::ExistingPath);
  add_source(*command, options->source);
  add_window(*command, options->began, "Sagas that began");
  options->program.add_to(*command);
  command->add_option("--show", options->show, "How many of the sagas that differ to tell in full")
      ->capture_default_str();
  command->add_option("--format", options->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command->callback([options, &exit_code] {
    if (options->source.is_set() != options->files.empty())
      throw CLI::ValidationError("case what-if",
                                 "needs case files, or one of --nats-url, --database-url, --archive and --file");
    std::vector<std::unique_ptr<Compared>> all;
    for (auto& program : options->program.programs())
      all.push_back(std::make_unique<Compared>(std::move(program), options->show));
    const auto add = [&](const Case& one) {
      for (const auto& compared : all) compared->batches.add(one);
    };
    std::uint64_t done = 0;
    if (options->source.is_set()) {
      std::optional<terminal::Progress> progress;
      cases::collect_all(options->source, options->began, [&](const Case& one, std::uint64_t sagas) {
        if (!progress) progress.emplace("sagas", options->began.is_open() ? sagas : 0);
        add(one);
        progress->at(++done);
      });
    }
    read_cases(options->files, [&](const Case& one) {
      if (options->began.is_open() || began_in(options->began, one)) add(one);
    });
    for (const auto& compared : all) {
      compared->batches.flush();
      const auto& tally = compared->tally;
      if (tally.sagas() == 0)
        throw std::runtime_error("case what-if: no saga " +
                                 std::string(options->began.is_open() ? "is there" : "began in that time") +
                                 ", so nothing was compared");
      std::cout << (options->format == "json" ? tally.as_json() : tally.as_text());
      exit_code = std::max(exit_code, tally.is_partial() ? 2 : tally.has_findings() ? 1 : 0);
    }
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
