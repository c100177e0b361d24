#include "archive/archive.hpp"
#include "core/redact.hpp"
#include "core/uuid.hpp"
#include "jetstream/jetstream_broker.hpp"
#include "jetstream/stream_follower.hpp"
#include "quadrille/commands/commands.hpp"
#include "quadrille/commands/source_arguments.hpp"
#include "quadrille/error.hpp"
#include "republish/republisher.hpp"
#include "terminal/progress.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <iostream>
#include <memory>
#include <stdexcept>

namespace quadrille::tool {
namespace {

struct Options {
  traffic::Source source;
  std::string target;
  std::string target_credentials;
  std::string target_tls_ca;
  std::string prefix;
  bool live = false;
  std::string pace = "recorded";
  std::string ids = "keep";
  std::string format = "text";
};

/// What lives below these is somebody's.
void refuse_foreign(const std::string& prefix) {
  const auto legal = [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.'; };
  const auto first = prefix.substr(0, prefix.find('.'));
  constexpr std::array taken{"evt", "quadrille", "_INBOX"};
  if (prefix.empty() || !std::ranges::all_of(prefix, legal) || prefix.starts_with('.') || prefix.ends_with('.') ||
      prefix.find("..") != std::string::npos)
    throw CLI::ValidationError("--prefix",
                               "'" + prefix + "' is not words of letters, digits, - and _ with dots between");
  if (std::ranges::find(taken, first) != taken.end())
    throw CLI::ValidationError("--prefix", "'" + prefix + "': what begins with " + first +
                                               " is a running system's; take another word, such as scratch");
}

/// The stream below a prefix: SCRATCH_friday for friday.
std::string stream_of(const std::string& prefix) {
  std::string name = "SCRATCH_" + prefix;
  std::ranges::replace(name, '.', '_');
  return name;
}

bool confirmed(const Options& options) {
  const auto server = without_password(options.target);
  std::cerr << "This publishes recorded events into the live subjects evt.> of " << server
            << ".\nParticipants there will take them for new ones and act on them. Type " << server
            << " to go on: " << std::flush;
  std::string typed;
  std::getline(std::cin, typed);
  return typed == server;
}

std::uint64_t total_of(const traffic::Source& source) {
  return source.archive.empty() || !source.window.is_open() ? 0 : archive::Archive(source.archive).directory().events();
}

/// The server to publish to, called as its option is.
template <class Work>
auto at_target(const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    throw Error(error.disposition(), std::string("--target: ") + error.what());
  }
}

int republish_events(const Options& options, const republish::Pace& pace) {
  jetstream::JetStreamSettings settings;
  settings.url = options.target;
  settings.client_name = "quadrille-republish";
  settings.credentials_file = options.target_credentials;
  settings.tls_ca = options.target_tls_ca;
  settings.connect_timeout = std::chrono::seconds(5);
  std::atomic<std::uint64_t> there_already{0};
  settings.duplicate = [&] { ++there_already; };
  if (options.live) {
    if (!confirmed(options)) {
      std::cerr << "quadrille: not confirmed, nothing was published\n";
      return 2;
    }
    static_cast<void>(
        at_target([&] { return jetstream::StreamFollower(settings, "EVT", "evt.>").look(); }));  // there has to be one
  }
  const auto broker = at_target([&] { return jetstream::connect(settings); });
  const auto stream = options.live ? std::string("EVT") : stream_of(options.prefix);
  if (!options.live) {
    Topology topology;
    topology.stream = stream;
    topology.subjects = {options.prefix + ".>"};
    topology.registry.clear();
    broker->ensure(topology);
  }
  republish::Republisher republisher(*broker,
                                     {options.live ? std::string() : options.prefix,
                                      options.ids == "renew" ? std::optional(new_uuid()) : std::nullopt, pace});
  const auto start = std::chrono::steady_clock::now();
  std::uint64_t read = 0;
  std::uint64_t published = 0;
  {
    terminal::Progress progress("events", total_of(options.source));
    traffic::read(options.source, [&](const Event& event) {
      republisher.add(event);
      progress.at(++read);
    });
    published = republisher.finish();
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (options.format == "json") {
    std::cout << nlohmann::ordered_json{{"published", published},
                                        {"there_already", there_already.load()},
                                        {"seconds", seconds},
                                        {"stream", stream},
                                        {"subjects", options.live ? "evt.>" : options.prefix + ".evt.>"}}
                     .dump(2)
              << "\n";
    return 0;
  }
  std::cout << published << " events published to " << (options.live ? "evt.>" : options.prefix + ".evt.>")
            << " (stream " << stream << ") of " << without_password(options.target) << "\n";
  if (there_already > 0)
    std::cout << there_already << " of them were there already, by their ids; --ids renew publishes them anew\n";
  return 0;
}

}  // namespace

void add_republish(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand(
      "republish",
      "Publishes recorded events again, at recorded pace, faster, or as fast as it goes: below a prefix, where nobody "
      "who\nlistens to live events hears them, or at another server. The order of each stream stays, causes come "
      "before\n"
      "effects. The stream below the prefix is made where it is missing (SCRATCH_<prefix>) and stays: delete it with\n"
      "`nats stream rm`.\n\n"
      "  quadrille republish --archive november.qarc --target nats://127.0.0.1:4222 --prefix friday --pace x10\n"
      "  quadrille republish --nats-url nats://prod:4222 --target nats://127.0.0.1:4333 --prefix copy --pace max\n\n"
      "--live publishes to the subjects as they were recorded: participants there act on it. It asks before it does,\n"
      "and wants the server's address typed.");
  add_source(*command, options->source);
  add_window(*command, options->source.window, "Only what was recorded");
  command->add_option("--target", options->target, "NATS to publish to")->required()->type_name("URL");
  command->add_option("--target-credentials", options->target_credentials, "Credentials file there (JWT and seed)")
      ->check(CLI::ExistingFile);
  command->add_option("--target-tls-ca", options->target_tls_ca, "Certificates its own is checked against")
      ->check(CLI::ExistingFile);
  auto* prefix = command->add_option("--prefix", options->prefix, "Put before each subject: <prefix>.evt.<lane>...");
  command->add_flag("--live", options->live, "Into the live subjects evt.>, after confirmation")->excludes(prefix);
  command->add_option("--pace", options->pace, "recorded, x10 for ten times as fast, or max")->capture_default_str();
  command
      ->add_option("--ids", options->ids,
                   "keep: of events, causes and sagas as recorded, so that whoever has heard them drops them; renew: "
                   "others,\nwhich belong together as the recorded ones do. Streams and versions stay either way")
      ->check(CLI::IsMember({"keep", "renew"}))
      ->capture_default_str();
  command->add_option("--format", options->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command->callback([options, &exit_code] {
    need_source(options->source);
    if (options->live == !options->prefix.empty())
      throw CLI::ValidationError("republish", "needs --prefix WORD, or --live for the live subjects");
    if (!options->live) refuse_foreign(options->prefix);
    const auto pace = republish::Pace::parse(options->pace);
    if (!pace)
      throw CLI::ValidationError("--pace",
                                 "'" + options->pace + "' is not recorded, max, or x and a number such as x10");
    exit_code = republish_events(*options, *pace);
  });
}

}  // namespace quadrille::tool
