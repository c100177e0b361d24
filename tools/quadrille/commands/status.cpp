#include "admin/survey.hpp"
#include "quadrille/commands/commands.hpp"
#include "quadrille/commands/nats_arguments.hpp"

#include <chrono>
#include <iostream>
#include <memory>
#include <thread>
#include <unistd.h>

namespace quadrille::tool {
namespace {

constexpr std::chrono::seconds between_looks{2};

struct Options {
  NatsArguments nats;
  std::string format;
  bool watch = false;
  admin::Limits limits;
};

/// Shows how everybody is now; true where all is well.
bool look(const Options& options, Broker& broker) {
  const auto now = SystemClock().now();
  const auto all = admin::survey(broker, admin::members(options.nats.settings()));
  const auto problems = admin::problems(all, options.limits, now);
  const bool table = options.format.empty() ? isatty(STDOUT_FILENO) != 0 : options.format == "table";
  if (table && options.watch) std::cout << "\033[H\033[2J";
  if (table)
    std::cout << admin::as_table(all, problems, now) << std::flush;
  else
    std::cout << admin::as_json(all, problems, now).dump(options.watch ? -1 : 2) << std::endl;
  return problems.empty();
}

int run(const Options& options) {
  const auto broker = jetstream::connect(options.nats.settings());
  if (!options.watch) return look(options, *broker) ? 0 : 1;
  for (;;) {  // until somebody ends it
    static_cast<void>(look(options, *broker));
    std::this_thread::sleep_for(between_looks);
  }
}

}  // namespace

void add_status(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand(
      "status",
      "How every participant and instance is: ready, version, contract, lanes, outbox, slot, how far behind, what is "
      "stuck. Asks over\n"
      "NATS. Who is registered and does not answer is SILENT.\n\n"
      "  quadrille status --watch\n"
      "  quadrille status --format json --max-lag 100 || page somebody\n\n"
      "Exit code: 0 all is well, 1 something is wrong (SILENT, not ready, stuck, or over a limit), 2 could not ask.");
  options->nats.add_to(*command);
  command->add_option("--format", options->format, "table or json; default: a table on a terminal, else JSON")
      ->check(CLI::IsMember({"table", "json"}));
  command->add_flag("--watch", options->watch, "Again every two seconds, until it is ended");
  command->add_option("--max-lag", options->limits.lag, "Messages a participant may be behind")->capture_default_str();
  command
      ->add_option_function<std::int64_t>(
          "--max-outbox-age",
          [options](std::int64_t seconds) { options->limits.outbox_age = std::chrono::seconds(seconds); },
          "Seconds an event may be in an outbox")
      ->check(CLI::NonNegativeNumber)
      ->default_str("60");
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace quadrille::tool
