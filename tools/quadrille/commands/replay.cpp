#include "casefile/case_events.hpp"
#include "checker/load.hpp"
#include "core/envelope.hpp"
#include "core/time_text.hpp"
#include "jetstream/jetstream_broker.hpp"
#include "quadrille/commands/case_options.hpp"
#include "quadrille/commands/commands.hpp"
#include "quadrille/error.hpp"
#include "replay/decode.hpp"
#include "replay/mermaid.hpp"
#include "replay/stepper.hpp"
#include "replay/stream_history.hpp"
#include "replay/timeline.hpp"

#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <unistd.h>

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
  std::string case_file;
  std::string as_of;
  bool step = false;
};

/// The events of the case, and the contracts it brings along.
std::vector<Event> read_case(const Options& options, std::optional<checker::Contracts>& contracts) {
  std::vector<Event> events;
  std::size_t cases = 0;
  for_each_case(options.case_file, [&](const casefile::v1::Case& one) {
    events = casefile::events_of(one);
    if (one.header().descriptors().file_size() > 0) contracts.emplace(one.header().descriptors(), options.case_file);
    ++cases;
  });
  if (cases != 1)
    throw std::runtime_error("--case " + options.case_file + " holds " + std::to_string(cases) +
                             " cases; export the one to look at");
  return events;
}

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

void keep_as_of(const std::string& time, std::vector<Event>& events) {
  if (time.empty()) return;
  const auto until = from_rfc3339(time);
  if (!until)
    throw std::runtime_error("--as-of '" + time + "' is not a time in UTC such as 2026-12-01T10:48:11.000123Z");
  std::erase_if(events, [&](const Event& event) { return event.recorded_at > *until; });
}

int tell_saga(const Options& options, const std::string& saga, const std::vector<Event>& events,
              const checker::Contracts* contracts) {
  const auto entries = replay::timeline(events);
  if (options.step) {
    if (contracts == nullptr)
      throw std::runtime_error(
          "--step needs --contracts, which say what the events hold, or --case, which brings them");
    const bool person = isatty(STDIN_FILENO) != 0;
    const bool understood =
        replay::Stepper(events, contracts->pool(), contracts->reading().model).run(std::cin, std::cout, person);
    return understood || person ? 0 : 2;
  }
  if (options.format == "json") {
    std::cout << replay::as_json(entries).dump(2) << "\n";
  } else if (options.format == "mermaid") {
    std::cout << replay::as_mermaid(entries);
  } else if (options.format == "html") {
    std::vector<nlohmann::ordered_json> contents;
    if (contracts != nullptr)
      for (const auto& entry : entries) contents.push_back(replay::decode(entry.event, contracts->pool()));
    std::cout << replay::as_html("saga " + saga, entries, contents);
  } else {
    std::cout << "saga " << saga << "\n" << replay::as_text(entries);
  }
  return 0;
}

int replay_saga(const Options& options) {
  std::optional<checker::Contracts> contracts;
  if (!options.contracts.empty())
    contracts.emplace(std::vector<std::filesystem::path>{options.contracts}, std::vector<std::filesystem::path>{});
  auto events = options.case_file.empty()
                    ? read_events(options, [&](const Event& event) { return event.saga_id == options.saga; })
                    : read_case(options, contracts);
  keep_as_of(options.as_of, events);
  const auto where = options.case_file.empty() ? options.nats_url : options.case_file;
  if (events.empty()) {
    std::cerr << "quadrille: no event of saga " << options.saga << " at " << where
              << (options.as_of.empty() ? "; is the id complete, and has the stream kept it?\n"
                                        : " by " + options.as_of + "\n");
    return 1;
  }
  return tell_saga(options, options.saga.empty() ? events.front().saga_id : options.saga, events,
                   contracts ? &*contracts : nullptr);
}

int replay_stream(const Options& options, const google::protobuf::DescriptorPool& pool) {
  const auto name = StreamName::parse(options.stream);
  if (options.step || options.format == "mermaid" || options.format == "html")
    throw std::runtime_error("--stream is told as text or json; --step, mermaid and html tell a saga");
  auto events = read_events(options, [&](const Event& event) { return event.stream == name; });
  keep_as_of(options.as_of, events);
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
  auto* command = app.add_subcommand(
      "replay",
      "Tells from the recorded events what happened: to a saga (time, delta, participant, event, "
      "version, cause), or to a\n"
      "stream (what is known after each version, as JSON, and what changed). Reads only.\n\n"
      "  quadrille replay --saga 7f3c... --nats-url nats://127.0.0.1:4222\n"
      "  quadrille replay --stream payment-42 --contracts contracts/shop --as-of 2026-12-01T10:48:11Z\n"
      "  quadrille replay --case double.case --step\n\n"
      "--step walks event by event, with commands from the terminal or a script on standard input; "
      "`help` lists them.");
  auto* saga = command->add_option("--saga", options->saga,
                                   "Id of a saga: in every log line and in the answer to the request that began it");
  command->add_option("--stream", options->stream, "Name of a stream, <aggregate>-<key>")->excludes(saga);
  command->add_option("--case", options->case_file, "The saga of a case file, instead of one at --nats-url")
      ->check(CLI::ExistingFile)
      ->excludes(saga);
  command->add_option("--as-of", options->as_of, "Only what was recorded by then, RFC 3339 in UTC");
  command->add_flag("--step", options->step, "Walks through the saga event by event");
  command->add_option("--contracts", options->contracts, "Folder of .proto files that declare the events")
      ->envname("QUADRILLE_CONTRACTS");
  command->add_option("--format", options->format, "text or json; of a saga also mermaid or html")
      ->check(CLI::IsMember({"text", "json", "mermaid", "html"}))
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
    const bool saga_told = !options->saga.empty() || !options->case_file.empty();
    if (saga_told != options->stream.empty())
      throw CLI::ValidationError("replay", "needs one of --saga, --case and --stream");
    if (!options->stream.empty() && options->contracts.empty())
      throw CLI::ValidationError("--stream", "needs --contracts, which say what the events hold");
    if (saga_told) {
      exit_code = replay_saga(*options);
      return;
    }
    const checker::Contracts contracts({options->contracts}, {});
    exit_code = replay_stream(*options, contracts.pool());
  });
}

}  // namespace quadrille::tool
