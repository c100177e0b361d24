#include "postgres/array_text.hpp"
#include "postgres/batch_start.hpp"
#include "postgres/coordination.hpp"

#include <cstdint>

namespace quadrille::postgres {
namespace {

constexpr Statement acquire_leases{
    "acquire leases",
    "INSERT INTO quadrille.leases AS l (name, owner, epoch, expires_at) "
    "SELECT n, $2, 1, clock_timestamp() + $3::bigint * interval '1 millisecond' FROM unnest($1::text[]) AS g (n) ORDER "
    "BY n "
    "ON CONFLICT (name) DO UPDATE SET epoch = l.epoch + (l.owner <> excluded.owner)::integer, owner = excluded.owner, "
    "expires_at = excluded.expires_at "
    "WHERE l.owner = excluded.owner OR l.expires_at <= clock_timestamp() RETURNING l.name, l.epoch"};

// Whoever else takes one of the free ones first has it; the statement then brings less, and the next one more.
constexpr Statement acquire_some_leases{
    "acquire some leases",
    "INSERT INTO quadrille.leases AS l (name, owner, epoch, expires_at) "
    "SELECT c.n, $2, 1, clock_timestamp() + $3::bigint * interval '1 millisecond' FROM "
    "(SELECT g.n FROM unnest($1::text[]) AS g (n) LEFT JOIN quadrille.leases o ON o.name = g.n "
    "WHERE o.name IS NULL OR o.owner = $2 OR o.expires_at <= clock_timestamp() "
    "ORDER BY (o.owner IS DISTINCT FROM $2), g.n LIMIT $4::bigint) AS c ORDER BY c.n "
    "ON CONFLICT (name) DO UPDATE SET epoch = l.epoch + (l.owner <> excluded.owner)::integer, owner = excluded.owner, "
    "expires_at = excluded.expires_at "
    "WHERE l.owner = excluded.owner OR l.expires_at <= clock_timestamp() RETURNING l.name, l.epoch"};

constexpr Statement give_back_leases{
    "give back leases",
    "UPDATE quadrille.leases SET expires_at = clock_timestamp() WHERE name IN (SELECT name FROM quadrille.leases "
    "WHERE name = ANY ($1::text[]) AND owner = $2 ORDER BY name FOR UPDATE)"};

constexpr Statement count_held{
    "count leases",
    "SELECT count(*) FROM quadrille.leases WHERE starts_with(name, $1) AND expires_at > clock_timestamp()"};

// Sorted as acquire sorts, or the two could deadlock. The share lock keeps a take-over, which updates the row, waiting
// until this transaction has ended.
constexpr Statement verify_leases{
    "verify leases",
    "SELECT count(*) FROM (SELECT FROM unnest($1::text[], $2::bigint[]) AS g (name, epoch) "
    "JOIN quadrille.leases l ON l.name = g.name AND l.epoch = g.epoch AND l.owner = $3 ORDER BY l.name FOR SHARE OF l) "
    "AS still_held"};

constexpr Statement release_leases{"release leases",
                                   "UPDATE quadrille.leases SET expires_at = clock_timestamp() WHERE owner = $1"};

std::vector<Lease> to_leases(const Rows& rows) {
  std::vector<Lease> leases;
  for (std::size_t i = 0; i < rows.size(); ++i) leases.push_back({rows.text(i, 0), rows.count(i, 1)});
  return leases;
}

}  // namespace

std::vector<Lease> PostgresLeases::acquire(std::span<const std::string> names, std::string_view owner,
                                           std::chrono::milliseconds time_to_live) {
  return to_leases(
      session_.run(acquire_leases, {array_of(names), std::string(owner), std::to_string(time_to_live.count())}));
}

std::vector<Lease> PostgresLeases::acquire_some(std::span<const std::string> names, std::string_view owner,
                                                std::chrono::milliseconds time_to_live, std::size_t most) {
  return to_leases(session_.run(acquire_some_leases, {array_of(names), std::string(owner),
                                                      std::to_string(time_to_live.count()), std::to_string(most)}));
}

void PostgresLeases::give_back(std::span<const std::string> names, std::string_view owner) {
  session_.run(give_back_leases, {array_of(names), std::string(owner)});
}

std::size_t PostgresLeases::held(std::string_view prefix) {
  return session_.run(count_held, {std::string(prefix)}).count(0, 0);
}

Command ask_leases(std::span<const Lease> leases, std::string_view owner) {
  ArrayText names;
  ArrayText epochs;
  for (const auto& lease : leases) {
    names.add(lease.name);
    epochs.add(static_cast<std::int64_t>(lease.epoch));
  }
  return {.statement = &verify_leases, .parameters = {names.str(), epochs.str(), std::string(owner)}};
}

bool read_leases(const Rows& rows, std::span<const Lease> leases) { return rows.count(0, 0) == leases.size(); }

bool PostgresLeases::verify(std::span<const Lease> leases, std::string_view owner) {
  return read_leases(session_.run(ask_leases(leases, owner)), leases);
}

void PostgresLeases::release(std::string_view owner) { session_.run(release_leases, {std::string(owner)}); }

}  // namespace quadrille::postgres
