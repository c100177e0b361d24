#include "core/uuid.hpp"
#include "postgres/postgres_store.hpp"
#include "postgres/translate.hpp"
#include "quadrille/error.hpp"
#include "support/temporary_database.hpp"

#include <gtest/gtest.h>
#include <pqxx/pqxx>

#include <cstdint>
#include <future>
#include <set>
#include <thread>

namespace quadrille {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

std::string stop_text(const postgres::PostgresSettings& settings) {
  try {
    static_cast<void>(postgres::connect(settings));
  } catch (const Error& error) {
    EXPECT_EQ(error.disposition(), Disposition::stop);
    return error.what();
  }
  return "connected";
}

TEST(Postgres, SaysWhereItCouldNotConnectAndKeepsThePasswordToItself) {
  const auto port = std::to_string(embedded::free_port());
  const auto text = stop_text({.url = "postgresql://shop:s3cret@127.0.0.1:" + port + "/db",
                               .application_name = "test",
                               .connect_timeout = milliseconds(300)});
  EXPECT_NE(
      text.find("cannot reach PostgreSQL at postgresql://shop:***@127.0.0.1:" + port + "/db (setting database_url)"),
      std::string::npos)
      << text;
  EXPECT_EQ(text.find("s3cret"), std::string::npos);
}

TEST(Postgres, SaysAtOnceThatUserOrDatabaseIsWrong) {
  const auto before = std::chrono::steady_clock::now();
  const auto wrong_password =
      stop_text({.url = support::postgres().conninfo("postgres", "postgres", "wr0ng"), .application_name = "test"});
  EXPECT_NE(wrong_password.find("authentication failed"), std::string::npos) << wrong_password;
  EXPECT_EQ(wrong_password.find("wr0ng"), std::string::npos);
  const auto no_database = stop_text({.url = support::postgres().conninfo("nowhere"), .application_name = "test"});
  EXPECT_NE(no_database.find("does not exist"), std::string::npos) << no_database;
  EXPECT_LT(std::chrono::steady_clock::now() - before, seconds(10));
}

TEST(Postgres, SaysThatTheSchemaIsMissing) {
  const auto text = stop_text({.url = support::postgres().conninfo("postgres"), .application_name = "test"});
  EXPECT_NE(text.find("quadrille migrate"), std::string::npos) << text;
}

TEST(Postgres, RefusesAUrlItCannotReadWithoutRepeatingIt) {
  const auto text = stop_text({.url = "nonsense s3cret", .application_name = "test"});
  EXPECT_NE(text.find("setting database_url"), std::string::npos) << text;
  EXPECT_EQ(text.find("s3cret"), std::string::npos);
}

TEST(Postgres, WaitsForAConnectionWhenAllAreInUse) {
  const support::TemporaryDatabase database;
  const auto store = postgres::connect({.url = database.service_url(), .application_name = "test", .connections = 1});
  auto first = store->begin();
  std::atomic<bool> got_it{false};
  std::jthread second([&] {
    const auto transaction = store->begin();
    got_it = true;
  });
  std::this_thread::sleep_for(milliseconds(50));
  EXPECT_FALSE(got_it);
  first.reset();
  second.join();
  EXPECT_TRUE(got_it);
}

TEST(Postgres, ForgetsAConnectionThatBroke) {
  const support::TemporaryDatabase database;
  const auto store = postgres::connect({.url = database.service_url(), .application_name = "to be cut"});
  auto open = store->begin();
  static_cast<void>(open->outbox().oldest(1));
  pqxx::connection connection(database.owner_url());
  pqxx::nontransaction work(connection);
  work.exec("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'to be cut'");
  try {
    static_cast<void>(open->outbox().oldest(1));
    open->commit();
    ADD_FAILURE() << "the cut was not noticed";
  } catch (const Error& error) {
    EXPECT_EQ(error.disposition(), Disposition::retry) << error.what();
  }
  open.reset();
  EXPECT_TRUE(store->begin()->outbox().oldest(1).empty());
}

TEST(Postgres, BeginsOnANewConnectionWhereTheServerHasRestartedMeanwhile) {
  const support::TemporaryDatabase database;
  const auto store = postgres::connect({.url = database.service_url(), .application_name = "to be cut"});
  static_cast<void>(store->begin()->outbox().oldest(1));
  pqxx::connection connection(database.owner_url());
  pqxx::nontransaction work(connection);
  const auto cut =
      work.exec("SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name = 'to be cut'");
  ASSERT_GE(cut.size(), 1U);
  EXPECT_TRUE(store->begin()->outbox().oldest(1).empty());
}

TEST(Postgres, WaitsAtStartForAServerThatWasKilledAndComesBack) {
  const embedded::TemporaryFolder folder;
  embedded::PostgresServer server({.folder = folder.path() / "postgres"});
  server.kill();
  // Its databases have no schema of ours: that it says so shows that it was reached again.
  auto text = std::async(std::launch::async,
                         [&] { return stop_text({.url = server.conninfo("postgres"), .application_name = "test"}); });
  EXPECT_EQ(text.wait_for(milliseconds(500)), std::future_status::timeout) << "it gave up at once";
  server.start();
  EXPECT_NE(text.get().find("quadrille migrate"), std::string::npos);
}

TEST(Postgres, SaysWhichRightARoleLacks) {
  const support::TemporaryDatabase database;
  {
    pqxx::connection connection(database.owner_url());
    pqxx::work work(connection);
    work.exec("REVOKE DELETE ON quadrille.outbox FROM quadrille_service");
    work.commit();
  }
  const auto store = postgres::connect({.url = database.service_url(), .application_name = "test"});
  try {
    const std::vector<std::uint64_t> positions{1};
    store->begin()->outbox().remove(positions);
    ADD_FAILURE() << "allowed";
  } catch (const Error& error) {
    EXPECT_EQ(error.disposition(), Disposition::stop);
    EXPECT_NE(std::string(error.what()).find("permission denied for table outbox"), std::string::npos) << error.what();
  }
}

TEST(Postgres, RingsFromOneProcessToAnotherAndCoalescesRings) {
  const support::TemporaryDatabase database;
  const postgres::PostgresSettings settings{.url = database.service_url(), .application_name = "test"};
  const auto writer = postgres::connect(settings);
  const auto reader = postgres::connect(settings);
  while (reader->await_ring(milliseconds(50))) continue;
  for (int i = 0; i < 10'000; ++i) writer->ring();
  int heard = 0;
  while (reader->await_ring(milliseconds(300))) ++heard;
  EXPECT_GE(heard, 1);
  EXPECT_LT(heard, 500) << "ten thousand commits must not be ten thousand notifications";
}

TEST(Postgres, ServesTheServicesOwnStatementsInTheSameTransaction) {
  const support::TemporaryDatabase database;
  {
    pqxx::connection connection(database.owner_url());
    pqxx::work work(connection);
    work.exec("CREATE TABLE notes (id integer, text text); GRANT SELECT, INSERT ON notes TO quadrille_service");
    work.commit();
  }
  const auto store = postgres::connect({.url = database.service_url(), .application_name = "test"});
  const std::vector<std::string> parameters{"7", "'; DROP TABLE notes; --"};
  static_cast<void>(store->begin()->sql("INSERT INTO notes VALUES ($1, $2)", parameters));  // rolled back
  auto transaction = store->begin();
  transaction->sql("INSERT INTO notes VALUES ($1, $2), (8, NULL)", parameters);
  transaction->commit();
  const auto rows = store->begin()->sql("SELECT id, text FROM notes ORDER BY id", {});
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0], (SqlRow{"7", "'; DROP TABLE notes; --"}));
  EXPECT_EQ(rows[1], (SqlRow{"8", std::nullopt}));
}

TEST(Postgres, AWrongStatementOfAServiceConcernsItsStepOnly) {
  const support::TemporaryDatabase database;
  const auto store = postgres::connect({.url = database.service_url(), .application_name = "test"});
  for (const auto* wrong : {"SELECT * FROM no_such_table", "SELEKT 1", "SELECT * FROM pg_authid"}) {
    try {
      store->begin()->sql(wrong, {});
      ADD_FAILURE() << wrong;
    } catch (const Error& error) {
      EXPECT_EQ(error.disposition(), Disposition::retry) << error.what();
      EXPECT_EQ(error.reason_class(), ReasonClass::configuration) << error.what();
    }
  }
}

TEST(Postgres, TellsThatAnIdempotencyKeyIsBeingServedInsteadOfWaitingForIt) {
  const support::TemporaryDatabase database;
  const auto store = postgres::connect({.url = database.service_url(), .application_name = "test"});
  const auto now = std::chrono::time_point_cast<std::chrono::microseconds>(std::chrono::system_clock::now());
  const auto claim = [&](Transaction& transaction) {
    return transaction.idempotency().claim("Place", "k", "hash", now, now + std::chrono::hours(1));
  };
  const auto first = store->begin();
  EXPECT_FALSE(claim(*first));
  const auto second = claim(*store->begin());
  ASSERT_TRUE(second);
  EXPECT_FALSE(second->done);
  first->idempotency().complete("Place", "k", 201, "{}");
  first->commit();
  EXPECT_TRUE(claim(*store->begin())->done);
}

TEST(Postgres, MakesAndDropsPartitionsOfTheInboxAsAService) {
  const support::TemporaryDatabase database;
  const auto partitions = [&] {
    pqxx::connection connection(database.owner_url());
    pqxx::nontransaction work(connection);
    std::set<std::string> names;
    for (const auto& row : work.exec("SELECT relname FROM pg_class WHERE relname ~ '^inbox_[0-9]{8}$'"))
      names.insert(row[0].c_str());
    return names;
  };
  const auto before = partitions();
  EXPECT_GE(before.size(), 4U);
  {
    pqxx::connection connection(database.owner_url());
    pqxx::nontransaction work(connection);
    work.exec(
        "CREATE TABLE quadrille.inbox_20200101 PARTITION OF quadrille.inbox FOR VALUES FROM ('2020-01-01') TO "
        "('2020-01-02')");
  }
  postgres::connect({.url = database.service_url(), .application_name = "test"})->maintain();
  EXPECT_EQ(partitions(), before) << "the old one is gone, the others are there";
}

TEST(Postgres, SaysWhatToDoNextAfterEachKindOfFailure) {
  using postgres::disposition_of;
  for (const auto* state : {"P0001", "", "08006", "09000", "26000", "38001", "39P01", "HV000", "40001", "40P01",
                            "53300", "55P03", "57014", "57P01", "58030", "25P02", "XX000"})
    EXPECT_EQ(disposition_of(state), Disposition::retry) << state;
  for (const auto* state : {"22001", "23505", "23514", "54000", "21000"})
    EXPECT_EQ(disposition_of(state), Disposition::park) << state;
  for (const auto* state : {"28P01", "3D000", "42501", "42P01", "42601", "0A000"})
    EXPECT_EQ(disposition_of(state), Disposition::stop) << state;
}

}  // namespace
}  // namespace quadrille
