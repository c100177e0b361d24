#include "migrate/log_tailing.hpp"

#include "migrate/connect.hpp"
#include "postgres/replication/names.hpp"
#include "quadrille/error.hpp"

#include <pqxx/pqxx>

#include <optional>

namespace quadrille::migrate {
namespace {

/// Runs `work` in a transaction of its own. (A slot cannot be made in one that has written.)
template <class Work>
auto transact(pqxx::connection& connection, const char* doing, const Work& work) {
  try {
    pqxx::work transaction(connection);
    auto answer = work(transaction);
    transaction.commit();
    return answer;
  } catch (const pqxx::sql_error& error) {
    const std::string text = error.what();
    throw Error(Disposition::stop, std::string("cannot ") + doing + ": " + text.substr(0, text.find('\n')));
  }
}

std::string slot_name(pqxx::connection& connection) {
  return transact(connection, "name the slot",
                  [](pqxx::work& work) { return std::string(work.exec(postgres::select_slot_name)[0][0].c_str()); });
}

/// Its wal_status; empty where there is no slot.
std::optional<std::string> slot_status(pqxx::connection& connection, const std::string& slot) {
  return transact(connection, "look for the slot", [&](pqxx::work& work) {
    const auto rows =
        work.exec("SELECT coalesce(wal_status, '') FROM pg_replication_slots WHERE slot_name = " + work.quote(slot));
    return rows.empty() ? std::nullopt : std::optional<std::string>(rows[0][0].c_str());
  });
}

void drop_slot(pqxx::connection& connection, const std::string& slot) {
  transact(connection, "drop the replication slot (stop the relay that reads it, or let it poll, first)",
           [&](pqxx::work& work) { return work.exec("SELECT pg_drop_replication_slot(" + work.quote(slot) + ")"); });
}

void check_server(pqxx::connection& connection) {
  const auto level = transact(connection, "look at wal_level", [](pqxx::work& work) {
    return std::string(work.exec("SELECT current_setting('wal_level')")[0][0].c_str());
  });
  if (level != "logical")
    throw Error(Disposition::stop, "wal_level is " + level +
                                       ", not logical: ALTER SYSTEM SET wal_level = 'logical', restart PostgreSQL, "
                                       "then run this again");
}

bool make_publication(pqxx::connection& connection) {
  return transact(connection, "create the publication (as the owner of the schema)", [](pqxx::work& work) {
    const auto name = work.quote_name(postgres::publication_name);
    const bool exists =
        !work.exec("SELECT FROM pg_publication WHERE pubname = " + work.quote(std::string(postgres::publication_name)))
             .empty();
    if (!exists) work.exec("CREATE PUBLICATION " + name + " FOR TABLE quadrille.events WITH (publish = 'insert')");
    return !exists;
  });
}

}  // namespace

std::vector<std::string> prepare_log_tailing(const std::string& database_url, const std::string& role) {
  auto connection = connect(database_url);
  std::vector<std::string> done;
  check_server(connection);
  if (!role.empty()) {
    transact(connection, "give the role the right to replicate (it takes a superuser)",
             [&](pqxx::work& work) { return work.exec("ALTER ROLE " + work.quote_name(role) + " REPLICATION"); });
    done.push_back("role " + role + " may replicate");
  }
  const bool new_publication = make_publication(connection);
  if (new_publication) done.push_back(std::string("made publication ") + postgres::publication_name);
  const auto slot = slot_name(connection);
  const auto status = slot_status(connection, slot);
  // A slot reads the catalogue as it was: one from before the publication, or one that has lost its log, can never be
  // read again. Nothing is lost with it: the relay publishes from the outbox first.
  const bool useless = status && (new_publication || *status == "lost");
  if (useless) drop_slot(connection, slot);
  if (!status || useless) {
    transact(connection, "create the replication slot (it takes the right to replicate)", [&](pqxx::work& work) {
      return work.exec("SELECT pg_create_logical_replication_slot(" + work.quote(slot) + ", 'pgoutput')");
    });
    done.push_back("made replication slot " + slot);
  }
  return done;
}

std::vector<std::string> drop_log_tailing(const std::string& database_url) {
  auto connection = connect(database_url);
  std::vector<std::string> done;
  const auto slot = slot_name(connection);
  if (slot_status(connection, slot)) {
    drop_slot(connection, slot);
    done.push_back("dropped replication slot " + slot);
  }
  transact(connection, "drop the publication", [](pqxx::work& work) {
    return work.exec("DROP PUBLICATION IF EXISTS " + work.quote_name(postgres::publication_name));
  });
  done.push_back(std::string("no publication ") + postgres::publication_name + " is left");
  return done;
}

}  // namespace quadrille::migrate
