#include "postgres/coordination.hpp"

#include <cstdint>

namespace quadrille::postgres {
namespace {

constexpr Statement find_quantity{"find a quantity",
                                  "SELECT total, held FROM quadrille.quantities WHERE resource = $1"};

constexpr Statement add_quantity{"add to a quantity",
                                 "INSERT INTO quadrille.quantities AS q (resource, total) VALUES ($1, $2::bigint) "
                                 "ON CONFLICT (resource) DO UPDATE SET total = q.total + excluded.total"};

constexpr Statement take_quantity{"take from a quantity",
                                  "UPDATE quadrille.quantities SET total = total + $2::bigint WHERE resource = $1 AND "
                                  "total - held >= -$2::bigint RETURNING total"};

// One statement: the guard and the change see the same row, whoever else changes it at the time.
constexpr Statement place_hold{
    "hold",
    "WITH mine AS (SELECT FROM quadrille.holds WHERE resource = $1 AND holder = $2), "
    "grown AS (UPDATE quadrille.quantities SET held = held + $3::bigint "
    "WHERE resource = $1 AND total - held >= $3::bigint AND NOT EXISTS (SELECT FROM mine) RETURNING resource), "
    "placed AS (INSERT INTO quadrille.holds (resource, holder, amount, expires_at) "
    "SELECT resource, $2, $3::bigint, to_timestamp($4::bigint / 1000000.0) FROM grown) "
    "SELECT EXISTS (SELECT FROM grown) OR EXISTS (SELECT FROM mine)"};

constexpr Statement release_hold{
    "release a hold",
    "WITH gone AS (DELETE FROM quadrille.holds WHERE resource = $1 AND holder = $2 RETURNING amount), "
    "back AS (UPDATE quadrille.quantities q SET held = q.held - gone.amount FROM gone WHERE q.resource = $1) "
    "SELECT coalesce((SELECT amount FROM gone), 0)"};

constexpr Statement settle_hold{
    "settle a hold",
    "WITH gone AS (DELETE FROM quadrille.holds WHERE resource = $1 AND holder = $2 RETURNING amount), "
    "taken AS (UPDATE quadrille.quantities q SET held = q.held - gone.amount, total = q.total - gone.amount FROM gone "
    "WHERE q.resource = $1) "
    "SELECT coalesce((SELECT amount FROM gone), 0)"};

constexpr Statement expired_holds{
    "find expired holds",
    "SELECT resource, holder, amount, (extract(epoch FROM expires_at) * 1000000)::bigint FROM quadrille.holds "
    "WHERE expires_at <= to_timestamp($1::bigint / 1000000.0) ORDER BY expires_at LIMIT $2::bigint"};

}  // namespace

std::optional<Quantities::Quantity> PostgresQuantities::find(std::string_view resource) {
  const auto rows = session_.run(find_quantity, {std::string(resource)});
  if (rows.empty()) return std::nullopt;
  return Quantity{rows.number(0, 0), rows.number(0, 1)};
}

bool PostgresQuantities::add(std::string_view resource, std::int64_t delta) {
  if (delta < 0) return !session_.run(take_quantity, {std::string(resource), std::to_string(delta)}).empty();
  session_.run(add_quantity, {std::string(resource), std::to_string(delta)});
  return true;
}

bool PostgresQuantities::hold(std::string_view resource, std::string_view holder, std::int64_t amount,
                              TimePoint expires_at) {
  return session_
      .run(place_hold, {std::string(resource), std::string(holder), std::to_string(amount), micros(expires_at)})
      .truth(0, 0);
}

std::int64_t PostgresQuantities::release(std::string_view resource, std::string_view holder) {
  return session_.run(release_hold, {std::string(resource), std::string(holder)}).number(0, 0);
}

std::int64_t PostgresQuantities::settle(std::string_view resource, std::string_view holder) {
  return session_.run(settle_hold, {std::string(resource), std::string(holder)}).number(0, 0);
}

std::vector<Quantities::Hold> PostgresQuantities::expired(TimePoint now, std::size_t limit) {
  const auto rows = session_.run(expired_holds, {micros(now), std::to_string(limit)});
  std::vector<Hold> holds;
  for (std::size_t i = 0; i < rows.size(); ++i)
    holds.push_back({rows.text(i, 0), rows.text(i, 1), rows.number(i, 2), rows.time(i, 3)});
  return holds;
}

}  // namespace quadrille::postgres
