#include "traffic/sources.hpp"

#include "core/envelope.hpp"
#include "jetstream/jetstream_broker.hpp"
#include "postgres/postgres_store.hpp"
#include "quadrille/error.hpp"
#include "traffic/ndjson.hpp"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <stdexcept>
#include <vector>

namespace quadrille::traffic {
namespace {

void read_jetstream(const Source& source, const std::function<void(const Event&)>& take) {
  jetstream::JetStreamSettings settings;
  settings.url = source.nats_url;
  settings.client_name = "quadrille-traffic";
  settings.credentials_file = source.nats_credentials;
  settings.tls_ca = source.tls_ca;
  settings.connect_timeout = std::chrono::seconds(5);
  jetstream::read_stream(settings, "EVT", "evt.>", [&](const Delivery& delivery) {
    if (delivery.sequence < source.first_sequence) return;
    try {
      take(to_event(delivery.message));
    } catch (const Error&) {
      return;  // not one of ours; its consumers have parked it
    }
  });
}

void read_database(const Source& source, const std::function<void(const Event&)>& take) {
  postgres::PostgresSettings settings;
  settings.url = source.database_url;
  settings.application_name = "quadrille-traffic";
  settings.connections = 1;
  settings.connect_timeout = std::chrono::seconds(5);
  const auto store = postgres::connect(settings);
  constexpr std::size_t page = 5'000;
  EventLog::Position after;
  for (;;) {
    const auto events = store->begin()->events().read_all(after, page);
    for (const auto& [position, event] : events) take(event);
    if (events.size() < page) return;
    after = events.back().first;
  }
}

}  // namespace

void read(const Source& source, const std::function<void(const Event&)>& take) {
  if (!source.nats_url.empty()) return read_jetstream(source, take);
  if (!source.database_url.empty()) return read_database(source, take);
  std::ifstream input(source.file);
  if (!input) throw std::runtime_error("cannot read " + source.file);
  // Whoever wrote it may have written in any order; causes come first by their time.
  std::vector<Event> events;
  read_ndjson(input, source.file, [&](const Event& event) { events.push_back(event); });
  std::ranges::stable_sort(events, {}, &Event::recorded_at);
  for (const auto& event : events) take(event);
}

}  // namespace quadrille::traffic
