#include "postgres/replication/slot.hpp"

#include "postgres/replication/names.hpp"
#include "quadrille/error.hpp"

#include <string_view>

namespace quadrille::postgres {
namespace {

using Parameters = std::vector<std::string>;

constexpr const char* find_state = "SELECT wal_status FROM pg_catalog.pg_replication_slots WHERE slot_name = $1";

constexpr const char* find_lag =
    "SELECT greatest(pg_current_wal_lsn() - coalesce(confirmed_flush_lsn, restart_lsn), 0)::bigint "
    "FROM pg_catalog.pg_replication_slots WHERE slot_name = $1";

#define PUBLICATION_OF_INSERTS                                                                       \
  "SELECT FROM pg_catalog.pg_publication p JOIN pg_catalog.pg_publication_tables t USING (pubname) " \
  "WHERE p.pubname = $1 AND p.pubinsert AND t.schemaname = 'quadrille' AND t.tablename = 'events'"

constexpr const char* find_publication = PUBLICATION_OF_INSERTS;

constexpr const char* find_what_is_there =
    "SELECT current_setting('wal_level'), current_setting('max_wal_senders'), "
    "current_setting('max_replication_slots')::bigint <= (SELECT count(*) FROM pg_catalog.pg_replication_slots), "
    "current_setting('max_slot_wal_keep_size'), current_user, "
    "(SELECT rolreplication OR rolsuper FROM pg_catalog.pg_roles WHERE rolname = current_user), "
    "EXISTS (" PUBLICATION_OF_INSERTS
    "), "
    "EXISTS (SELECT FROM pg_catalog.pg_replication_slots WHERE slot_name = $2)";

std::string no_publication() {
  return std::string("there is no publication ") + publication_name + " of the inserts into quadrille.events";
}

bool truth(const std::optional<std::string>& value) { return value == "t"; }

}  // namespace

std::string Slot::name() { return store_.begin()->sql(select_slot_name, {}).at(0).at(0).value(); }

Slot::State Slot::state(const std::string& name) {
  const auto rows = store_.begin()->sql(find_state, Parameters{name});
  if (rows.empty()) return State::missing;
  return rows[0][0] == "lost" ? State::lost : State::there;
}

void Slot::create(const std::string& name) {
  const auto transaction = store_.begin();
  if (transaction->sql(find_publication, Parameters{publication_name}).empty())
    throw Error(Disposition::stop, no_publication() + ": quadrille migrate --log-tailing");
  transaction->sql("SELECT pg_catalog.pg_create_logical_replication_slot($1, 'pgoutput')", Parameters{name});
  transaction->commit();
}

void Slot::drop(const std::string& name) {
  const auto transaction = store_.begin();
  transaction->sql("SELECT pg_catalog.pg_drop_replication_slot($1)", Parameters{name});
  transaction->commit();
}

std::optional<std::uint64_t> Slot::lag_bytes() {
  const auto rows = store_.begin()->sql(find_lag, Parameters{name()});
  if (rows.empty() || !rows[0][0]) return std::nullopt;
  return std::stoull(*rows[0][0]);
}

Lsn Slot::end_of_log() {
  return std::stoull(store_.begin()->sql("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn", {}).at(0).at(0).value());
}

std::vector<std::string> Slot::check() {
  const auto slot = name();
  const auto found = store_.begin()->sql(find_what_is_there, Parameters{publication_name, slot}).at(0);
  const auto role = found[4].value();
  std::string missing;
  const auto lacks = [&](const std::string& what, const std::string& fix) { missing += "\n  " + what + ": " + fix; };
  if (found[0] != "logical")
    lacks("wal_level is " + found[0].value() + ", not logical",
          "ALTER SYSTEM SET wal_level = 'logical', then restart PostgreSQL");
  if (found[1] == "0") lacks("max_wal_senders is 0", "ALTER SYSTEM SET max_wal_senders = 10, then restart PostgreSQL");
  if (!truth(found[7]) && truth(found[2]))
    lacks("all of max_replication_slots are taken",
          "drop a slot nobody reads (pg_replication_slots), or ALTER SYSTEM SET max_replication_slots, then restart");
  if (!truth(found[5])) lacks("role " + role + " has no right to replicate", "ALTER ROLE \"" + role + "\" REPLICATION");
  if (!truth(found[6])) lacks(no_publication(), "quadrille migrate --log-tailing");
  if (!truth(found[7])) lacks("there is no replication slot " + slot, "quadrille migrate --log-tailing");
  if (!missing.empty()) throw Error(Disposition::stop, "this database cannot be tailed (setting relay):" + missing);
  std::vector<std::string> warnings;
  if (found[3] == "-1")
    warnings.emplace_back(
        "max_slot_wal_keep_size is -1: while no relay reads the slot, the log grows until the disk is full; set a "
        "limit, such as ALTER SYSTEM SET max_slot_wal_keep_size = '10GB'");
  return warnings;
}

}  // namespace quadrille::postgres
