#include "postgres/coordination.hpp"

namespace quadrille::postgres {
namespace {

// Held until the transaction ends: tells "being served now" without waiting for it.
constexpr Statement lock_key{"lock an idempotency key",
                             "SELECT pg_try_advisory_xact_lock(hashtextextended($1 || chr(31) || $2, 0))"};

constexpr Statement claim_key{"claim an idempotency key",
                              "INSERT INTO quadrille.idempotency_keys AS k (scope, key, request_hash, expires_at) "
                              "VALUES ($1, $2, $3, to_timestamp($5::bigint / 1000000.0)) "
                              "ON CONFLICT (scope, key) DO UPDATE SET request_hash = excluded.request_hash, status = "
                              "NULL, response = NULL, expires_at = excluded.expires_at "
                              "WHERE k.expires_at <= to_timestamp($4::bigint / 1000000.0) RETURNING k.key"};

constexpr Statement read_key{"read an idempotency key",
                             "SELECT request_hash, status IS NOT NULL, coalesce(status, 0), coalesce(response, '') "
                             "FROM quadrille.idempotency_keys "
                             "WHERE scope = $1 AND key = $2"};

constexpr Statement complete_key{
    "complete an idempotency key",
    "UPDATE quadrille.idempotency_keys SET status = $3::integer, response = $4 WHERE scope = $1 AND key = $2"};

}  // namespace

std::optional<IdempotencyKeys::Entry> PostgresIdempotencyKeys::claim(std::string_view scope, std::string_view key,
                                                                     std::string_view request_hash, TimePoint now,
                                                                     TimePoint expires_at) {
  const std::string in_scope(scope);
  const std::string name(key);
  // Somebody else's request of the same key runs now; its hash cannot be seen yet, so it is taken for ours.
  if (!session_.run(lock_key, {in_scope, name}).truth(0, 0)) return Entry{std::string(request_hash), false, 0, {}};
  if (!session_.run(claim_key, {in_scope, name, std::string(request_hash), micros(now), micros(expires_at)}).empty())
    return std::nullopt;
  const auto rows = session_.run(read_key, {in_scope, name});
  return Entry{rows.text(0, 0), rows.truth(0, 1), static_cast<int>(rows.number(0, 2)), rows.text(0, 3)};
}

void PostgresIdempotencyKeys::complete(std::string_view scope, std::string_view key, int status,
                                       std::string_view response) {
  session_.later(complete_key, {std::string(scope), std::string(key), std::to_string(status), std::string(response)});
}

}  // namespace quadrille::postgres
