#include "core/uuid.hpp"
#include "path/libpq.hpp"
#include "path/measurements.hpp"

#include <atomic>
#include <thread>

namespace quadrille::bench {
namespace {

constexpr int steps_in_one = 100;
const std::string payload(64, 'x');

struct Statements {
  const char* inbox;
  const char* state;
  const char* events;  ///< returns positions
  const char* outbox;
};

constexpr Statements ours{
    "INSERT INTO quadrille.inbox (consumer, message_id, day) SELECT 'raw', g, current_date "
    "FROM unnest($1::text[]) AS g ORDER BY 2 ON CONFLICT DO NOTHING",
    "INSERT INTO quadrille.streams (category, key, version) SELECT 'raw', g, 1 FROM unnest($1::text[]) AS g "
    "ORDER BY 2 ON CONFLICT DO NOTHING",
    "INSERT INTO quadrille.events (id, type, source, subject, category, key, version, saga_id, causation_id, hops, "
    "contract, traceparent, payload) SELECT g::uuid, 'bench.first.v1.Handed', 'first', 'evt.1.first.first.Handed', "
    "'raw', g, 1, g, g, 1, '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef', "
    "'00-0123456789abcdef0123456789abcdef-0123456789abcdef-01', $2::bytea FROM unnest($1::text[]) AS g "
    "RETURNING position",
    "INSERT INTO quadrille.outbox (position) SELECT unnest($1::bigint[])"};

constexpr Statements bare{
    "INSERT INTO bare.inbox SELECT unnest($1::uuid[]) ON CONFLICT DO NOTHING",
    "INSERT INTO bare.states SELECT unnest($1::uuid[]), 1 ON CONFLICT DO NOTHING",
    "INSERT INTO bare.events (key, version, payload) SELECT unnest($1::uuid[]), 1, $2::bytea RETURNING position",
    "INSERT INTO bare.outbox (position) SELECT unnest($1::bigint[])"};

void steps(const std::string& url, const Statements& statements, const std::atomic<bool>& stop,
           std::atomic<std::size_t>& done) {
  Libpq connection(url);
  connection.prepare("inbox", statements.inbox);
  connection.prepare("state", statements.state);
  connection.prepare("events", statements.events);
  connection.prepare("outbox", statements.outbox);
  while (!stop) {
    std::string ids = "{";
    for (int i = 0; i < steps_in_one; ++i) ids += (i > 0 ? "," : "") + new_uuid();
    ids += "}";
    connection.run("BEGIN");
    connection.run_prepared("inbox", {ids});
    connection.run_prepared("state", {ids});
    const auto rows = connection.run_prepared("events", {ids, payload});
    std::string positions = "{";
    for (int i = 0; i < PQntuples(rows.get()); ++i)
      positions += (i > 0 ? "," : "") + std::string(PQgetvalue(rows.get(), i, 0));
    connection.run_prepared("outbox", {positions + "}"});
    connection.run("COMMIT");
    done += steps_in_one;
  }
}

/// Steps a second of the number of clients that reaches most.
double rate(const std::string& url, const Statements& statements, double seconds) {
  double best = 0;
  for (const int clients : {2, 4}) {
    std::atomic<bool> stop = false;
    std::atomic<std::size_t> done = 0;
    std::vector<std::jthread> threads;
    for (int i = 0; i < clients; ++i) threads.emplace_back([&] { steps(url, statements, stop, done); });
    std::this_thread::sleep_for(std::chrono::milliseconds(300));  // connections, caches
    const auto before = done.load();
    const telemetry::Stopwatch watch;
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    best = std::max(best, static_cast<double>(done - before) / watch.seconds());
    stop = true;
  }
  return best;
}

}  // namespace

void measure_postgres(Stand& stand, Figures& figures, const Extent& extent) {
  stand.query("opener", "CREATE DATABASE raw TEMPLATE third");
  Libpq(stand.system().postgres().conninfo("raw"))
      .run(
          "CREATE SCHEMA bare CREATE TABLE inbox (id uuid PRIMARY KEY) "
          "CREATE TABLE states (key uuid PRIMARY KEY, version bigint) "
          "CREATE TABLE events (position bigserial PRIMARY KEY, key uuid, version bigint, payload bytea, "
          "UNIQUE (key, version)) CREATE TABLE outbox (position bigint PRIMARY KEY)");
  const auto url = stand.system().postgres().conninfo("raw");
  figures.add({"raw.steps_bare", "PostgreSQL alone, bare tables, 100 in a transaction",
               rate(url, bare, extent.seconds / 2), "steps/s"});
  figures.add({"raw.steps", "PostgreSQL alone, our tables, 100 in a transaction", rate(url, ours, extent.seconds / 2),
               "steps/s"});
}

}  // namespace quadrille::bench
