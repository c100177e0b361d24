// A service's role may append and read; it may not rewrite history.
#include "support/temporary_database.hpp"

#include <gtest/gtest.h>
#include <pqxx/pqxx>

namespace quadrille {
namespace {

/// "allowed", "not permitted", or what else went wrong.
std::string verdict(const std::string& url, const std::string& statement) {
  pqxx::connection connection(url);
  pqxx::work work(connection);
  try {
    work.exec(statement);
  } catch (const pqxx::insufficient_privilege&) {
    return "not permitted";
  } catch (const pqxx::sql_error& error) {
    return error.what();
  }
  return "allowed";
}

TEST(Privileges, AServiceCannotChangeOrRemoveEventsNorWriteThemPastAppend) {
  const support::TemporaryDatabase database;
  for (const auto* statement :
       {"UPDATE quadrille.events SET payload = ''", "DELETE FROM quadrille.events", "TRUNCATE quadrille.events",
        "DROP TABLE quadrille.events",
        "INSERT INTO quadrille.events (id, type, source, subject, category, key, version, saga_id, causation_id, hops, "
        "contract, traceparent, payload) "
        "VALUES (gen_random_uuid(), '', '', '', '', '', 1, '', '', 0, '', '', '')",
        "UPDATE quadrille.streams SET version = 1", "DELETE FROM quadrille.streams",
        "INSERT INTO quadrille.outbox VALUES (1)", "DELETE FROM quadrille.inbox", "DELETE FROM quadrille.applied",
        "UPDATE quadrille.audit SET why = ''", "DELETE FROM quadrille.audit",
        "UPDATE quadrille.migrations SET sha256 = ''", "CREATE TABLE quadrille.mine (x integer)"})
    EXPECT_EQ(verdict(database.service_url(), statement), "not permitted") << statement;
  for (const auto* statement :
       {"SELECT * FROM quadrille.events", "SELECT quadrille.maintain_inbox(30)", "DELETE FROM quadrille.outbox"})
    EXPECT_EQ(verdict(database.service_url(), statement), "allowed") << statement;
}

}  // namespace
}  // namespace quadrille
