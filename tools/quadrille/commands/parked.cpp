#include "admin/show.hpp"
#include "asking/asker.hpp"
#include "checker/load.hpp"
#include "core/reason.hpp"
#include "postgres/postgres_store.hpp"
#include "quadrille/commands/commands.hpp"
#include "quadrille/commands/nats_arguments.hpp"
#include "quadrille/commands/person.hpp"
#include "quadrille/v1/options.pb.h"
#include "runtime/desk.hpp"

#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>

namespace quadrille::tool {
namespace {

using control::v1::Answer;
using control::v1::Ask;

struct Options {
  NatsArguments nats;
  std::string database_url;
  std::string participant;
  Person person;
  std::string format = "text";
  std::string message;
  std::string reason;
  std::string reason_class;
  std::string saga;
  std::string payload;
  std::string contracts;
  bool all = false;
  bool dry_run = false;
};

/// Over the broker; or in the participant's database itself, where somebody may and nothing of it runs.
Answer ask(const Options& options, const Ask& ask) {
  Answer answer;
  if (options.database_url.empty()) {
    const auto broker = jetstream::connect(options.nats.settings());
    answer = asking::Asker(*broker).ask(options.participant, ask);
  } else {
    const SystemClock clock;
    const auto store = postgres::connect({.url = options.database_url,
                                          .application_name = "quadrille-parked",
                                          .connections = 2,
                                          .connect_timeout = std::chrono::seconds(5)});
    runtime::Desk({options.participant, ""}, *store, clock).answer(ask, answer);
  }
  return answer;
}

/// 1 where there is no such thing, or something else has to be decided before; 2 where it could not be asked or done.
int report(const Answer& answer) {
  std::cerr << "quadrille: " << answer.failure().text() << "\n";
  switch (answer.failure().kind()) {
    case control::v1::Failure::NOT_FOUND:
      std::cerr << "`quadrille parked list` shows what is stuck\n";
      return 1;
    case control::v1::Failure::BLOCKED:
      return 1;
    default:
      return 2;
  }
}

v1::ReasonClass reason_class(const std::string& name) {
  for (const auto reason : all_reason_classes)
    if (name_of(reason) == name) return static_cast<v1::ReasonClass>(reason);
  return v1::REASON_CLASS_UNSPECIFIED;
}

int list(const Options& options) {
  Ask asked;
  auto& which = *asked.mutable_list_stuck();
  which.set_reason(options.reason);
  which.set_reason_class(reason_class(options.reason_class));
  which.set_saga_id(options.saga);
  which.set_limit(1'000);
  const auto answer = ask(options, asked);
  if (answer.has_failure()) return report(answer);
  const admin::Messages messages(answer.stuck().message().begin(), answer.stuck().message().end());
  if (options.format == "json")
    std::cout << admin::as_json(messages, SystemClock().now()).dump(2) << "\n";
  else if (messages.empty())
    std::cout << "nothing " << (options.reason.empty() && options.saga.empty() ? "" : "like that ") << "is stuck at "
              << options.participant << "\n";
  else
    std::cout << admin::as_table(messages, SystemClock().now());
  if (answer.stuck().more()) std::cerr << "and more: say which by --class, --reason or --saga\n";
  return 0;
}

int show(const Options& options) {
  Ask asked;
  asked.mutable_show_stuck()->set_message_id(options.message);
  const auto answer = ask(options, asked);
  if (answer.has_failure()) return report(answer);
  std::optional<checker::Contracts> contracts;
  if (!options.contracts.empty())
    contracts.emplace(std::vector<std::filesystem::path>{options.contracts}, std::vector<std::filesystem::path>{});
  std::cout << admin::in_full(answer.shown(), SystemClock().now(), contracts ? &contracts->pool() : nullptr).dump(2)
            << "\n";
  return 0;
}

int act(const Options& options, Ask asked, const std::string& done) {
  if (!options.dry_run) options.person.check();
  asked.set_who(options.person.who);
  asked.set_why(options.person.why);
  const auto answer = ask(options, asked);
  if (answer.has_failure()) return report(answer);
  for (const auto& id : answer.done().message_id()) std::cout << done << ": " << id << "\n";
  if (answer.done().more()) std::cerr << "and more: do it again for those\n";
  if (answer.done().message_id_size() > 0) return 0;
  std::cerr << "quadrille: nothing like that is stuck at " << options.participant << "\n";
  return 1;
}

std::string content(const std::string& file) {
  std::ifstream input(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(input), {}};
}

int retry(const Options& options) {
  Ask asked;
  if (!options.message.empty()) {
    asked.mutable_retry()->set_message_id(options.message);
    if (!options.payload.empty()) asked.mutable_retry()->set_payload_json(content(options.payload));
    return act(options, asked, "tried again");
  }
  if (options.reason.empty() && options.reason_class.empty())
    throw CLI::RequiredError("--message, or --all with --class or --reason");
  asked.mutable_retry_all()->set_reason(options.reason);
  asked.mutable_retry_all()->set_reason_class(reason_class(options.reason_class));
  asked.mutable_retry_all()->set_dry_run(options.dry_run);
  return act(options, asked, options.dry_run ? "would be tried again" : "tried again");
}

int discard(const Options& options) {
  Ask asked;
  asked.mutable_discard()->set_message_id(options.message);
  return act(options, asked, "discarded");
}

CLI::App* add(CLI::App& parked, const std::shared_ptr<Options>& options, int& exit_code, const std::string& name,
              const std::string& help, int (*run)(const Options&)) {
  auto* command = parked.add_subcommand(name, help);
  command->add_option("--participant", options->participant, "Whose")->required();
  options->nats.add_to(*command);
  command
      ->add_option("--database-url", options->database_url,
                   "Open the participant's database instead of asking over NATS, as libpq takes it; give passwords by "
                   "environment: other users see flags")
      ->envname("QUADRILLE_DATABASE_URL");
  command->callback([options, run, &exit_code] { exit_code = run(*options); });
  return command;
}

/// By class and text of the reason.
void add_filter(CLI::App& command, Options& options) {
  command
      .add_option("--class", options.reason_class,
                  "Whose class is that: technical, business, contract, configuration or overload")
      ->check(CLI::IsMember({"technical", "business", "contract", "configuration", "overload"}));
  command.add_option("--reason", options.reason, "Whose reason has this text in it");
}

}  // namespace

void add_parked(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  auto* parked = app.add_subcommand(
      "parked",
      "What waits for a person at one participant: messages that were parked, and those of compensations that have "
      "failed too often.\n"
      "The participant is asked over NATS and acts itself. What people do is written to its audit trail and said as "
      "ActTaken.\n\n"
      "  quadrille parked list --participant payment\n"
      "  quadrille parked retry --participant payment --all --class technical --dry-run\n"
      "  quadrille parked retry --participant payment --message 7f3c... --payload mended.json --why \"ticket 41\"\n"
      "  quadrille parked discard --participant payment --message 7f3c... --why \"paid in cash, ticket 42\"");
  parked->require_subcommand(1);
  auto* listing =
      add(*parked, options, exit_code, "list", "What is stuck: reason, tries, age, key, saga; the oldest first", list);
  listing->add_option("--format", options->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  add_filter(*listing, *options);
  listing->add_option("--saga", options->saga, "Of this saga");
  auto* showing = add(*parked, options, exit_code, "show", "One message in full, as JSON", show);
  showing->add_option("--message", options->message, "Its id")->required();
  showing
      ->add_option("--contracts", options->contracts,
                   "Folder of .proto files that declare what is in the payload; default: as the participant reads it")
      ->envname("QUADRILLE_CONTRACTS");
  auto* retrying =
      add(*parked, options, exit_code, "retry",
          "Lets the service try again now; what stands behind the message waits on until it is handled", retry);
  auto* one = retrying->add_option("--message", options->message, "This one");
  retrying
      ->add_option("--payload", options->payload,
                   "File with the payload to try it with instead, as JSON; the audit trail keeps the original")
      ->check(CLI::ExistingFile)
      ->needs(one);
  retrying->add_flag("--all", options->all, "All that meet --class and --reason")->excludes(one);
  retrying->add_flag("--dry-run", options->dry_run, "Only say which")->excludes(one);
  add_filter(*retrying, *options);
  auto* discarding =
      add(*parked, options, exit_code, "discard",
          "Takes a message out for good, unhandled; its stream goes on behind it. The saga may need another way to end",
          discard);
  discarding->add_option("--message", options->message, "Its id")->required();
  for (auto* act : {retrying, discarding}) options->person.add_to(*act);
}

}  // namespace quadrille::tool
