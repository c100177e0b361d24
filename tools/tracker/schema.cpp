#include "tracker/schema.hpp"

#include "postgres/session.hpp"

namespace quadrille::tracker {
namespace {

using postgres::Session;
using postgres::Statement;

/// Grows whenever the same events are folded into other rows: what an older program has begun is then not gone on with.
constexpr int fold_format = 1;

// One statement each: a prepared statement holds one.
constexpr Statement make_schema{"make the tracker's schema", "CREATE SCHEMA IF NOT EXISTS tracker"};
constexpr Statement make_generations{"make the tracker's generations",
                                     "CREATE TABLE IF NOT EXISTS tracker.generation (number integer PRIMARY KEY, "
                                     "served boolean NOT NULL DEFAULT false)"};
constexpr Statement add_fold_format{
    "say how a generation was folded",
    "ALTER TABLE tracker.generation ADD COLUMN IF NOT EXISTS fold_format integer NOT NULL DEFAULT 0"};
constexpr Statement make_contracts{
    "make the tracker's contracts",
    "CREATE TABLE IF NOT EXISTS tracker.contract (participant text NOT NULL, fingerprint text NOT NULL, registration "
    "bytea NOT NULL, PRIMARY KEY (participant, fingerprint))"};
constexpr Statement lock{"lock the tracker's generations", "LOCK TABLE tracker.generation IN EXCLUSIVE MODE"};
constexpr Statement find_served{"find the served generation", "SELECT number FROM tracker.generation WHERE served"};
constexpr Statement find_all{"find generations", "SELECT number FROM tracker.generation ORDER BY number"};
constexpr Statement add{"add a generation",
                        "INSERT INTO tracker.generation (number, fold_format) SELECT coalesce(max(number), 0) + 1, "
                        "$1::integer FROM tracker.generation RETURNING number"};
constexpr Statement find_unfinished{"find an unfinished generation",
                                    "SELECT max(number) FROM tracker.generation WHERE number > $1::integer AND "
                                    "fold_format = $2::integer"};
constexpr Statement serve{"serve a generation", "UPDATE tracker.generation SET served = (number = $1::integer)"};
constexpr Statement forget{"forget a generation", "DELETE FROM tracker.generation WHERE number = $1::integer"};

// Times are microseconds since 1970. `summary` is the line of the list as JSON. Ids and keys are compared byte by byte,
// so that an index finds how they begin whatever the database's language is.
constexpr const char* tables[] = {
    "CREATE TABLE %.saga (saga_id text COLLATE \"C\" NOT NULL, part integer NOT NULL, saga text NOT NULL, key text "
    "COLLATE \"C\" NOT NULL, state "
    "smallint NOT NULL, started bigint NOT NULL, ended bigint, deadline bigint, stuck_class smallint, error text NOT "
    "NULL, resolved boolean NOT NULL, summary text NOT NULL, PRIMARY KEY (saga_id, part))",
    "CREATE INDEX ON %.saga (state, started, saga_id, part)",
    "CREATE INDEX ON %.saga (saga, state, started, saga_id, part)",
    "CREATE INDEX ON %.saga (key, state, started)",
    "CREATE INDEX ON %.saga (deadline) WHERE state IN (1, 2)",
    "CREATE INDEX ON %.saga (ended) WHERE state IN (3, 4)",
    "CREATE TABLE %.waiting (saga_id text COLLATE \"C\" NOT NULL, part integer NOT NULL, step text NOT NULL, since "
    "bigint NOT NULL, "
    "PRIMARY KEY (saga_id, part, step))",
    "CREATE INDEX ON %.waiting (step, since, saga_id, part)",
    "CREATE TABLE %.trail (saga_id text COLLATE \"C\" PRIMARY KEY, events bytea NOT NULL)",
    "CREATE TABLE %.passed (participant text NOT NULL, event text NOT NULL, count bigint NOT NULL, PRIMARY KEY "
    "(participant, event))",
    "CREATE TABLE %.position (sequence bigint NOT NULL, stream_created text NOT NULL)",
    "INSERT INTO %.position VALUES (0, '')",
};

int make_generation(Session& session) {
  const auto number = static_cast<int>(session.run(add, {std::to_string(fold_format)}).number(0, 0));
  const auto schema = schema_of(number);
  session.run_once("CREATE SCHEMA " + schema, {});
  for (const std::string text : tables) {
    const auto place = text.find('%');
    session.run_once(text.substr(0, place) + schema + text.substr(place + 1), {});
  }
  return number;
}

void drop(Session& session, int generation) {
  session.run_once("DROP SCHEMA IF EXISTS " + schema_of(generation) + " CASCADE", {});
  session.run(forget, {std::to_string(generation)});
}

}  // namespace

std::string schema_of(int generation) { return "tracker_" + std::to_string(generation); }

int prepare(postgres::Pool& pool) {
  {
    Session session(pool);
    session.run(make_schema);
    session.run(make_generations);
    session.run(add_fold_format);
    session.run(make_contracts);
    session.commit();
  }
  Session session(pool);
  session.run(lock);
  const auto served = session.run(find_served);
  if (!served.empty()) return static_cast<int>(served.number(0, 0));
  const auto number = make_generation(session);
  session.run(serve, {std::to_string(number)});
  session.commit();
  return number;
}

int add_generation(postgres::Pool& pool) {
  Session session(pool);
  session.run(lock);
  const auto number = make_generation(session);
  session.commit();
  return number;
}

int copy_generation(postgres::Pool& pool, int other, std::uint64_t sequence) {
  Session session(pool);
  session.run(lock);
  const auto number = make_generation(session);
  const auto from = schema_of(other);
  const auto to = schema_of(number);
  for (const std::string table : {"saga", "waiting", "trail", "passed"})
    session.run_once("INSERT INTO " + to + "." + table + " SELECT * FROM " + from + "." + table, {});
  session.run_once("UPDATE " + to +
                       ".position SET sequence = $1::bigint, stream_created = (SELECT stream_created FROM " + from +
                       ".position)",
                   std::vector{std::to_string(sequence - 1)});
  session.commit();
  return number;
}

std::vector<int> generations(postgres::Pool& pool) {
  Session session(pool);
  const auto rows = session.run(find_all);
  std::vector<int> numbers;
  for (std::size_t i = 0; i < rows.size(); ++i) numbers.push_back(static_cast<int>(rows.number(i, 0)));
  return numbers;
}

std::optional<int> unfinished_generation(postgres::Pool& pool, int served) {
  Session session(pool);
  const auto found = session.run(find_unfinished, {std::to_string(served), std::to_string(fold_format)});
  return found.is_null(0, 0) ? std::nullopt : std::optional(static_cast<int>(found.number(0, 0)));
}

void serve_generation(postgres::Pool& pool, int generation) {
  Session session(pool);
  session.run(lock);
  session.run(serve, {std::to_string(generation)});
  session.commit();
}

void drop_generation(postgres::Pool& pool, int generation) {
  Session session(pool);
  session.run(lock);
  drop(session, generation);
  session.commit();
}

}  // namespace quadrille::tracker
