// What only a relay that tails the log promises, and what it does when the log cannot be read.
#include "embedded/nats_server.hpp"
#include "jetstream/jetstream_broker.hpp"
#include "migrate/migrate.hpp"
#include "quadrille/error.hpp"
#include "relay_contract.hpp"

#include <algorithm>
#include <atomic>
#include <thread>

namespace quadrille {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class LogTailing : public RelayBench {
 protected:
  std::unique_ptr<Instance> working() {
    auto instance = start(RelayUnderTest::log_tailing);
    EXPECT_TRUE(await_tailing());
    return instance;
  }
  std::string of_slot(const std::string& column) {
    return sql("SELECT " + column + " FROM pg_replication_slots WHERE database = current_database()");
  }
  bool await_confirmed(const std::string& lsn) {
    return embedded::await([&] { return of_slot("confirmed_flush_lsn >= '" + lsn + "'") == "t"; }, patience);
  }
  /// For connections made from now on.
  static void configure(const std::string& setting, const std::string& value) {
    sql_at(support::postgres().conninfo("postgres"), "ALTER SYSTEM SET " + setting + " = '" + value + "'");
    sql_at(support::postgres().conninfo("postgres"), "SELECT pg_reload_conf()");
    EXPECT_TRUE(embedded::await(
        [&] { return sql_at(support::postgres().conninfo("postgres"), "SHOW " + setting) == value; }, patience));
  }
  static void reset(const std::string& setting) {
    sql_at(support::postgres().conninfo("postgres"), "ALTER SYSTEM RESET " + setting);
    sql_at(support::postgres().conninfo("postgres"), "SELECT pg_reload_conf()");
  }
};

TEST_F(LogTailing, NeedsNoBellAndNoPoll) {
  polls_ = std::chrono::hours(1);
  const auto relay = working();
  ASSERT_TRUE(embedded::await([&] { return !of_slot("confirmed_flush_lsn").empty(); }, patience));
  for (int i = 0; i < 20; ++i) {
    record("a");
    ASSERT_TRUE(embedded::await([&] { return broker_.sent().size() == recorded_; }, patience));
  }
  EXPECT_EQ(expect_sound(), 0U);
}

TEST_F(LogTailing, ConfirmsOnlyWhatTheBrokerHas) {
  std::atomic<bool> away{false};
  broker_.answer = [&](const Message&) { return away ? Published::unknown : Published::stored; };
  const auto relay = working();
  record("a");
  ASSERT_TRUE(await_empty());
  away = true;
  const auto before = sql("SELECT pg_current_wal_lsn()");
  ASSERT_TRUE(await_confirmed(before)) << "with nothing to publish it moves on";
  record("a");
  const auto after = sql("SELECT pg_current_wal_lsn()");
  const auto sent = broker_.sent().size();
  ASSERT_TRUE(embedded::await([&] { return broker_.sent().size() > sent + 3; }, patience));
  EXPECT_EQ(of_slot("confirmed_flush_lsn < '" + after + "'"), "t");
  away = false;
  ASSERT_TRUE(await_empty());
  EXPECT_TRUE(await_confirmed(after));
}

TEST_F(LogTailing, MovesOnWhileTheDatabaseIsIdleAndOthersWrite) {
  const auto relay = working();
  sql("CREATE TABLE noise AS SELECT generate_series(1, 50000)");
  EXPECT_TRUE(await_confirmed(sql("SELECT pg_current_wal_lsn()")));
}

TEST_F(LogTailing, KeepsTheServerPatientWhileTheBrokerIsSlow) {
  configure("wal_sender_timeout", "2500ms");
  std::atomic<bool> slow{true};
  broker_.answer = [&](const Message&) {
    if (slow.exchange(false)) std::this_thread::sleep_for(seconds(6));  // the slowness is the test's input
    return Published::stored;
  };
  {
    const auto relay = working();
    for (int part = 0; part < 5; ++part) record("a" + std::to_string(part), 1'000);  // more than it holds in memory
    ASSERT_TRUE(await_empty());
  }
  reset("wal_sender_timeout");
  EXPECT_EQ(expect_sound(), 0U);
  EXPECT_EQ(noted("relay reads the log"), 1U) << "one connection";
  EXPECT_EQ(noted("cannot be read"), 0U);
}

TEST_F(LogTailing, PublishesFromTheOutboxWhenItsSlotWasDroppedByHand) {
  const auto relay = working();
  record("a");
  ASSERT_TRUE(await_empty());
  const auto dropped = [&] {
    record("a");
    try {
      sql("SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE database = current_database()");
      sql("SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE database = current_database()");
    } catch (const pqxx::sql_error&) {  // it was quicker
    }
    return noted("was missing and is made anew") > 0;
  };
  ASSERT_TRUE(embedded::await(dropped, patience));
  ASSERT_TRUE(await_tailing(2));
  record("a");
  ASSERT_TRUE(await_empty());
  expect_sound();
}

TEST_F(LogTailing, PublishesFromTheOutboxWhenItsSlotWasLost) {
  working().reset();
  const auto lost = [&] {
    record("a");
    sql("SELECT pg_switch_wal()");  // a segment of 16 MB each time
    sql("CHECKPOINT");
    return of_slot("wal_status") == "lost";
  };
  ASSERT_TRUE(embedded::await(lost, patience));
  const auto relay = start(RelayUnderTest::log_tailing);
  ASSERT_TRUE(await_tailing(2));
  ASSERT_TRUE(await_empty());
  record("a");
  ASSERT_TRUE(await_empty());
  EXPECT_EQ(noted("was lost and is made anew"), 1U);
  EXPECT_EQ(expect_sound(), 0U);
}

TEST_F(LogTailing, PollsAndSaysSoWhereItMayNotMakeASlotAnew) {
  auto relay = start(RelayUnderTest::log_tailing);
  ASSERT_TRUE(await_tailing());
  sql("ALTER ROLE tester NOREPLICATION");
  const auto refused = [&] {
    record("a");
    try {
      sql("SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE database = current_database()");
    } catch (const pqxx::sql_error&) {
    }
    return noted("the log cannot be read, so the relay polls the outbox") > 0;
  };
  EXPECT_TRUE(embedded::await(refused, patience));
  record("a");
  EXPECT_TRUE(await_empty());
  sql("ALTER ROLE tester REPLICATION");
  EXPECT_TRUE(await_tailing(2)) << "and goes on when it may";
  record("a");
  EXPECT_TRUE(await_empty());
  expect_sound();
}

TEST_F(LogTailing, PollsWhileThereIsNoPublicationAndMakesNoSlotThatNobodyCouldRead) {
  const auto relay = working();
  sql("DROP PUBLICATION quadrille_outbox");
  record("a");
  EXPECT_TRUE(embedded::await([&] { return noted("so the relay polls the outbox") > 0; }, patience));
  EXPECT_TRUE(await_empty());
  const auto by_tool = [&](const auto& act) {
    return embedded::await(
        [&] {
          try {
            act();
            return true;
          } catch (const Error&) {  // the relay tries to read the slot at this moment
            return false;
          }
        },
        patience);
  };
  EXPECT_TRUE(by_tool([&] { migrate::drop_log_tailing(database_.owner_url()); }));
  EXPECT_TRUE(embedded::await([&] { return noted("there is no publication quadrille_outbox") > 0; }, patience));
  EXPECT_EQ(slot(), "");
  record("a");
  EXPECT_TRUE(await_empty());
  EXPECT_TRUE(by_tool([&] { migrate::prepare_log_tailing(database_.owner_url(), ""); }));
  const auto now = sql("SELECT pg_current_wal_lsn()");
  EXPECT_TRUE(await_confirmed(now));
  record("a");
  EXPECT_TRUE(await_empty());
  expect_sound();
}

TEST_F(LogTailing, PublishesWhatTheLogNeverShows) {
  tailing_.between_sweeps = milliseconds(100);
  const auto relay = working();
  record("a");
  ASSERT_TRUE(await_empty());
  sql("INSERT INTO quadrille.outbox SELECT position FROM quadrille.events");
  ASSERT_TRUE(await_empty());
  EXPECT_EQ(broker_.sent(), (std::vector<std::string>{"thing-a@1", "thing-a@1"}));
}

TEST_F(LogTailing, TellsHowFarBehindItIsAndWarnsPastALimit) {
  tailing_.between_lag_checks = milliseconds(50);
  tailing_.lag_limit = 1'000'000;
  broker_.answer = [](const Message&) { return Published::unknown; };
  const auto relay = working();
  record("a");
  sql("CREATE TABLE noise AS SELECT generate_series(1, 50000)");
  EXPECT_TRUE(embedded::await([&] { return noted("MiB of log behind") > 0; }, patience));
  EXPECT_GT(make_source(RelayUnderTest::log_tailing, *store_)->lag_bytes(), 1'000'000U);
  EXPECT_EQ(make_source(RelayUnderTest::polling, *store_)->lag_bytes(), std::nullopt);
  EXPECT_NE(postgres::forgotten_slot(*store_).find("quadrille migrate --drop-log-tailing"), std::string::npos);
  EXPECT_EQ(left(), 1U);
}

TEST_F(LogTailing, DoesNotStartWithoutWhatItNeedsAndNamesAllOfIt) {
  migrate::drop_log_tailing(database_.owner_url());
  sql("ALTER ROLE tester NOREPLICATION");
  try {
    make_source(RelayUnderTest::log_tailing, *store_);
    ADD_FAILURE() << "started";
  } catch (const Error& error) {
    EXPECT_EQ(error.disposition(), Disposition::stop);
    const std::string text = error.what();
    for (const auto* part :
         {"role tester has no right to replicate: ALTER ROLE \"tester\" REPLICATION", "no publication quadrille_outbox",
          "no replication slot quadrille_", "quadrille migrate --log-tailing"})
      EXPECT_NE(text.find(part), std::string::npos) << text;
  }
  EXPECT_EQ(migrate::prepare_log_tailing(database_.owner_url(), "tester").size(), 3U);
  EXPECT_EQ(migrate::prepare_log_tailing(database_.owner_url(), "").size(), 0U) << "again, with nothing to do";
  EXPECT_NE(make_source(RelayUnderTest::log_tailing, *store_), nullptr);
}

TEST(LogTailingServer, NamesTheSettingsThatAreNotAsTheyMustBe) {
  const embedded::TemporaryFolder folder;
  const embedded::PostgresServer server({.folder = folder.path(),
                                         .settings = {{"wal_level", "replica"},
                                                      {"max_wal_senders", "0"},
                                                      {"max_replication_slots", "0"},
                                                      {"max_slot_wal_keep_size", "-1"}}});
  const auto url = server.conninfo("postgres");
  migrate::apply(url, migrate::find(migrate::default_folder(), ""), false);
  EXPECT_THROW(migrate::prepare_log_tailing(url, ""), Error);
  const postgres::PostgresSettings settings{.url = url, .application_name = "relay"};
  const auto store = postgres::connect(settings);
  try {
    static_cast<void>(postgres::tail(*store, settings, {}));
    ADD_FAILURE() << "started";
  } catch (const Error& error) {
    const std::string text = error.what();
    for (const auto* part : {"wal_level is replica, not logical: ALTER SYSTEM SET wal_level = 'logical'",
                             "max_wal_senders is 0", "all of max_replication_slots are taken"})
      EXPECT_NE(text.find(part), std::string::npos) << text;
  }
}

/// With a real broker that dies.
TEST_F(LogTailing, GoesOnWhenNatsWasKilled) {
  const embedded::TemporaryFolder folder;
  embedded::NatsServer nats({.folder = folder.path()});
  const auto broker = jetstream::connect({.url = nats.url(), .client_name = "relay"});
  Topology topology;
  ConsumerSpec everything;
  everything.name = "listener";
  everything.filter = "evt.1.tester.>";
  everything.from_beginning = true;
  everything.max_ack_pending = 10'000;
  topology.consumers.push_back(everything);
  broker->ensure(topology);
  const auto relay = start(RelayUnderTest::log_tailing, "one", *broker);
  ASSERT_TRUE(await_tailing());
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 50; ++i) record("a" + std::to_string(i % 7));
    nats.kill();
    for (int i = 0; i < 50; ++i) record("a" + std::to_string(i % 7));
    nats.start();
  }
  ASSERT_TRUE(await_empty());
  std::map<std::string, std::uint64_t> newest;
  const auto receiver = broker->receiver();
  receiver->listen({"listener"});
  const auto all = [&] {
    for (const auto& delivery : receiver->receive(500, milliseconds(200))) {
      const auto version = std::stoull(delivery.message.headers.at("ce-version"));
      auto& seen = newest[delivery.message.headers.at("ce-stream")];
      EXPECT_LE(version, seen + 1);
      seen = std::max<std::uint64_t>(seen, version);
    }
    return std::ranges::all_of(versions_,
                               [&](const auto& each) { return newest["thing-" + each.first] == each.second; });
  };
  EXPECT_TRUE(embedded::await(all, patience));
  EXPECT_EQ(noted("relay reads the log"), 1U) << "a broker that is away is no reason to leave the log";
}

}  // namespace
}  // namespace quadrille
