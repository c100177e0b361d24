#include "dev/system.hpp"
#include "embedded/probe.hpp"
#include "quadrille/commands/commands.hpp"
#include "shop/load.hpp"

#include <csignal>
#include <iostream>
#include <memory>
#include <optional>
#include <set>

namespace quadrille::tool {
namespace {

constexpr std::size_t cluster_servers = 3;  // the fewest of which one may be away

struct Options {
  std::filesystem::path folder;
  std::filesystem::path migrations;
  std::vector<std::string> services;
  bool no_stock = false;
  bool cluster = false;
};

/// `payment=build/bin/shop-payment`
dev::ServiceSpec parse_service(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw CLI::ValidationError("--service", "'" + text + "' is not PARTICIPANT=PROGRAM");
  return {text.substr(0, equals), std::filesystem::absolute(text.substr(equals + 1)), {}};
}

sigset_t block_stop_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return signals;
}

void print_urls(dev::System& system) {
  std::cout << "\nNATS        " << system.cluster().url() << "\n";
  for (const auto& service : system.services())
    std::cout << "PostgreSQL  " << system.service_url(service.participant) << "\n";
}

/// The log may be gone when everything is over: its end is shown here.
void tell_end(const std::string& name, const dev::System::End& end) {
  const auto& [code, log] = end;
  const std::string how =
      code > 128 ? "was ended by signal " + std::to_string(code - 128) : "ended with exit code " + std::to_string(code);
  std::cerr << "\n"
            << name << " " << how << "; the end of " << log.string() << ":\n"
            << embedded::tail(log) << std::flush;
}

/// Children inherit the signal mask: they have to be started before the signals are blocked, or unblock them
/// themselves, which quadrille::run does and servers of others do not.
void wait_for_stop(const sigset_t& signals, dev::System& system) {
  std::cout << "\nCtrl-C stops everything.\n" << std::flush;
  std::set<std::string> told;
  constexpr timespec between{.tv_sec = 0, .tv_nsec = 500'000'000};
  while (sigtimedwait(&signals, nullptr, &between) < 0)
    for (const auto& [name, end] : system.ended())
      if (told.insert(name).second) tell_end(name, end);
  std::cout << "\nstopping\n" << std::flush;
}

void run(const Options& options, bool start_services) {
  const auto signals = block_stop_signals();  // from the first server on: a Ctrl-C while starting is obeyed right after
  const std::optional<embedded::TemporaryFolder> temporary =
      options.folder.empty() ? std::make_optional<embedded::TemporaryFolder>() : std::nullopt;
  const auto folder = temporary ? temporary->path() : std::filesystem::absolute(options.folder);
  std::filesystem::create_directories(folder);
  std::vector<dev::ServiceSpec> services;
  for (const auto& text : options.services) services.push_back(parse_service(text));
  const bool shop = services.empty();
  const auto binaries = std::filesystem::canonical("/proc/self/exe").parent_path();
  if (shop) services = dev::shop_services(binaries);
  if (start_services) services.push_back(dev::tracker_service(binaries, folder));
  dev::System system({.folder = folder,
                      .services = services,
                      .migrations = options.migrations,
                      .nats_servers = options.cluster ? cluster_servers : 1,
                      .progress = [](const std::string& text) { std::cerr << "  " << text << std::endl; }});
  if (shop && !options.no_stock) shop::open_shop(system, shop::usual_opening());
  if (start_services) {
    system.start_all();
    system.await_all_ready();
  }
  print_urls(system);
  if (start_services)
    for (const auto& service : services)
      std::cout << "HTTP        http://" << system.http(service.participant) << "  (" << service.participant << ")\n";
  if (start_services)
    std::cout << "\nWatch sagas at http://" << system.http("tracker")
              << " or with\n  quadrille saga list --tracker http://" << system.http("tracker")
              << "\nTo act there: " << (folder / "tracker-token").string() << "\n";
  if (start_services && shop)
    std::cout << "\nPlace an order:\n  curl -i http://" << system.http("order")
              << "/orders -H 'Idempotency-Key: 1' \\\n"
              << "    -d '{\"customer_id\": \"ada\", \"item\": \"clock\", \"quantity\": 1, \"amount_cents\": 2500}'\n";
  std::cout << "\nLogs and data in " << folder.string() << (temporary ? " (removed at the end)" : "") << "\n";
  wait_for_stop(signals, system);
  const auto dead = system.ended();
  for (const auto& [name, code] : system.stop_services())
    if (code != 0 && !dead.contains(name)) tell_end(name, {code, folder / (name + ".log")});
}

void add_options(CLI::App& command, Options& options) {
  command.add_option("--folder", options.folder,
                     "Keeps data and logs here, and goes on with what is there; default: a temporary folder");
  command
      .add_option("--migrations", options.migrations,
                  "Folder with one folder a participant; framework/ where it differs from the installed one")
      ->envname("QUADRILLE_MIGRATIONS")
      ->check(CLI::ExistingDirectory);
  command.add_option("--service", options.services,
                     "PARTICIPANT=PROGRAM, may be repeated; default: the shop beside this tool");
  command.add_flag("--cluster", options.cluster,
                   "Starts three NATS servers as one cluster; its streams have three replicas");
  command.add_flag("--no-stock", options.no_stock, "Leaves the shop's accounts and shelves empty");
}

}  // namespace

void add_dev(CLI::App& app, int&) {
  auto options = std::make_shared<Options>();
  auto* command =
      app.add_subcommand("dev",
                         "Starts nats-server and PostgreSQL from the installed binaries on free ports, also as root, "
                         "with a migrated database\n"
                         "and a role for each participant, and prints their URLs. Everything ends with Ctrl-C.\n\n"
                         "  quadrille dev                     servers only\n"
                         "  quadrille dev run                 the shop's services and the tracker\n"
                         "  quadrille dev --folder .dev run   keeps data and logs for the next time\n"
                         "  quadrille dev --cluster run       on a NATS cluster of three");
  add_options(*command, *options);
  auto* run_command = command->add_subcommand("run", "Starts the services too");
  add_options(*run_command, *options);
  command->callback([options, run_command] { run(*options, run_command->parsed()); });
}

}  // namespace quadrille::tool
