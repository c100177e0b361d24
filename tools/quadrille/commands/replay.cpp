#include "archive/archive.hpp"
#include "casefile/case_events.hpp"
#include "cases/descriptors.hpp"
#include "checker/load.hpp"
#include "core/envelope.hpp"
#include "core/time_text.hpp"
#include "jetstream/stream_follower.hpp"
#include "quadrille/commands/case_options.hpp"
#include "quadrille/commands/commands.hpp"
#include "quadrille/commands/contract_arguments.hpp"
#include "quadrille/commands/source_arguments.hpp"
#include "quadrille/error.hpp"
#include "replay/decode.hpp"
#include "replay/mermaid.hpp"
#include "replay/stepper.hpp"
#include "replay/stream_history.hpp"
#include "replay/timeline.hpp"

#include <cstdlib>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <unistd.h>

namespace quadrille::tool {
namespace {

struct Options {
  traffic::Source source;
  std::string saga;
  std::string stream;
  std::string contracts;
  std::string format = "text";
  std::string case_file;
  std::string as_of;
  bool step = false;
  bool follow = false;
};

/// Everything the stream holds and what comes, until `go_on` says false.
void follow_events(const traffic::Source& source, const std::function<bool(const Event&)>& go_on) {
  jetstream::JetStreamSettings settings;
  settings.url = source.nats_url;
  settings.client_name = "quadrille-replay";
  settings.credentials_file = source.nats_credentials;
  settings.tls_ca = source.tls_ca;
  settings.connect_timeout = std::chrono::seconds(5);
  jetstream::StreamFollower follower(settings, "EVT", "evt.>");
  static_cast<void>(follower.look());  // says so where there is no such stream
  follower.start_at(source.first_sequence);
  for (;;)
    for (const auto& delivery : follower.receive(500, std::chrono::milliseconds(500))) {
      std::optional<Event> event;
      try {
        event = to_event(delivery.message);
      } catch (const Error&) {
        continue;  // not one of ours; its consumers have parked it
      }
      if (!go_on(*event)) return;
    }
}

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

/// Every event of the source that `wanted` picks.
std::vector<Event> read_events(const Options& options, const std::function<bool(const Event&)>& wanted) {
  std::vector<Event> events;
  traffic::read(options.source, [&](const Event& event) {
    if (wanted(event)) events.push_back(event);
  });
  return events;
}

std::vector<Event> read_saga(const Options& options) {
  if (!options.source.archive.empty()) return archive::Archive(options.source.archive).saga(options.saga);
  return read_events(options, [&](const Event& event) { return event.saga_id == options.saga; });
}

std::vector<Event> read_stream(const Options& options, const StreamName& name) {
  if (!options.source.archive.empty()) return archive::Archive(options.source.archive).stream(name);
  return read_events(options, [&](const Event& event) { return event.stream == name; });
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
  auto events = options.case_file.empty() ? read_saga(options) : read_case(options, contracts);
  keep_as_of(options.as_of, events);
  const auto where = options.case_file.empty() ? options.source.text() : options.case_file;
  if (events.empty()) {
    std::cerr << "quadrille: no event of saga " << options.saga << " at " << where
              << (options.as_of.empty() ? "; is the id complete, and has the stream kept it?\n"
                                        : " by " + options.as_of + "\n");
    return 1;
  }
  return tell_saga(options, options.saga.empty() ? events.front().saga_id : options.saga, events,
                   contracts ? &*contracts : nullptr);
}

/// From its beginning on, as its events come, until one of them ends it.
int follow_saga(const Options& options) {
  ContractArguments arguments;
  arguments.paths.emplace_back(options.contracts.empty() ? options.source.nats_url : options.contracts);
  arguments.nats_credentials = options.source.nats_credentials;
  arguments.tls_ca = options.source.tls_ca;
  std::optional<checker::Contracts> contracts;
  try {
    contracts.emplace(arguments.load());
  } catch (const std::exception& error) {
    std::cerr << "quadrille: which event ends the saga is not known (" << error.what()
              << "); stop with Ctrl-C, or give --contracts\n";
  }
  replay::Story story;
  follow_events(options.source, [&](const Event& event) {
    if (event.saga_id != options.saga) return true;
    const auto entry = story.add(event);
    if (options.format == "json")
      std::cout << replay::as_json({entry}).front().dump() << std::endl;
    else
      std::cout << replay::as_line(entry) << std::endl;
    const auto* type = contracts ? contracts->reading().model.find_event(event.type) : nullptr;
    return type == nullptr || !cases::ends_saga(*type);
  });
  return 0;
}

int replay_stream(const Options& options, const google::protobuf::DescriptorPool& pool) {
  const auto name = StreamName::parse(options.stream);
  if (options.step || options.format == "mermaid" || options.format == "html")
    throw std::runtime_error("--stream is told as text or json; --step, mermaid and html tell a saga");
  auto events = read_stream(options, name);
  keep_as_of(options.as_of, events);
  if (events.empty()) {
    std::cerr << "quadrille: no event of stream " << options.stream << " at " << options.source.text()
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
      "  quadrille replay --case double.case --step\n"
      "  quadrille replay --saga 7f3c... --archive november.qarc\n"
      "  quadrille replay --saga 7f3c... --follow\n\n"
      "Where no source is given: nats://127.0.0.1:4222, or QUADRILLE_NATS_URL. --step walks event by event, with "
      "commands from the terminal or a script on standard input; "
      "`help` lists them.");
  auto* saga = command->add_option("--saga", options->saga,
                                   "Id of a saga: in every log line and in the answer to the request that began it");
  command->add_option("--stream", options->stream, "Name of a stream, <aggregate>-<key>")->excludes(saga);
  command->add_option("--case", options->case_file, "The saga of a case file, instead of one at --nats-url")
      ->check(CLI::ExistingFile)
      ->excludes(saga);
  command->add_option("--as-of", options->as_of, "Only what was recorded by then, RFC 3339 in UTC");
  command->add_flag("--follow", options->follow,
                    "Tells the saga as its events come, until one ends it; with --format json one object a line");
  command->add_flag("--step", options->step, "Walks through the saga event by event");
  command->add_option("--contracts", options->contracts, "Folder of .proto files that declare the events")
      ->envname("QUADRILLE_CONTRACTS");
  command->add_option("--format", options->format, "text or json; of a saga also mermaid or html")
      ->check(CLI::IsMember({"text", "json", "mermaid", "html"}))
      ->capture_default_str();
  add_source(*command, options->source);
  command->callback([options, &exit_code] {
    const bool saga_told = !options->saga.empty() || !options->case_file.empty();
    if (!find_source(options->source)) options->source.nats_url = "nats://127.0.0.1:4222";
    if (options->follow) {
      if (options->saga.empty() || options->source.nats_url.empty() || options->step || !options->as_of.empty())
        throw CLI::ValidationError("--follow", "follows one --saga at --nats-url, without --step and --as-of");
      exit_code = follow_saga(*options);
      return;
    }
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
