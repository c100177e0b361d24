// The waiting room of PostgresInbox.
#include "postgres/array_text.hpp"
#include "postgres/inbox.hpp"

#include <array>
#include <cstdint>

namespace quadrille::postgres {
namespace {

constexpr Statement find_waiting{"find waiting streams",
                                 "SELECT s.category, s.key FROM unnest($2::text[], $3::text[]) AS s (category, key) "
                                 "WHERE EXISTS (SELECT FROM quadrille.waiting w WHERE w.consumer = $1 AND w.category = "
                                 "s.category AND w.key = s.key)"};

constexpr Statement put{
    "put into the waiting room",
    "INSERT INTO quadrille.waiting AS w (consumer, message_id, category, key, version, state, reason, attempts, "
    "due_at, subject, headers, payload) "
    "SELECT $1, g.message_id, g.category, g.key, g.version, g.state, g.reason, g.attempts, to_timestamp(g.due / "
    "1000000.0), g.subject, g.headers, g.payload "
    "FROM unnest($2::text[], $3::text[], $4::text[], $5::bigint[], $6::smallint[], $7::text[], $8::integer[], "
    "$9::bigint[], $10::bytea[], $11::bytea[], $12::bytea[]) "
    "AS g (message_id, category, key, version, state, reason, attempts, due, subject, headers, payload) "
    "ON CONFLICT (consumer, message_id) DO UPDATE SET state = excluded.state, reason = excluded.reason, attempts = "
    "excluded.attempts, due_at = excluded.due_at"};

// A head has no older message of its stream before it. A gap is over when the version before it was applied.
constexpr Statement take{"take what is due from the waiting room",
                         "SELECT w.message_id, w.category, w.key, w.version, w.state, w.reason, w.attempts, "
                         "(extract(epoch FROM w.due_at) * 1000000)::bigint, w.subject, w.headers, w.payload "
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

}  // namespace

std::set<StreamName> PostgresInbox::waiting_streams(std::string_view consumer, std::span<const StreamName> streams) {
  std::set<StreamName> found;
  if (streams.empty()) return found;
  auto parameters = columns_of(streams);
  parameters.insert(parameters.begin(), std::string(consumer));
  const auto rows = session_.run(find_waiting, parameters);
  for (std::size_t i = 0; i < rows.size(); ++i) found.insert({rows.text(i, 0), rows.text(i, 1)});
  return found;
}

void PostgresInbox::put_waiting(std::string_view consumer, std::span<const WaitingMessage> messages) {
  std::array<ArrayText, 11> columns;
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
  }
  std::vector<std::string> parameters{std::string(consumer)};
  append_to(parameters, columns);
  session_.run(put, parameters);
}

std::vector<WaitingMessage> PostgresInbox::take_due(std::string_view consumer, TimePoint now, std::size_t limit) {
  const auto rows = session_.run(take, {std::string(consumer), micros(now), std::to_string(limit)});
  std::vector<WaitingMessage> due;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    WaitingMessage message;
    message.message_id = rows.text(i, 0);
    message.stream = {rows.text(i, 1), rows.text(i, 2)};
    message.version = rows.count(i, 3);
    message.state = static_cast<Waiting>(rows.number(i, 4));
    message.reason = rows.text(i, 5);
    message.attempts = static_cast<std::uint32_t>(rows.count(i, 6));
    message.due_at = rows.time(i, 7);
    message.message = {from_bytea(rows.text(i, 8)), headers_from_bytes(from_bytea(rows.text(i, 9))),
                       from_bytea(rows.text(i, 10))};
    due.push_back(std::move(message));
  }
  return due;
}

void PostgresInbox::remove_waiting(std::string_view consumer, std::span<const std::string> message_ids) {
  session_.run(remove, {std::string(consumer), array_of(message_ids)});
}

}  // namespace quadrille::postgres
