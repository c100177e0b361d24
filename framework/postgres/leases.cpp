#include "postgres/array_text.hpp"
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

// Sorted as acquire sorts, or the two could deadlock. The share lock keeps a take-over, which updates the row, waiting
// until this transaction has ended.
constexpr Statement verify_leases{
    "verify leases",
    "SELECT count(*) FROM (SELECT FROM unnest($1::text[], $2::bigint[]) AS g (name, epoch) "
    "JOIN quadrille.leases l ON l.name = g.name AND l.epoch = g.epoch AND l.owner = $3 ORDER BY l.name FOR SHARE OF l) "
    "AS still_held"};

constexpr Statement release_leases{"release leases",
                                   "UPDATE quadrille.leases SET expires_at = clock_timestamp() WHERE owner = $1"};

}  // namespace

std::vector<Lease> PostgresLeases::acquire(std::span<const std::string> names, std::string_view owner,
                                           std::chrono::milliseconds time_to_live) {
  const auto rows =
      session_.run(acquire_leases, {array_of(names), std::string(owner), std::to_string(time_to_live.count())});
  std::vector<Lease> leases;
  for (std::size_t i = 0; i < rows.size(); ++i) leases.push_back({rows.text(i, 0), rows.count(i, 1)});
  return leases;
}

bool PostgresLeases::verify(std::span<const Lease> leases, std::string_view owner) {
  ArrayText names;
  ArrayText epochs;
  for (const auto& lease : leases) {
    names.add(lease.name);
    epochs.add(static_cast<std::int64_t>(lease.epoch));
  }
  return session_.run(verify_leases, {names.str(), epochs.str(), std::string(owner)}).count(0, 0) == leases.size();
}

void PostgresLeases::release(std::string_view owner) { session_.run(release_leases, {std::string(owner)}); }

}  // namespace quadrille::postgres
