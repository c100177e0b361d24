#include "postgres/array_text.hpp"
#include "postgres/coordination.hpp"

#include <array>
#include <cstdint>

namespace quadrille::postgres {
namespace {

constexpr Statement arm_deadlines{
    "arm deadlines",
    "INSERT INTO quadrille.deadlines (id, step, key, saga_id, causation_id, hops, traceparent, due_at) "
    "SELECT g.id, g.step, g.key, g.saga_id, g.causation_id, g.hops, g.traceparent, to_timestamp(g.due / 1000000.0) "
    "FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::integer[], $7::text[], $8::bigint[]) "
    "AS g (id, step, key, saga_id, causation_id, hops, traceparent, due)"};

constexpr Statement put_deadline_off{
    "put a deadline off",
    "UPDATE quadrille.deadlines SET due_at = to_timestamp($2::bigint / 1000000.0), "
    "attempts = $3::integer WHERE id = $1::uuid AND attempts < $3::integer RETURNING id"};

#define DEADLINE_COLUMNS \
  "id, step, key, saga_id, causation_id, hops, traceparent, (extract(epoch FROM due_at) * 1000000)::bigint, attempts "

constexpr Statement take_deadlines{
    "take due deadlines",
    "SELECT " DEADLINE_COLUMNS
    "FROM quadrille.deadlines "
    "WHERE due_at <= to_timestamp($1::bigint / 1000000.0) ORDER BY due_at LIMIT $2::bigint FOR UPDATE SKIP LOCKED"};

constexpr Statement remove_deadline{"remove a deadline", "DELETE FROM quadrille.deadlines WHERE id = $1::uuid"};

constexpr Statement find_armed{"find deadlines of a saga", "SELECT " DEADLINE_COLUMNS
                                                           "FROM quadrille.deadlines WHERE saga_id = $1 "
                                                           "ORDER BY due_at, id LIMIT $2::bigint"};

constexpr Statement hurry_deadlines{
    "make deadlines due",
    "UPDATE quadrille.deadlines SET due_at = least(due_at, to_timestamp($3::bigint / 1000000.0)) "
    "WHERE saga_id = $1 AND step = $2 RETURNING " DEADLINE_COLUMNS};

constexpr Statement measure_backlog{
    "measure the deadlines",
    "SELECT (SELECT count(*) FROM (SELECT FROM quadrille.deadlines LIMIT $1::bigint) AS d), "
    "(extract(epoch FROM (SELECT min(due_at) FROM quadrille.deadlines)) * 1000000)::bigint"};

std::vector<Deadline> to_deadlines(const Rows& rows) {
  std::vector<Deadline> deadlines;
  for (std::size_t i = 0; i < rows.size(); ++i)
    deadlines.push_back({rows.text(i, 0), rows.text(i, 1), rows.text(i, 2), rows.text(i, 3), rows.text(i, 4),
                         static_cast<std::uint32_t>(rows.count(i, 5)), rows.text(i, 6), rows.time(i, 7),
                         static_cast<std::uint32_t>(rows.count(i, 8))});
  return deadlines;
}

}  // namespace

void PostgresDeadlines::arm(std::span<const Deadline> deadlines) {
  std::array<ArrayText, 8> columns;
  for (const auto& deadline : deadlines) {
    columns[0].add(deadline.id);
    columns[1].add(deadline.step);
    columns[2].add(deadline.key);
    columns[3].add(deadline.saga_id);
    columns[4].add(deadline.causation_id);
    columns[5].add(static_cast<std::int64_t>(deadline.hops));
    columns[6].add(deadline.traceparent);
    columns[7].add(deadline.due_at.time_since_epoch().count());
  }
  std::vector<std::string> parameters;
  append_to(parameters, columns);
  session_.later(arm_deadlines, std::move(parameters));
}

bool PostgresDeadlines::put_off(const Deadline& deadline) {
  return !session_.run(put_deadline_off, {deadline.id, micros(deadline.due_at), std::to_string(deadline.attempts)})
              .empty();
}

std::vector<Deadline> PostgresDeadlines::take_due(TimePoint now, std::size_t limit) {
  return to_deadlines(session_.run(take_deadlines, {micros(now), std::to_string(limit)}));
}

void PostgresDeadlines::remove(std::string_view id) { session_.later(remove_deadline, {std::string(id)}); }

std::vector<Deadline> PostgresDeadlines::armed(std::string_view saga_id, std::size_t limit) {
  return to_deadlines(session_.run(find_armed, {std::string(saga_id), std::to_string(limit)}));
}

std::vector<Deadline> PostgresDeadlines::hurry(std::string_view saga_id, std::string_view step, TimePoint now) {
  return to_deadlines(session_.run(hurry_deadlines, {std::string(saga_id), std::string(step), micros(now)}));
}

Deadlines::Backlog PostgresDeadlines::backlog(std::uint64_t most) {
  const auto rows = session_.run(measure_backlog, {std::to_string(most)});
  Backlog backlog{rows.count(0, 0), {}};
  if (!rows.is_null(0, 1)) backlog.oldest = rows.time(0, 1);
  return backlog;
}

}  // namespace quadrille::postgres
