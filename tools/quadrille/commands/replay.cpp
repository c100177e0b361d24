#include "checker/load.hpp"
#include "core/envelope.hpp"
#include "jetstream/jetstream_broker.hpp"
#include "quadrille/commands/commands.hpp"
#include "quadrille/error.hpp"
#include "replay/stream_history.hpp"
#include "replay/timeline.hpp"

#include <iostream>
#include <memory>

namespace quadrille::tool {
namespace {

struct Options {
  std::string nats_url = "nats://127.0.0.1:4222";
  std::string nats_credentials;
  std::string tls_ca;
  std::string saga;
  std::string stream;
  std::string contracts;
  std::string format = "text";
};

/// Every event of the system that `wanted` picks; messages that are not events are skipped.
std::vector<Event> read_events(const Options& options, const std::function<bool(const Event&)>& wanted) {
  jetstream::JetStreamSettings settings;
  settings.url = options.nats_url;
  settings.client_name = "quadrille-replay";
  settings.credentials_file = options.nats_credentials;
  settings.tls_ca = options.tls_ca;
  settings.connect_timeout = std::chrono::seconds(5);
  std::vector<Event> events;
  jetstream::read_stream(settings, "EVT", "evt.>", [&](const Delivery& delivery) {
    try {
      auto event = to_event(delivery.message);
      if (wanted(event)) events.push_back(std::move(event));
    } catch (const Error&) {
      return;  // not one of ours; its consumers have parked it
    }
  });
  return events;
}

int replay_saga(const Options& options) {
  const auto events = read_events(options, [&](const Event& event) { return event.saga_id == options.saga; });
  if (events.empty()) {
    std::cerr << "quadrille: no event of saga " << options.saga << " at " << options.nats_url
              << "; is the id complete, and has the stream kept it?\n";
    return 1;
  }
  const auto entries = replay::timeline(events);
  if (options.format == "json")
    std::cout << replay::as_json(entries).dump(2) << "\n";
  else
    std::cout << "saga " << options.saga << "\n" << replay::as_text(entries);
  return 0;
}

int replay_stream(const Options& options, const google::protobuf::DescriptorPool& pool) {
  const auto name = StreamName::parse(options.stream);
  const auto events = read_events(options, [&](const Event& event) { return event.stream == name; });
  if (events.empty()) {
    std::cerr << "quadrille: no event of stream " << options.stream << " at " << options.nats_url
              << "; stream names are <aggregate>-<key>\n";
    return 1;
  }
  const auto versions = replay::history(events, pool);
  if (options.format == "json")
    std::cout << replay::as_json(versions).dump(2) << "\n";
  else
    std::cout << "stream " << options.stream << "\n" << replay::as_text(versions);
  return 0;
}

}  // namespace

void add_replay(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  auto* command =
      app.add_subcommand("replay",
                         "Tells from the recorded events what happened: to a saga (time, delta, participant, event, "
                         "version, cause), or to a\n"
                         "stream (what is known after each version, as JSON, and what changed). Reads only.\n\n"
                         "  quadrille replay --saga 7f3c... --nats-url nats://127.0.0.1:4222\n"
                         "  quadrille replay --stream payment-42 --contracts contracts/shop");
  auto* saga = command->add_option("--saga", options->saga,
                                   "Id of a saga: in every log line and in the answer to the request that began it");
  command->add_option("--stream", options->stream, "Name of a stream, <aggregate>-<key>")->excludes(saga);
  command->add_option("--contracts", options->contracts, "Folder of .proto files that declare the stream's events")
      ->envname("QUADRILLE_CONTRACTS");
  command->add_option("--format", options->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command->add_option("--nats-url", options->nats_url, "Where NATS is")
      ->envname("QUADRILLE_NATS_URL")
      ->capture_default_str();
  command->add_option("--nats-credentials", options->nats_credentials, "Credentials file (JWT and seed)")
      ->envname("QUADRILLE_NATS_CREDENTIALS")
      ->check(CLI::ExistingFile);
  command->add_option("--tls-ca", options->tls_ca, "Certificates NATS's is checked against")
      ->envname("QUADRILLE_TLS_CA")
      ->check(CLI::ExistingFile);
  command->callback([options, &exit_code] {
    if (options->saga.empty() == options->stream.empty())
      throw CLI::ValidationError("replay", "needs --saga or --stream");
    if (!options->stream.empty() && options->contracts.empty())
      throw CLI::ValidationError("--stream", "needs --contracts, which say what the events hold");
    if (!options->saga.empty()) {
      exit_code = replay_saga(*options);
      return;
    }
    const checker::Contracts contracts({options->contracts}, {});
    exit_code = replay_stream(*options, contracts.pool());
  });
}

}  // namespace quadrille::tool
