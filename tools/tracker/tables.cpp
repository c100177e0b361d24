#include "tracker/tables.hpp"

#include "core/reason.hpp"
#include "postgres/array_text.hpp"
#include "postgres/session.hpp"
#include "tracker/row.hpp"
#include "tracker/schema.hpp"

#include <array>
#include <optional>

namespace quadrille::tracker {
namespace {

using postgres::ArrayText;
using postgres::Session;
using postgres::Statement;

constexpr Statement find_position{"find the position", "SELECT sequence, stream_created FROM position"};
// Read-committed: a second writer waits here for the first, and then finds another position.
constexpr Statement move_position{
    "move the position",
    "WITH moved AS (UPDATE position SET sequence = $1::bigint, stream_created = $2 WHERE sequence = $3::bigint AND "
    "stream_created = $4 RETURNING 1) SELECT count(*) FROM moved"};
constexpr Statement find_trails{"find trails", "SELECT saga_id, events FROM trail WHERE saga_id = ANY ($1::text[])"};
constexpr Statement find_parts{
    "find parts",
    "SELECT s.saga_id, s.part, s.saga, s.state, s.stuck_class, coalesce((SELECT "
    "string_agg(w.step, ' ') FROM waiting w WHERE w.saga_id = s.saga_id AND w.part = "
    "s.part), '') FROM saga s WHERE s.saga_id = ANY ($1::text[]) ORDER BY s.saga_id, s.part"};
constexpr Statement put_trails{"put trails",
                               "INSERT INTO trail (saga_id, events) SELECT * FROM unnest($1::text[], $2::bytea[]) ON "
                               "CONFLICT (saga_id) DO UPDATE SET events = excluded.events"};
// Parts of a saga only ever become more, so each is replaced by its number.
constexpr Statement put_parts{
    "put parts",
    "INSERT INTO saga (saga_id, part, saga, key, state, started, ended, deadline, stuck_class, error, resolved, "
    "summary) SELECT * FROM unnest($1::text[], $2::integer[], $3::text[], $4::text[], $5::smallint[], $6::bigint[], "
    "$7::bigint[], $8::bigint[], $9::smallint[], $10::text[], $11::boolean[], $12::text[]) ON CONFLICT (saga_id, part) "
    "DO UPDATE SET saga = excluded.saga, key = excluded.key, state = excluded.state, started = excluded.started, ended "
    "= excluded.ended, deadline = excluded.deadline, stuck_class = excluded.stuck_class, error = excluded.error, "
    "resolved = excluded.resolved, summary = excluded.summary"};
constexpr Statement remove_surplus{"remove parts that are none",
                                   "DELETE FROM saga s USING unnest($1::text[], $2::integer[]) AS n (saga_id, parts) "
                                   "WHERE s.saga_id = n.saga_id AND s.part >= n.parts"};
constexpr Statement remove_waiting{"remove waiting", "DELETE FROM waiting WHERE saga_id = ANY ($1::text[])"};
constexpr Statement put_waiting{"put waiting",
                                "INSERT INTO waiting (saga_id, part, step, since) SELECT * FROM unnest($1::text[], "
                                "$2::integer[], $3::text[], $4::bigint[])"};
constexpr Statement count_passed{"count passed",
                                 "INSERT INTO passed AS p (participant, event, count) SELECT * FROM unnest($1::text[], "
                                 "$2::text[], $3::bigint[]) ON CONFLICT (participant, event) DO UPDATE SET count = "
                                 "p.count + excluded.count"};
constexpr Statement find_overdue{"find overdue",
                                 "SELECT DISTINCT saga_id FROM saga WHERE state IN (1, 2) AND deadline < $1::bigint "
                                 "LIMIT $2::bigint"};
constexpr Statement find_open{"find open sagas",
                              "SELECT DISTINCT saga_id FROM saga WHERE state IN (1, 2, 5) AND saga_id > $1 ORDER BY "
                              "saga_id LIMIT $2::bigint"};
constexpr Statement forget_old{
    "forget old sagas",
    "WITH old AS (SELECT s.saga_id FROM saga s WHERE s.state IN (3, 4) AND s.ended < $1::bigint AND NOT EXISTS (SELECT "
    "FROM saga o WHERE o.saga_id = s.saga_id AND (o.state NOT IN (3, 4) OR o.ended >= $1::bigint)) LIMIT $2::bigint), "
    "gone AS (DELETE FROM saga s USING old WHERE s.saga_id = old.saga_id RETURNING s.saga_id), waited AS (DELETE FROM "
    "waiting w USING old WHERE w.saga_id = old.saga_id) DELETE FROM trail t USING old WHERE t.saga_id = old.saga_id"
    " RETURNING t.saga_id"};

postgres::PostgresSettings inside(postgres::PostgresSettings settings, int generation) {
  settings.search_path = schema_of(generation);
  settings.durable_commits = false;  // the position goes with the rows: what is lost is folded again
  return settings;
}

std::vector<std::string> words(const std::string& text) {
  std::vector<std::string> found;
  for (std::size_t start = 0; start < text.size();) {
    const auto end = std::min(text.find(' ', start), text.size());
    found.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return found;
}

void add(ArrayText& column, const std::optional<TimePoint>& time) {
  if (time)
    column.add(time->time_since_epoch().count());
  else
    column.add_null();
}

void write_parts(Session& session, const Change& change) {
  std::array<ArrayText, 12> columns;
  std::array<ArrayText, 4> waiting;
  std::map<std::string, std::int64_t> parts;
  bool waits = false;
  for (const auto& standing : change.standings) {
    ++parts[standing.saga_id];
    columns[0].add(standing.saga_id);
    columns[1].add(standing.part);
    columns[2].add(standing.saga);
    columns[3].add(standing.key);
    columns[4].add(static_cast<std::int64_t>(standing.state));
    columns[5].add(standing.started_at.time_since_epoch().count());
    add(columns[6], standing.ended_at);
    add(columns[7], standing.deadline_at);
    if (standing.stuck.empty())
      columns[8].add_null();
    else
      columns[8].add(static_cast<std::int64_t>(standing.stuck.front().reason_class));
    columns[9].add(standing.stuck.empty() ? "" : standing.stuck.front().error);
    columns[10].add(standing.resolved ? "t" : "f");
    columns[11].add(summary_of(standing).dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    for (const auto& waited : standing.waiting) {
      waits = true;
      waiting[0].add(standing.saga_id);
      waiting[1].add(standing.part);
      waiting[2].add(waited.step);
      waiting[3].add(waited.since.time_since_epoch().count());
    }
  }
  std::vector<std::string> parameters;
  append_to(parameters, columns);
  session.run(put_parts, parameters);
  std::array<ArrayText, 2> counts;
  for (const auto& [id, count] : parts) {
    counts[0].add(id);
    counts[1].add(count);
  }
  parameters.clear();
  append_to(parameters, counts);
  session.run(remove_surplus, parameters);
  session.run(remove_waiting, {postgres::array_of(change.sagas)});
  if (!waits) return;
  parameters.clear();
  append_to(parameters, waiting);
  session.run(put_waiting, parameters);
}

void write_trails(Session& session, const Change& change) {
  std::array<ArrayText, 2> columns;
  for (const auto* trail : change.trails) {
    columns[0].add(trail->saga_id());
    columns[1].add_bytes(trail->pack());
  }
  std::vector<std::string> parameters;
  append_to(parameters, columns);
  session.run(put_trails, parameters);
}

void write_passed(Session& session, const Change& change) {
  std::array<ArrayText, 3> columns;
  for (const auto& [what, count] : change.passed) {
    columns[0].add(what.first);
    columns[1].add(what.second);
    columns[2].add(static_cast<std::int64_t>(count));
  }
  std::vector<std::string> parameters;
  append_to(parameters, columns);
  session.run(count_passed, parameters);
}

std::vector<std::string> first_column(const postgres::Rows& rows) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < rows.size(); ++i) texts.push_back(rows.text(i, 0));
  return texts;
}

}  // namespace

Tallied tallied(const Standing& standing) {
  Tallied counted{standing.saga, standing.state, "", {}};
  if (standing.state == State::stuck)
    counted.stuck_class =
        standing.stuck.empty() ? name_of(ReasonClass::business) : name_of(standing.stuck.front().reason_class);
  for (const auto& waited : standing.waiting) counted.steps.push_back(waited.step);
  return counted;
}

Tables::Tables(const postgres::PostgresSettings& settings, int generation)
    : generation_(generation), pool_(inside(settings, generation)) {}

Position Tables::position() {
  Session session(pool_);
  const auto rows = session.run(find_position);
  return {rows.count(0, 0), rows.text(0, 1)};
}

std::map<std::string, Known> Tables::load(const std::vector<std::string>& saga_ids) {
  std::map<std::string, Known> known;
  Session session(pool_);
  const auto ids = postgres::array_of(saga_ids);
  const auto trails = session.run(find_trails, {ids});
  for (std::size_t i = 0; i < trails.size(); ++i)
    known.emplace(trails.text(i, 0), Known{Trail::unpack(postgres::from_bytea(trails.text(i, 1))), {}});
  const auto parts = session.run(find_parts, {ids});
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Tallied counted{parts.text(i, 2), static_cast<State>(parts.number(i, 3)), "", words(parts.text(i, 5))};
    if (counted.state == State::stuck)
      counted.stuck_class =
          parts.is_null(i, 4) ? name_of(ReasonClass::business) : name_of(static_cast<ReasonClass>(parts.number(i, 4)));
    if (const auto found = known.find(parts.text(i, 0)); found != known.end())
      found->second.parts.push_back(std::move(counted));
  }
  return known;
}

bool Tables::write(const Change& change) {
  Session session(pool_);
  const auto moved = session.run(move_position, {std::to_string(change.to.sequence), change.to.stream_created,
                                                 std::to_string(change.from.sequence), change.from.stream_created});
  if (moved.number(0, 0) == 0) return false;
  if (!change.trails.empty()) write_trails(session, change);
  if (!change.standings.empty()) write_parts(session, change);
  if (!change.passed.empty()) write_passed(session, change);
  session.commit();
  return true;
}

std::vector<std::string> Tables::overdue(TimePoint now, std::size_t limit) {
  Session session(pool_);
  return first_column(session.run(find_overdue, {postgres::micros(now), std::to_string(limit)}));
}

std::vector<std::string> Tables::open_sagas(const std::string& after, std::size_t limit) {
  Session session(pool_);
  return first_column(session.run(find_open, {after, std::to_string(limit)}));
}

std::size_t Tables::forget(TimePoint before, std::size_t limit) {
  Session session(pool_);
  const auto gone = session.run(forget_old, {postgres::micros(before), std::to_string(limit)}).size();
  session.commit();
  return gone;
}

}  // namespace quadrille::tracker
