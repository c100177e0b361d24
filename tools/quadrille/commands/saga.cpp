#include "core/time_text.hpp"
#include "quadrille/commands/commands.hpp"
#include "quadrille/commands/person.hpp"
#include "saga/act.hpp"
#include "saga/show.hpp"
#include "saga/tracker_client.hpp"

#include <fstream>
#include <iostream>
#include <memory>
#include <thread>
#include <unistd.h>

namespace quadrille::tool {
namespace {

struct Options {
  std::string tracker = "http://127.0.0.1:8080";
  std::string token_file;
  std::string tls_ca;
  std::string format;
  bool watch = false;
  std::string id;
  saga::TrackerClient::Query query;
  bool newest = false;
  bool personal = false;
  saga::Act act;
};

constexpr std::chrono::seconds between_looks{2};

std::string token_of(const Options& options) {
  std::string token;
  if (!options.token_file.empty()) std::getline(std::ifstream(options.token_file) >> std::ws, token);
  return token;
}

saga::TrackerClient client_of(const Options& options) { return {options.tracker, token_of(options), options.tls_ca}; }

bool as_table(const Options& options) {
  return options.format.empty() ? isatty(STDOUT_FILENO) != 0 : options.format == "table";
}

/// Once, or again and again until it is interrupted.
void show(const Options& options, const std::function<std::string()>& text) {
  for (;;) {
    const auto shown = text();
    if (options.watch && isatty(STDOUT_FILENO) != 0) std::cout << "\x1b[H\x1b[2J";
    std::cout << shown << std::flush;
    if (!options.watch) return;
    std::this_thread::sleep_for(between_looks);
  }
}

int list(const Options& options) {
  const auto client = client_of(options);
  auto query = options.query;
  if (options.newest) query.emplace("newest", "1");
  bool found = false;
  show(options, [&] {
    const auto page = client.get("/api/sagas", query);
    found = !page["sagas"].empty();
    return as_table(options) ? saga::list_text(page, SystemClock().now()) : page.dump(2) + "\n";
  });
  return found ? 0 : 1;
}

int show_one(const Options& options) {
  const auto client = client_of(options);
  const saga::TrackerClient::Query query =
      options.personal ? saga::TrackerClient::Query{{"personal", "1"}} : saga::TrackerClient::Query{};
  show(options, [&] {
    const auto told = client.get("/api/sagas/" + saga::TrackerClient::segment(options.id), query);
    return as_table(options) ? saga::saga_text(told, SystemClock().now()) : told.dump(2) + "\n";
  });
  return 0;
}

int act(const Options& options) {
  const auto client = client_of(options);
  for (const auto& line : saga::act(client, options.id, options.act)) std::cout << line << "\n";
  return 0;
}

void add_common(CLI::App& command, Options& options) {
  command.add_option("--tracker", options.tracker, "Where quadrille-tracker serves")
      ->envname("QUADRILLE_TRACKER")
      ->capture_default_str();
  command
      .add_option("--token-file", options.token_file, "File with the tracker's token: acts and personal data need it")
      ->envname("QUADRILLE_TOKEN_FILE")
      ->check(CLI::ExistingFile);
  command.add_option("--tracker-tls-ca", options.tls_ca, "Certificates an https tracker's is checked against")
      ->check(CLI::ExistingFile);
  command.add_option("--format", options.format, "table or json; default: table on a terminal, json otherwise")
      ->check(CLI::IsMember({"table", "json"}));
}

void add_filter(CLI::App& command, Options& options, const std::string& flag, const std::string& parameter,
                const std::string& help) {
  command
      .add_option_function<std::vector<std::string>>(
          flag,
          [&options, parameter](const std::vector<std::string>& values) {
            for (const auto& value : values) options.query.emplace(parameter, value);
          },
          help)
      ->type_name("TEXT");
}

void add_list(CLI::App& saga, const std::shared_ptr<Options>& options, int& exit_code) {
  auto* command = saga.add_subcommand(
      "list",
      "Sagas, the oldest first.\n\n"
      "  quadrille saga list --state STUCK\n"
      "  quadrille saga list --step shipping.Book       what waits for that step, the longest wait first\n"
      "  quadrille saga list --state RUNNING --older-than 15m --watch\n\n"
      "Exit code: 0 some match, 1 none does, 2 the tracker could not be asked.");
  add_common(*command, *options);
  add_filter(*command, *options, "--state", "state",
             "RUNNING, COMPENSATING, COMPLETED, CANCELLED or STUCK; may be repeated");
  add_filter(*command, *options, "--saga", "saga", "Its type");
  add_filter(*command, *options, "--step", "step", "Waits for this step, such as payment.Capture");
  add_filter(*command, *options, "--key", "key", "Business key, or how it begins");
  add_filter(*command, *options, "--id", "id", "Saga id, or how it begins");
  add_filter(*command, *options, "--class", "class",
             "STUCK for a reason of this class: technical, business, contract, configuration, overload");
  add_filter(*command, *options, "--error", "error", "STUCK, and the error has this text in it");
  add_filter(*command, *options, "--older-than", "older_than", "Started that long ago or longer: 30s, 15m, 2h");
  add_filter(*command, *options, "--limit", "limit", "Lines at most, up to 1000; default 50");
  add_filter(*command, *options, "--after", "after", "Goes on where the page before ended");
  command->add_flag("--newest", options->newest, "The newest first");
  command->add_flag("--watch", options->watch, "Again every two seconds, until interrupted");
  command->callback([options, &exit_code] { exit_code = list(*options); });
}

void add_show(CLI::App& saga, const std::shared_ptr<Options>& options, int& exit_code) {
  auto* command = saga.add_subcommand(
      "show", "Everything about one: where it stands and why, what is owed, what may be done, what happened.");
  add_common(*command, *options);
  command->add_option("ID", options->id, "Saga id")->required();
  command->add_flag("--personal", options->personal, "Shows personal data in payloads; needs --token-file");
  command->add_flag("--watch", options->watch, "Again every two seconds, until interrupted");
  command->callback([options, &exit_code] { exit_code = show_one(*options); });
}

void add_act(CLI::App& saga, const std::shared_ptr<Options>& options, int& exit_code, const std::string& name,
             const std::string& help) {
  auto* command = saga.add_subcommand(name, help);
  add_common(*command, *options);
  command->add_option("ID", options->id, "Saga id")->required();
  command->add_option("--why", options->act.why, "Reason, for the audit trail and the saga's own story")->required();
  command->add_option("--who", options->act.who, "Your name there; default: the login name")->envname("QUADRILLE_WHO");
  if (name == "resolve")
    command->add_option("--as", options->act.outcome, "How it ended outside: COMPLETED or CANCELLED")
        ->required()
        ->check(CLI::IsMember({"COMPLETED", "CANCELLED"}));
  command->callback([options, name, &exit_code] {
    options->act.name = name;
    if (options->act.who.empty()) options->act.who = login_name();
    exit_code = act(*options);
  });
}

}  // namespace

void add_saga(CLI::App& app, int& exit_code) {
  auto* command = app.add_subcommand("saga",
                                     "Looks at sagas, and pushes them on. Asks quadrille-tracker; acts are done by the "
                                     "participant they concern, audited, and need the tracker's token.");
  command->require_subcommand(1);
  const auto options = std::make_shared<Options>();
  add_list(*command, options, exit_code);
  add_show(*command, options, exit_code);
  add_act(*command, options, exit_code, "retry",
          "Tries what is stuck of one saga again now. Its participant does it; what waits behind goes on in order.");
  add_act(*command, options, exit_code, "discard",
          "Gives up what is parked of one saga: its steps never run for it, and what waits behind goes on.");
  add_act(*command, options, exit_code, "cancel",
          "Asks the owner of the pivot to give up, by running the timer early that does so. Refused once the pivot has "
          "decided.");
  add_act(*command, options, exit_code, "resolve",
          "Records how a STUCK saga ended outside. Nothing else happens. Refused while a message of it is parked.");
}

}  // namespace quadrille::tool
