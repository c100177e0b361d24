#include "quadrille/commands/commands.hpp"
#include "quadrille/commands/person.hpp"
#include "saga/tracker_client.hpp"
#include "terminal/progress.hpp"
#include "terminal/table.hpp"

#include <chrono>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <thread>

namespace quadrille::tool {
namespace {

using Json = saga::TrackerClient::Json;
using Steady = std::chrono::steady_clock;

struct Options {
  std::string tracker = "http://127.0.0.1:8080";
  std::string token_file;
  std::string tls_ca;
  std::string format = "text";
  std::uint64_t from = 1;
  bool watch = false;
  Person person;
};

/// What the tracker says of itself; nothing while it is away, which it may be for a minute at most.
std::optional<Json> look(const saga::TrackerClient& client, Steady::time_point& heard) {
  constexpr std::chrono::minutes patience{1};
  try {
    auto told = client.get("/api/overview")["tracker"];
    heard = Steady::now();
    return told;
  } catch (const std::runtime_error&) {
    if (Steady::now() - heard > patience) throw;
    return std::nullopt;
  }
}

int rebuild(const Options& options) {
  constexpr std::chrono::milliseconds between{300};
  std::string token;
  if (!options.token_file.empty()) std::getline(std::ifstream(options.token_file) >> std::ws, token);
  const saga::TrackerClient client(options.tracker, token, options.tls_ca);
  const auto before = client.get("/api/overview")["tracker"];
  const auto generation = before["generation"].get<int>();
  if (options.watch && before["rebuild"].is_null()) {
    std::cout << "no rebuild goes on; generation " << generation << " is served\n";
    return 1;
  }
  if (!options.watch)
    static_cast<void>(client.post(
        "/api/acts",
        {{"act", "rebuild"}, {"from", options.from}, {"who", options.person.who}, {"why", options.person.why}}));
  const auto start = Steady::now();
  auto heard = start;
  std::optional<terminal::Progress> progress;
  for (;; std::this_thread::sleep_for(between)) {
    const auto told = look(client, heard);
    if (!told) continue;
    if ((*told)["generation"].get<int>() != generation) break;
    const auto& now = (*told)["rebuild"];
    if (now.is_null()) continue;  // not begun yet
    const auto done = now["sequence"].get<std::uint64_t>();
    if (!progress) progress.emplace("messages", now["until"].get<std::uint64_t>(), done);
    progress->at(done);
  }
  progress.reset();
  const auto served = client.get("/api/overview")["tracker"];
  const std::chrono::duration<double> spent = Steady::now() - start;
  if (options.format == "json")
    std::cout << Json{{"generation", served["generation"]},
                      {"sequence", served["sequence"]},
                      {"seconds", spent.count()}}
                     .dump(2)
              << "\n";
  else
    std::cout << "rebuilt up to message " << served["sequence"] << " of the stream in "
              << terminal::age_text(std::chrono::duration_cast<std::chrono::microseconds>(spent)) << "; generation "
              << served["generation"] << " is served\n";
  return 0;
}

}  // namespace

void add_rebuild(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand(
      "rebuild",
      "Lets the tracker fold the stream anew, beside the tables it serves, which stay up to date "
      "and are replaced when\n"
      "the new ones have caught up. Shows how far it is. Interrupting this command changes nothing, "
      "and a tracker that\n"
      "is stopped meanwhile goes on where it was.\n"
      "With --from only what came since is folded anew; what the tables know from before is taken over, also where "
      "the\n"
      "stream keeps it no more. `quadrille where EVENT` says which message of the stream an event is.\n\n"
      "  quadrille rebuild --tracker http://127.0.0.1:8080 --token-file secrets/tracker.token --why \"restored EVT\"\n"
      "  quadrille rebuild --from 1200000 --why \"the tracker was upgraded\"\n"
      "  quadrille rebuild --watch\n\n"
      "Exit code: 0 rebuilt, 1 --watch and no rebuild goes on, 2 the tracker cannot be asked.");
  command->add_option("--tracker", options->tracker, "Where quadrille-tracker serves")
      ->envname("QUADRILLE_TRACKER")
      ->capture_default_str();
  command->add_option("--token-file", options->token_file, "File with the tracker's token")
      ->envname("QUADRILLE_TOKEN_FILE")
      ->check(CLI::ExistingFile);
  command->add_option("--tracker-tls-ca", options->tls_ca, "Certificates an https tracker's is checked against")
      ->check(CLI::ExistingFile);
  command->add_option("--from", options->from, "The first message of the stream to be folded anew")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_flag("--watch", options->watch, "Only watches one that goes on");
  command->add_option("--format", options->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  options->person.add_to(*command);
  command->callback([options, &exit_code] {
    if (!options->watch) options->person.check();
    exit_code = rebuild(*options);
  });
}

}  // namespace quadrille::tool
