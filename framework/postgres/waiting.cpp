// The waiting room of PostgresInbox.
#include "postgres/array_text.hpp"
#include "postgres/batch_start.hpp"
#include "postgres/inbox.hpp"

#include <array>
#include <cstdint>
#include <utility>

namespace quadrille::postgres {
namespace {

constexpr Statement find_streams{"find waiting streams",
                                 "SELECT s.category, s.key FROM unnest($2::text[], $3::text[]) AS s (category, key) "
                                 "WHERE EXISTS (SELECT FROM quadrille.waiting w WHERE w.consumer = $1 AND w.category = "
                                 "s.category AND w.key = s.key)",
                                 Statement::Effect::reads};

constexpr Statement put{
    "put into the waiting room",
    "INSERT INTO quadrille.waiting AS w (consumer, message_id, category, key, version, state, reason, attempts, "
    "due_at, subject, headers, payload, reason_class, step, stuck, first_failed_at, sequence) "
    "SELECT $1, g.message_id, g.category, g.key, g.version, g.state, g.reason, g.attempts, to_timestamp(g.due / "
    "1000000.0), g.subject, g.headers, g.payload, g.reason_class, g.step, g.stuck, to_timestamp(g.failed / 1000000.0), "
    "g.sequence "
    "FROM unnest($2::text[], $3::text[], $4::text[], $5::bigint[], $6::smallint[], $7::text[], $8::integer[], "
    "$9::bigint[], $10::bytea[], $11::bytea[], $12::bytea[], $13::smallint[], $14::text[], $15::boolean[], "
    "$16::bigint[], $17::bigint[]) "
    "AS g (message_id, category, key, version, state, reason, attempts, due, subject, headers, payload, reason_class, "
    "step, stuck, failed, sequence) "
    "ON CONFLICT (consumer, message_id) DO UPDATE SET state = excluded.state, reason = excluded.reason, attempts = "
    "excluded.attempts, due_at = excluded.due_at, reason_class = excluded.reason_class, step = excluded.step, stuck = "
    "excluded.stuck, first_failed_at = excluded.first_failed_at, payload = excluded.payload"};

#define WAITING_COLUMNS                                                                                         \
  "w.message_id, w.category, w.key, w.version, w.state, w.reason, w.attempts, (extract(epoch FROM w.due_at) * " \
  "1000000)::bigint, w.subject, w.headers, w.payload, w.reason_class, w.step, w.stuck, "                        \
  "(extract(epoch FROM w.first_failed_at) * 1000000)::bigint, w.sequence "

// A head has no older message of its stream before it. A gap is over when the version before it was applied.
constexpr Statement take{"take what is due from the waiting room",
                         "SELECT " WAITING_COLUMNS
                         "FROM quadrille.waiting w LEFT JOIN quadrille.applied a ON a.consumer = w.consumer AND "
                         "a.category = w.category AND a.key = w.key "
                         "WHERE w.consumer = $1 AND w.state <> 4 "
                         "AND (w.due_at <= to_timestamp($2::bigint / 1000000.0) OR (w.state = 2 AND w.version = "
                         "coalesce(a.version, 0) + 1)) "
                         "AND NOT EXISTS (SELECT FROM quadrille.waiting o WHERE o.consumer = w.consumer AND o.category "
                         "= w.category AND o.key = w.key AND o.version < w.version) "
                         "ORDER BY w.due_at, w.category, w.key LIMIT $3::bigint FOR UPDATE OF w SKIP LOCKED"};

constexpr Statement remove{"remove from the waiting room",
                           "DELETE FROM quadrille.waiting WHERE consumer = $1 AND message_id = ANY ($2::text[])"};

// The header of the saga stands in the bytes as name, NUL, value, NUL, like every header.
constexpr Statement look_around{
    "look around the waiting room",
    "SELECT " WAITING_COLUMNS
    "FROM quadrille.waiting w WHERE w.consumer = $1 "
    "AND ($2::text[] = '{}' OR w.message_id = ANY ($2::text[])) "
    "AND ($3::text = '' OR position('ce-sagaid'::bytea || '\\x00'::bytea || convert_to($3::text, 'UTF8') || "
    "'\\x00'::bytea IN w.headers) > 0) "
    "AND strpos(w.reason, $4::text) > 0 AND ($5::smallint = 0 OR w.reason_class = $5::smallint) "
    "AND (w.stuck OR NOT $6::boolean) ORDER BY w.first_failed_at, w.message_id LIMIT $7::bigint"};

constexpr Statement find_one{"find in the waiting room",
                             "SELECT " WAITING_COLUMNS
                             "FROM quadrille.waiting w WHERE w.consumer = $1 AND w.message_id = $2 FOR UPDATE OF w"};

constexpr Statement find_oldest{
    "find the head of a stream",
    "SELECT min(version) FROM quadrille.waiting WHERE consumer = $1 AND category = $2 AND key = $3"};

constexpr Statement count{"count the waiting room",
                          "SELECT w.state, w.stuck, w.reason_class, count(*) FROM (SELECT state, stuck, reason_class "
                          "FROM quadrille.waiting WHERE consumer = $1 LIMIT $2::bigint) AS w GROUP BY 1, 2, 3"};

/// Names and values one after the other, each ended by NUL, which no header can hold.
std::string headers_to_bytes(const std::map<std::string, std::string>& headers) {
  std::string bytes;
  for (const auto& [name, value] : headers) bytes.append(name).append(1, '\0').append(value).append(1, '\0');
  return bytes;
}

std::map<std::string, std::string> headers_from_bytes(const std::string& bytes) {
  std::map<std::string, std::string> headers;
  for (std::size_t begin = 0; begin < bytes.size();) {
    const auto name_end = bytes.find('\0', begin);
    const auto value_end = bytes.find('\0', name_end + 1);
    headers[bytes.substr(begin, name_end - begin)] = bytes.substr(name_end + 1, value_end - name_end - 1);
    begin = value_end + 1;
  }
  return headers;
}

WaitingMessage to_waiting(const Rows& rows, std::size_t row) {
  WaitingMessage message;
  message.message_id = rows.text(row, 0);
  message.stream = {rows.text(row, 1), rows.text(row, 2)};
  message.version = rows.count(row, 3);
  message.state = static_cast<Waiting>(rows.number(row, 4));
  message.reason = rows.text(row, 5);
  message.attempts = static_cast<std::uint32_t>(rows.count(row, 6));
  message.due_at = rows.time(row, 7);
  message.message = {from_bytea(rows.view(row, 8)), headers_from_bytes(from_bytea(rows.view(row, 9))),
                     from_bytea(rows.view(row, 10))};
  message.reason_class = static_cast<ReasonClass>(rows.number(row, 11));
  message.step = rows.text(row, 12);
  message.stuck = rows.truth(row, 13);
  message.first_failed_at = rows.time(row, 14);
  message.sequence = rows.count(row, 15);
  return message;
}

std::vector<WaitingMessage> to_waiting(const Rows& rows) {
  std::vector<WaitingMessage> messages;
  for (std::size_t i = 0; i < rows.size(); ++i) messages.push_back(to_waiting(rows, i));
  return messages;
}

}  // namespace

Command ask_waiting_streams(std::string_view consumer, std::span<const StreamName> streams) {
  auto parameters = columns_of(streams);
  parameters.insert(parameters.begin(), std::string(consumer));
  return {.statement = &find_streams, .parameters = std::move(parameters)};
}

std::set<StreamName> read_waiting_streams(const Rows& rows) {
  std::set<StreamName> found;
  for (std::size_t i = 0; i < rows.size(); ++i) found.insert({rows.text(i, 0), rows.text(i, 1)});
  return found;
}

std::set<StreamName> PostgresInbox::waiting_streams(std::string_view consumer, std::span<const StreamName> streams) {
  if (streams.empty()) return {};
  return read_waiting_streams(session_.run(ask_waiting_streams(consumer, streams)));
}

void PostgresInbox::put_waiting(std::string_view consumer, std::span<const WaitingMessage> messages) {
  std::array<ArrayText, 16> columns;
  for (const auto& message : messages) {
    columns[0].add(message.message_id);
    columns[1].add(message.stream.category);
    columns[2].add(message.stream.key);
    columns[3].add(static_cast<std::int64_t>(message.version));
    columns[4].add(static_cast<std::int64_t>(message.state));
    columns[5].add(message.reason);
    columns[6].add(static_cast<std::int64_t>(message.attempts));
    columns[7].add(message.due_at.time_since_epoch().count());
    columns[8].add_bytes(message.message.subject);
    columns[9].add_bytes(headers_to_bytes(message.message.headers));
    columns[10].add_bytes(message.message.payload);
    columns[11].add(static_cast<std::int64_t>(message.reason_class));
    columns[12].add(message.step);
    columns[13].add(message.stuck ? "true" : "false");
    columns[14].add(message.first_failed_at.time_since_epoch().count());
    columns[15].add(static_cast<std::int64_t>(message.sequence));
  }
  std::vector<std::string> parameters{std::string(consumer)};
  append_to(parameters, columns);
  session_.later(put, std::move(parameters));
}

std::vector<WaitingMessage> PostgresInbox::take_due(std::string_view consumer, TimePoint now, std::size_t limit) {
  return to_waiting(session_.run(take, {std::string(consumer), micros(now), std::to_string(limit)}));
}

void PostgresInbox::remove_waiting(std::string_view consumer, std::span<const std::string> message_ids) {
  session_.later(remove, {std::string(consumer), array_of(message_ids)});
}

std::vector<WaitingMessage> PostgresInbox::look(std::string_view consumer, const Filter& filter, std::size_t limit) {
  const auto reason_class = filter.reason_class ? static_cast<int>(*filter.reason_class) : 0;
  return to_waiting(session_.run(
      look_around, {std::string(consumer), array_of(filter.message_ids), filter.saga_id, filter.reason,
                    std::to_string(reason_class), filter.stuck ? "true" : "false", std::to_string(limit)}));
}

std::optional<WaitingMessage> PostgresInbox::find_waiting(std::string_view consumer, std::string_view message_id) {
  auto found = to_waiting(session_.run(find_one, {std::string(consumer), std::string(message_id)}));
  if (found.empty()) return std::nullopt;
  return std::move(found.front());
}

std::optional<std::uint64_t> PostgresInbox::oldest_waiting(std::string_view consumer, const StreamName& stream) {
  const auto rows = session_.run(find_oldest, {std::string(consumer), stream.category, stream.key});
  if (rows.is_null(0, 0)) return std::nullopt;
  return rows.count(0, 0);
}

std::vector<Inbox::Count> PostgresInbox::count_waiting(std::string_view consumer, std::uint64_t most) {
  const auto rows = session_.run(count, {std::string(consumer), std::to_string(most)});
  std::vector<Count> counts;
  for (std::size_t i = 0; i < rows.size(); ++i)
    counts.push_back({static_cast<Waiting>(rows.number(i, 0)), rows.truth(i, 1),
                      static_cast<ReasonClass>(rows.number(i, 2)), rows.count(i, 3)});
  return counts;
}

}  // namespace quadrille::postgres
