#include "postgres/event_log.hpp"

#include "postgres/array_text.hpp"
#include "postgres/batch_start.hpp"
#include "quadrille/error.hpp"

#include <array>
#include <cstdint>

namespace quadrille::postgres {
namespace {

#define EVENT_HEAD_COLUMNS                                                                               \
  "e.id, e.type, e.source, e.subject, e.category, e.key, e.version, e.saga_id, e.causation_id, e.hops, " \
  "e.contract, e.traceparent, (extract(epoch FROM e.recorded_at) * 1000000)::bigint, "
#define EVENT_COLUMNS EVENT_HEAD_COLUMNS "e.payload"

// OFFSET 0: one look into the index a stream. A join is planned once, for a table that may have been small then.
constexpr Statement load_streams{
    "load streams",
    "SELECT " EVENT_COLUMNS
    " FROM unnest($1::text[], $2::text[]) AS s (category, key) CROSS JOIN LATERAL (SELECT * FROM quadrille.events e "
    "WHERE e.category = s.category AND e.key = s.key OFFSET 0) AS e ORDER BY e.category, e.key, e.version",
    Statement::Effect::reads};

constexpr Statement append_events{
    "append events",
    "SELECT quadrille.append($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], "
    "$8::text[], $9::text[], $10::integer[], $11::text[], $12::text[], $13::bytea[])"};

constexpr Statement append_or_fail{
    "append events at last",
    "SELECT quadrille.append_or_fail($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], "
    "$7::bigint[], $8::text[], $9::text[], $10::integer[], $11::text[], $12::text[], $13::bytea[])"};

constexpr Statement read_events{
    "read all events",
    "SELECT " EVENT_COLUMNS
    ", e.tx, e.position FROM quadrille.events e "
    "WHERE (e.tx, e.position) > ($1::xid8, $2::bigint) AND e.tx < pg_snapshot_xmin(pg_current_snapshot()) "
    "ORDER BY e.tx, e.position LIMIT $3::bigint",
    Statement::Effect::reads};

// Ids that are no UUIDs are nobody's here, and no error.
constexpr Statement find_events{
    "find events",
    "SELECT " EVENT_HEAD_COLUMNS
    "'\\x', e.position, NOT EXISTS (SELECT FROM quadrille.outbox o WHERE o.position = e.position) "
    "FROM quadrille.events e WHERE e.id = ANY (ARRAY(SELECT CASE WHEN g.id ~ "
    "'^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' THEN g.id::uuid END FROM unnest($1::text[]) AS g (id))) "
    "ORDER BY e.position"};

// OFFSET 0: one look into the index an entry. As a join it was merged with all events there are, from the first.
constexpr Statement oldest_entries{
    "read the outbox",
    "SELECT " EVENT_COLUMNS
    ", e.position FROM (SELECT position FROM quadrille.outbox ORDER BY position LIMIT $1::bigint) AS o "
    "CROSS JOIN LATERAL (SELECT * FROM quadrille.events e WHERE e.position = o.position OFFSET 0) AS e "
    "ORDER BY o.position",
    Statement::Effect::reads};

// In one statement, so that there is nothing to undo where the lease is gone.
constexpr Statement remove_under_lease{
    "remove from the outbox under a lease",
    "WITH held AS (SELECT FROM quadrille.leases WHERE name = $2 AND epoch = $3::bigint AND owner = $4 FOR SHARE), "
    "removed AS (DELETE FROM quadrille.outbox WHERE position = ANY ($1::bigint[]) AND EXISTS (SELECT FROM held) "
    "RETURNING position) "
    "SELECT (SELECT count(*) FROM held), (SELECT count(*) FROM removed), "
    "set_config('synchronous_commit', 'off', true)"};

// Does not wait for the disk: what a crash brings back is published once more.
constexpr Statement remove_entries{
    "remove from the outbox",
    "WITH removed AS (DELETE FROM quadrille.outbox WHERE position = ANY ($1::bigint[]) RETURNING position) "
    "SELECT count(*), set_config('synchronous_commit', 'off', true) FROM removed"};

// One statement, one snapshot: an event that can be seen had its entry seen with it.
constexpr Statement find_gone{"look what has left the outbox",
                              "SELECT e.position FROM quadrille.events e WHERE e.position = ANY ($1::bigint[]) "
                              "AND NOT EXISTS (SELECT FROM quadrille.outbox o WHERE o.position = e.position)",
                              Statement::Effect::reads};

std::string array_of(std::span<const std::uint64_t> positions) {
  ArrayText array;
  for (const auto position : positions) array.add(static_cast<std::int64_t>(position));
  return array.str();
}

constexpr Statement measure_backlog{
    "measure the outbox",
    "SELECT count(*), (extract(epoch FROM (SELECT e.recorded_at FROM quadrille.events e WHERE e.position = "
    "min(o.position))) * 1000000)::bigint "
    "FROM (SELECT position FROM quadrille.outbox ORDER BY position LIMIT $1::bigint) AS o",
    Statement::Effect::reads};

constexpr std::size_t event_column_count = 14;

Event to_event(const Rows& rows, std::size_t row) {
  Event event;
  event.id = rows.text(row, 0);
  event.type = rows.text(row, 1);
  event.source = rows.text(row, 2);
  event.subject = rows.text(row, 3);
  event.stream = {rows.text(row, 4), rows.text(row, 5)};
  event.version = rows.count(row, 6);
  event.saga_id = rows.text(row, 7);
  event.causation_id = rows.text(row, 8);
  event.hops = static_cast<std::uint32_t>(rows.count(row, 9));
  event.contract = rows.text(row, 10);
  event.traceparent = rows.text(row, 11);
  event.recorded_at = rows.time(row, 12);
  event.payload = from_bytea(rows.view(row, 13));
  return event;
}

std::vector<std::string> columns_of_events(std::span<const Event> events) {
  std::array<ArrayText, 13> columns;
  for (const auto& event : events) {
    columns[0].add(event.id);
    columns[1].add(event.type);
    columns[2].add(event.source);
    columns[3].add(event.subject);
    columns[4].add(event.stream.category);
    columns[5].add(event.stream.key);
    columns[6].add(static_cast<std::int64_t>(event.version));
    columns[7].add(event.saga_id);
    columns[8].add(event.causation_id);
    columns[9].add(static_cast<std::int64_t>(event.hops));
    columns[10].add(event.contract);
    columns[11].add(event.traceparent);
    columns[12].add_bytes(event.payload);
  }
  std::vector<std::string> parameters;
  append_to(parameters, columns);
  return parameters;
}

}  // namespace

Command ask_histories(std::span<const StreamName> streams) {
  return {.statement = &load_streams, .parameters = columns_of(streams)};
}

std::map<StreamName, std::vector<Event>> read_histories(const Rows& rows) {
  std::map<StreamName, std::vector<Event>> histories;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    auto event = to_event(rows, i);
    histories[event.stream].push_back(std::move(event));
  }
  return histories;
}

std::map<StreamName, std::vector<Event>> PostgresEventLog::load(std::span<const StreamName> streams) {
  if (streams.empty()) return {};
  return read_histories(session_.run(ask_histories(streams)));
}

void PostgresEventLog::append_last(std::span<const Event> events) {
  if (!events.empty()) session_.later(append_or_fail, columns_of_events(events));
}

void PostgresEventLog::append(std::span<const Event> events) {
  if (events.empty()) return;
  const auto answer = session_.run(append_events, columns_of_events(events));
  if (!answer.is_null(0, 0)) throw VersionConflict(answer.text(0, 0));
}

std::vector<EventLog::Place> PostgresEventLog::find(std::span<const std::string> ids) {
  const auto rows = session_.run(find_events, {array_of(ids)});
  std::vector<Place> places;
  for (std::size_t i = 0; i < rows.size(); ++i)
    places.push_back({to_event(rows, i), rows.count(i, event_column_count), rows.truth(i, event_column_count + 1)});
  return places;
}

std::vector<std::pair<EventLog::Position, Event>> PostgresEventLog::read_all(Position after, std::size_t limit) {
  const auto rows = session_.run(
      read_events, {std::to_string(after.transaction), std::to_string(after.position), std::to_string(limit)});
  std::vector<std::pair<Position, Event>> events;
  for (std::size_t i = 0; i < rows.size(); ++i)
    events.emplace_back(Position{rows.count(i, event_column_count), rows.count(i, event_column_count + 1)},
                        to_event(rows, i));
  return events;
}

std::vector<Outbox::Entry> PostgresOutbox::oldest(std::size_t limit) {
  const auto rows = session_.run(oldest_entries, {std::to_string(limit)});
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < rows.size(); ++i)
    entries.push_back({rows.count(i, event_column_count), to_event(rows, i)});
  return entries;
}

std::vector<std::uint64_t> PostgresOutbox::remove(std::span<const std::uint64_t> positions) {
  if (positions.empty()) return {};
  if (session_.run(remove_entries, {array_of(positions)}).count(0, 0) == positions.size())
    return {positions.begin(), positions.end()};
  return gone(positions);
}

std::optional<std::vector<std::uint64_t>> remove_published(Pool& pool, std::span<const std::uint64_t> positions,
                                                           const Lease& lease, std::string_view owner) {
  {
    Session session(pool);
    const auto rows = session.run_and_commit(
        {.statement = &remove_under_lease,
         .parameters = {array_of(positions), lease.name, std::to_string(lease.epoch), std::string(owner)}});
    if (rows.count(0, 0) == 0) return std::nullopt;
    if (rows.count(0, 1) == positions.size()) return std::vector(positions.begin(), positions.end());
  }
  Session session(pool);
  return PostgresOutbox(session).gone(positions);
}

std::vector<std::uint64_t> PostgresOutbox::gone(std::span<const std::uint64_t> positions) {
  const auto rows = session_.run(find_gone, {array_of(positions)});
  std::vector<std::uint64_t> found;
  for (std::size_t i = 0; i < rows.size(); ++i) found.push_back(rows.count(i, 0));
  return found;
}

Outbox::Backlog PostgresOutbox::backlog(std::uint64_t most) {
  const auto rows = session_.run(measure_backlog, {std::to_string(most)});
  Backlog backlog{rows.count(0, 0), {}};
  if (!rows.is_null(0, 1)) backlog.oldest = rows.time(0, 1);
  return backlog;
}

}  // namespace quadrille::postgres
