#include "postgres/array_text.hpp"
#include "postgres/coordination.hpp"

namespace quadrille::postgres {
namespace {

constexpr Statement record_act{"record an act",
                               "INSERT INTO quadrille.audit (who, act, consumer, message_id, why, original) "
                               "VALUES ($1, $2, $3, $4, $5, nullif($6::bytea, ''))"};

constexpr Statement newest_acts{
    "read the audit trail",
    "SELECT who, act, consumer, message_id, why, (extract(epoch FROM at) * "
    "1000000)::bigint, coalesce(original, '') FROM quadrille.audit ORDER BY position DESC LIMIT $1::bigint"};

}  // namespace

void PostgresAuditTrail::record(const Entry& entry) {
  session_.later(record_act,
                 {entry.who, entry.act, entry.consumer, entry.message_id, entry.why, to_bytea(entry.original)});
}

std::vector<AuditTrail::Entry> PostgresAuditTrail::newest(std::size_t limit) {
  const auto rows = session_.run(newest_acts, {std::to_string(limit)});
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < rows.size(); ++i)
    entries.push_back({rows.text(i, 0), rows.text(i, 1), rows.text(i, 2), rows.text(i, 3), rows.text(i, 4),
                       rows.time(i, 5), from_bytea(rows.view(i, 6))});
  return entries;
}

}  // namespace quadrille::postgres
