#include "admin/parked.hpp"

#include "admin/show.hpp"
#include "checker/load.hpp"
#include "postgres/postgres_store.hpp"
#include "quadrille/commands/commands.hpp"
#include "quadrille/v1/options.pb.h"

#include <cstdlib>
#include <iostream>
#include <memory>
#include <unistd.h>

namespace quadrille::tool {
namespace {

struct Options {
  std::string database_url;
  std::string participant;
  std::string who;
  std::string format = "text";
  std::string message;
  std::string reason;
  std::string because;
  std::string contracts;
};

std::string usual_who() {
  for (const auto* variable : {"SUDO_USER", "USER", "LOGNAME"})
    if (const auto* name = std::getenv(variable); name != nullptr && *name != '\0') return name;
  return "uid " + std::to_string(getuid());
}

std::unique_ptr<Store> open(const Options& options) {
  return postgres::connect({.url = options.database_url,
                            .application_name = "quadrille-parked",
                            .connections = 2,
                            .connect_timeout = std::chrono::seconds(5)});
}

int not_stuck(const Options& options) {
  std::cerr << "quadrille: no message " << options.message << " is stuck at " << options.participant
            << "; `quadrille parked list` shows those that are\n";
  return 1;
}

int list(const Options& options) {
  const SystemClock clock;
  const auto store = open(options);
  const auto messages = admin::Parked(*store, clock, options.participant, options.who).list();
  if (options.format == "json")
    std::cout << admin::as_json(messages, clock.now()).dump(2) << "\n";
  else if (messages.empty())
    std::cout << "nothing is stuck at " << options.participant << "\n";
  else
    std::cout << admin::as_table(messages, clock.now());
  return 0;
}

int show(const Options& options) {
  const SystemClock clock;
  const auto store = open(options);
  const auto message = admin::Parked(*store, clock, options.participant, options.who).find(options.message);
  if (!message) return not_stuck(options);
  const auto print = [&](const google::protobuf::DescriptorPool& pool) {
    std::cout << admin::in_full(*message, clock.now(), pool).dump(2) << "\n";
  };
  if (options.contracts.empty())
    print(*v1::Participant::descriptor()->file()->pool());
  else
    print(checker::Contracts({options.contracts}, {}).pool());
  return 0;
}

int retry(const Options& options) {
  const SystemClock clock;
  const auto store = open(options);
  admin::Parked parked(*store, clock, options.participant, options.who);
  if (!options.message.empty()) {
    if (!parked.retry(options.message, options.because)) return not_stuck(options);
    std::cout << "tried again: " << options.message << "\n";
    return 0;
  }
  const auto retried = parked.retry_all(options.reason);
  for (const auto& id : retried) std::cout << "tried again: " << id << "\n";
  if (!retried.empty()) return 0;
  std::cerr << "quadrille: nothing is stuck at " << options.participant << " for such a reason\n";
  return 1;
}

int discard(const Options& options) {
  const SystemClock clock;
  const auto store = open(options);
  if (!admin::Parked(*store, clock, options.participant, options.who).discard(options.message, options.because))
    return not_stuck(options);
  std::cout << "discarded: " << options.message << "\n";
  return 0;
}

CLI::App* add(CLI::App& parked, const std::shared_ptr<Options>& options, int& exit_code, const std::string& name,
              const std::string& help, int (*run)(const Options&)) {
  auto* command = parked.add_subcommand(name, help);
  command->add_option("--participant", options->participant, "Whose")->required();
  command
      ->add_option("--database-url", options->database_url,
                   "Its database, as libpq takes it; give passwords by environment: other users see flags")
      ->envname("QUADRILLE_DATABASE_URL")
      ->required();
  command->callback([options, run, &exit_code] { exit_code = run(*options); });
  return command;
}

}  // namespace

void add_parked(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  options->who = usual_who();
  auto* parked = app.add_subcommand(
      "parked",
      "What waits for a person at one participant: messages that were parked, and those of compensations that have "
      "failed too often.\n"
      "What people do is written to quadrille.audit, and said as StepResumed when it is over.\n\n"
      "  quadrille parked list --participant payment\n"
      "  quadrille parked retry --participant payment --reason \"card network\"\n"
      "  quadrille parked discard --participant payment --message 7f3c... --because \"paid in cash, ticket 42\"");
  parked->require_subcommand(1);
  add(*parked, options, exit_code, "list", "What is stuck: reason, tries, age, key, saga; the oldest first", list)
      ->add_option("--format", options->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  auto* showing = add(*parked, options, exit_code, "show", "One message in full, as JSON", show);
  showing->add_option("--message", options->message, "Its id")->required();
  showing->add_option("--contracts", options->contracts, "Folder of .proto files that declare what is in the payload")
      ->envname("QUADRILLE_CONTRACTS");
  auto* retrying =
      add(*parked, options, exit_code, "retry",
          "Lets the service try again now; what stands behind the message waits on until it is handled", retry);
  auto* which = retrying->add_option_group("which");
  which->add_option("--message", options->message, "This one");
  which->add_option("--reason", options->reason, "All whose reason has this text in it");
  which->require_option(1);
  retrying->add_option("--because", options->because, "For the audit trail");
  auto* discarding =
      add(*parked, options, exit_code, "discard",
          "Takes a message out for good, unhandled; its stream goes on behind it. The saga may need another way to end",
          discard);
  discarding->add_option("--message", options->message, "Its id")->required();
  discarding->add_option("--because", options->because, "Why, for the audit trail and StepResumed")->required();
  for (auto* act : {retrying, discarding})
    act->add_option("--by", options->who, "Who decides, for the audit trail")->capture_default_str();
}

}  // namespace quadrille::tool
