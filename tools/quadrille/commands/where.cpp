#include "admin/trace.hpp"
#include "quadrille/commands/commands.hpp"
#include "quadrille/commands/nats_arguments.hpp"

#include <iostream>
#include <memory>

namespace quadrille::tool {
namespace {

struct Options {
  NatsArguments nats;
  std::string id;
  std::string format = "text";
};

int run(const Options& options) {
  const auto settings = options.nats.settings();
  const auto broker = jetstream::connect(settings);
  const auto trace = admin::trace(*broker, settings, admin::members(settings), options.id);
  if (options.format == "json")
    std::cout << admin::as_json(trace).dump(2) << "\n";
  else
    std::cout << admin::as_text(trace, SystemClock().now());
  if (trace.found()) return 0;
  std::cerr << "quadrille: nobody who answers knows " << options.id
            << ", and of a saga nothing waits and no timer is armed; is the id complete? `quadrille replay --saga` "
               "tells what happened\n";
  return 1;
}

}  // namespace

void add_where(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand(
      "where",
      "Where an event is, across all participants: in whose outbox, where in the stream, delivered or acknowledged at "
      "which consumer,\n"
      "taken over by whom, waiting where and why. Of a saga: its waiting messages and armed timers everywhere.\n\n"
      "  quadrille where 7f3c...\n\n"
      "Exit code: 0 somebody knows it, 1 nobody does, 2 could not ask.");
  command->add_option("id", options->id, "Id of an event or of a saga")->required();
  options->nats.add_to(*command);
  command->add_option("--format", options->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace quadrille::tool
