#include "postgres/inbox.hpp"

#include "core/time_text.hpp"
#include "postgres/array_text.hpp"
#include "postgres/batch_start.hpp"

#include <cstdint>
#include <set>
#include <utility>

namespace quadrille::postgres {
namespace {

// Sorted, so that two instances with the same messages wait for each other instead of deadlocking.
constexpr Statement claim_messages{
    "claim messages",
    "INSERT INTO quadrille.inbox AS i (consumer, message_id, day) "
    "SELECT $1, g.message_id, g.day FROM unnest($2::text[], $3::date[]) AS g (message_id, day) ORDER BY 2, 3 "
    "ON CONFLICT DO NOTHING RETURNING i.message_id"};

// Sorted, as they are written, and each looked up for itself: a join may be planned to read all there are.
constexpr Statement lock_applied{
    "read applied versions",
    "SELECT a.category, a.key, a.version FROM "
    "(SELECT category, key FROM unnest($2::text[], $3::text[]) AS g (category, key) ORDER BY 1, 2) AS s "
    "CROSS JOIN LATERAL (SELECT * FROM quadrille.applied a "
    "WHERE a.consumer = $1 AND a.category = s.category AND a.key = s.key FOR UPDATE) AS a"};

constexpr Statement write_applied{
    "write applied versions",
    "INSERT INTO quadrille.applied AS a (consumer, category, key, version) "
    "SELECT $1, g.category, g.key, g.version FROM unnest($2::text[], $3::text[], $4::bigint[]) AS g (category, key, "
    "version) ORDER BY 2, 3 "
    "ON CONFLICT (consumer, category, key) DO UPDATE SET version = greatest(a.version, excluded.version)"};

constexpr Statement find_claimed{
    "find claimed messages",
    "SELECT message_id FROM quadrille.inbox WHERE consumer = $1 AND message_id = ANY ($2::text[])"};

constexpr Statement note_made{"note when durables were made",
                              "INSERT INTO quadrille.beginnings (durable, made) SELECT g.durable, g.made FROM "
                              "unnest($1::text[], $2::text[]) AS g "
                              "(durable, made) ORDER BY 1 ON CONFLICT DO NOTHING"};

constexpr Statement read_made{"read when durables were made",
                              "SELECT durable, made FROM quadrille.beginnings WHERE durable = ANY ($1::text[])"};

}  // namespace

Command ask_claims(std::string_view consumer, std::span<const Inbox::Key> keys) {
  ArrayText ids;
  ArrayText days;
  for (const auto& key : keys) {
    ids.add(key.message_id);
    days.add(to_rfc3339(key.recorded_at).substr(0, 10));
  }
  return {.statement = &claim_messages, .parameters = {std::string(consumer), ids.str(), days.str()}};
}

std::vector<bool> read_claims(const Rows& rows, std::span<const Inbox::Key> keys) {
  std::vector<bool> claimed(keys.size(), false);
  std::set<std::string> ours;
  for (std::size_t i = 0; i < rows.size(); ++i) ours.insert(rows.text(i, 0));
  for (std::size_t i = 0; i < keys.size(); ++i)
    claimed[i] = ours.erase(keys[i].message_id) > 0;  // the first of equal ones
  return claimed;
}

std::vector<bool> PostgresInbox::claim(std::string_view consumer, std::span<const Key> keys) {
  if (keys.empty()) return {};
  return read_claims(session_.run(ask_claims(consumer, keys)), keys);
}

std::set<std::string> PostgresInbox::claimed(std::string_view consumer, std::span<const std::string> message_ids) {
  const auto rows = session_.run(find_claimed, {std::string(consumer), array_of(message_ids)});
  std::set<std::string> found;
  for (std::size_t i = 0; i < rows.size(); ++i) found.insert(rows.text(i, 0));
  return found;
}

Command ask_applied(std::string_view consumer, std::span<const StreamName> streams) {
  auto parameters = columns_of(streams);
  parameters.insert(parameters.begin(), std::string(consumer));
  return {.statement = &lock_applied, .parameters = std::move(parameters)};
}

std::map<StreamName, std::uint64_t> read_applied(const Rows& rows) {
  std::map<StreamName, std::uint64_t> versions;
  for (std::size_t i = 0; i < rows.size(); ++i) versions[{rows.text(i, 0), rows.text(i, 1)}] = rows.count(i, 2);
  return versions;
}

std::map<StreamName, std::uint64_t> PostgresInbox::applied(std::string_view consumer,
                                                           std::span<const StreamName> streams) {
  if (streams.empty()) return {};
  return read_applied(session_.run(ask_applied(consumer, streams)));
}

void PostgresInbox::set_applied(std::string_view consumer, const std::map<StreamName, std::uint64_t>& versions) {
  if (versions.empty()) return;
  ArrayText categories;
  ArrayText keys;
  ArrayText numbers;
  for (const auto& [stream, version] : versions) {
    categories.add(stream.category);
    keys.add(stream.key);
    numbers.add(static_cast<std::int64_t>(version));
  }
  session_.later(write_applied, {std::string(consumer), categories.str(), keys.str(), numbers.str()});
}

std::map<std::string, std::string> PostgresInbox::note_durables(const std::map<std::string, std::string>& made) {
  ArrayText durables;
  ArrayText times;
  for (const auto& [durable, time] : made) {
    durables.add(durable);
    times.add(time);
  }
  session_.run(note_made, {durables.str(), times.str()});
  const auto rows = session_.run(read_made, {durables.str()});
  std::map<std::string, std::string> noted;
  for (std::size_t i = 0; i < rows.size(); ++i) noted[rows.text(i, 0)] = rows.text(i, 1);
  return noted;
}

}  // namespace quadrille::postgres
