#include "rerun/case_command.hpp"

#include "casefile/case_file.hpp"
#include "casefile/report_text.hpp"
#include "core/time_text.hpp"
#include "rerun/rerun.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iostream>
#include <map>
#include <vector>

namespace quadrille::rerun {
namespace {

struct Options {
  std::vector<std::string> files;
  std::string format = "text";
  std::vector<std::string> timeouts;
  FuzzOptions fuzz;
  std::string latest = "1m";
};

int run_file(const Options& options, const std::string& file, Rerunner& rerunner) {
  std::ifstream input(file, std::ios::binary);
  if (!input) throw std::runtime_error("cannot read " + file);
  casefile::Reader reader(input, file);
  int exit_code = 0;
  while (const auto one = reader.next()) {
    const auto report = options.fuzz.tries == 0 ? rerunner.run(*one) : rerunner.fuzz(*one, options.fuzz);
    if (options.format == "json")
      std::cout << casefile::to_json(report) << "\n";
    else
      std::cout << casefile::as_text(report);
    exit_code = std::max(exit_code, !report.could_not().empty() ? 2 : casefile::has_findings(report) ? 1 : 0);
  }
  return exit_code;
}

std::map<std::string, std::chrono::milliseconds> timeouts_of(const Options& options) {
  std::map<std::string, std::chrono::milliseconds> timeouts;
  for (const auto& entry : options.timeouts) {
    const auto equals = entry.find('=');
    const auto after = equals == std::string::npos ? std::nullopt : duration_from(entry.substr(equals + 1));
    if (!after) throw CLI::ValidationError("--timeout", "'" + entry + "' is not STEP=TIME, such as GiveUp=3s");
    timeouts[entry.substr(0, equals)] = *after;
  }
  return timeouts;
}

void add_fuzz(CLI::App& run, Options& options) {
  run.add_option("--fuzz", options.fuzz.tries,
                 "Disturbs the deliveries this many times as a broker may: moves, repeats, loses and delays them, "
                 "through gate and inbox;\nreports the fewest disturbances after which the saga ends otherwise")
      ->type_name("N");
  run.add_option("--seed", options.fuzz.seed, "Of --fuzz: the same one gives the same disturbances")
      ->capture_default_str();
  run.add_option("--tolerate", options.fuzz.tolerated,
                 "Event types, without package, that a disturbed saga may record or not, such as PaymentVoided")
      ->delimiter(',')
      ->type_name("EVENT");
  run.add_option("--latest", options.latest, "No delivery is delayed by more than this by --fuzz")
      ->type_name("TIME")
      ->capture_default_str();
}

}  // namespace

int case_command(int argc, char** argv, Participant& participant, const std::string& name) {
  CLI::App app(
      "Runs the steps of participant \"" + name +
          "\" over recorded sagas, in memory: no NATS, no database, no clock. Case files come from\n"
          "`quadrille case export`. What each step says is compared with what was recorded.\n\n"
          "Exit code: 0 the same, 1 a step says something else, throws, or asked for what is not recorded, 2 a "
          "case cannot be read or run.",
      name);
  app.require_subcommand(1);
  auto* cases = app.add_subcommand("case", "Recorded sagas in files");
  cases->require_subcommand(1);
  auto* run = cases->add_subcommand("run", "Runs this program's steps over them and compares");
  Options options;
  run->add_option("files", options.files, "Case files, of one case or several")->required()->check(CLI::ExistingFile);
  run->add_option("--format", options.format, "text, or json: one report a line, as report.proto has it")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  run->add_option("--timeout", options.timeouts,
                  "The time of a timer step in the system that was recorded, where it was not its contract's, such as "
                  "GiveUp=3s")
      ->delimiter(',')
      ->type_name("STEP=TIME");
  add_fuzz(*run, options);
  try {
    app.parse(argc, argv);
    const auto latest = duration_from(options.latest);
    if (!latest || latest->count() < 1)
      throw CLI::ValidationError("--latest", "'" + options.latest + "' is not a time such as 30s or 2h");
    options.fuzz.latest = *latest;
    Rerunner rerunner(participant, timeouts_of(options));
    int exit_code = 0;
    for (const auto& file : options.files) exit_code = std::max(exit_code, run_file(options, file, rerunner));
    return exit_code;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    std::cerr << name << ": " << error.what() << "\n";
    return 2;
  }
}

}  // namespace quadrille::rerun
