#include "traffic/sources.hpp"

#include "core/redact.hpp"
#include "jetstream/stream_follower.hpp"
#include "postgres/event_copy.hpp"
#include "quadrille/error.hpp"
#include "traffic/ndjson.hpp"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <vector>

namespace quadrille::traffic {
namespace {

std::uint64_t read_jetstream(const Source& source, const std::function<void(const Event&)>& take) {
  jetstream::JetStreamSettings settings;
  settings.url = source.nats_url;
  settings.client_name = "quadrille-traffic";
  settings.credentials_file = source.nats_credentials;
  settings.tls_ca = source.tls_ca;
  settings.connect_timeout = std::chrono::seconds(5);
  jetstream::StreamFollower follower(settings, "EVT", "evt.>");
  const auto state = follower.look();
  if (!state) throw Error(Disposition::retry, "stream EVT: the server does not answer");
  if (state->last < std::max(source.first_sequence, state->first)) return 0;
  follower.start_at(source.first_sequence);
  constexpr std::size_t at_once = 1'000;
  constexpr std::chrono::seconds patience{15};
  for (std::uint64_t at = 0; at < state->last;) {
    const auto last = follower.read(at_once, patience, [&](std::uint64_t, const Event& event) { take(event); });
    if (!last)  // half of it is not all of it
      throw Error(Disposition::retry, "stream EVT: the server is silent after message " + std::to_string(at) + " of " +
                                          std::to_string(state->last));
    at = *last;
    if (follower.drained()) break;
  }
  return follower.left_out();
}

void read_database(const Source& source, const std::function<void(const Event&)>& take) {
  postgres::PostgresSettings settings;
  settings.url = source.database_url;
  settings.application_name = "quadrille-traffic";
  settings.connections = 1;
  settings.connect_timeout = std::chrono::seconds(5);
  try {
    postgres::copy_events(settings, take);
  } catch (const Error& error) {
    throw Error(error.disposition(), std::string("--database-url: ") + error.what());
  }
}

void read_file(const Source& source, const std::function<void(const Event&)>& take) {
  std::ifstream input(source.file);
  if (!input) throw std::runtime_error("cannot read " + source.file);
  if (source.any_order) return read_ndjson(input, source.file, take);
  // Whoever wrote it may have written in any order; causes come first by their time.
  std::vector<Event> events;
  read_ndjson(input, source.file, [&](const Event& event) { events.push_back(event); });
  std::ranges::stable_sort(events, {}, &Event::recorded_at);
  for (const auto& event : events) take(event);
}

}  // namespace

std::string Source::text() const {
  return without_password(!nats_url.empty()       ? nats_url
                          : !database_url.empty() ? database_url
                          : !archive.empty()      ? archive
                                                  : file);
}

std::uint64_t read(const Source& source, const std::function<void(const Event&)>& take) {
  const auto in_window = [&](const Event& event) {
    if (source.window.has(event.recorded_at)) take(event);
  };
  if (!source.nats_url.empty()) return read_jetstream(source, in_window);
  if (!source.archive.empty())
    archive::Archive(source.archive).read(source.window, take);
  else if (!source.database_url.empty())
    read_database(source, in_window);
  else
    read_file(source, in_window);
  return 0;
}

}  // namespace quadrille::traffic
