// What is asked of PostgreSQL together, and fails on the way.
#include "core/uuid.hpp"
#include "embedded/probe.hpp"
#include "postgres/postgres_store.hpp"
#include "quadrille/error.hpp"
#include "support/temporary_database.hpp"

#include <gtest/gtest.h>
#include <pqxx/pqxx>

#include <cstdint>
#include <functional>
#include <future>

namespace quadrille {
namespace {

Event event(std::uint64_t version) {
  Event result;
  result.id = new_uuid();
  result.type = "test.Happened";
  result.source = "tester";
  result.subject = "evt.1.test.thing.Happened";
  result.stream = {"thing", "a"};
  result.version = version;
  result.saga_id = "saga";
  return result;
}

/// One connection, so that it is always the same one that is looked at.
class Pipeline : public ::testing::Test {
 protected:
  void append_last(Transaction& transaction, std::uint64_t version) const {
    const auto one = event(version);
    transaction.events().append_last(std::span(&one, 1));
  }
  std::string backend() { return store_->begin()->sql("SELECT pg_backend_pid()", {}).at(0).at(0).value(); }
  std::size_t recorded() { return store_->begin()->events().load(streams_)[streams_[0]].size(); }
  void as_owner(const std::string& statement) const {
    pqxx::connection connection(database_.owner_url());
    pqxx::nontransaction work(connection);
    work.exec(statement);
  }
  /// Has a transaction committed, and its answer lost: the server waits for a standby that there is not, and is told to
  /// end the session meanwhile.
  void lose_the_answer(const std::function<void(Transaction&)>& work) {
    as_owner("ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
    as_owner("SELECT pg_reload_conf()");
    // A server takes its time to read its settings again: somebody else's commit shows that it waits now.
    auto probe = std::async(std::launch::async, [&] {
      pqxx::connection connection(database_.owner_url() + " application_name=probe");
      pqxx::nontransaction work_of_probe(connection);
      for (int i = 0; i < 100'000; ++i) work_of_probe.exec("SELECT pg_logical_emit_message(true, 'probe', '')");
    });
    EXPECT_TRUE(ends_waiting_session("probe"));
    EXPECT_THROW(probe.get(), std::exception);
    auto committed = std::async(std::launch::async, [&] {
      const auto transaction = store_->begin();
      work(*transaction);
      transaction->commit();
    });
    EXPECT_TRUE(ends_waiting_session("pipeline"));
    as_owner("ALTER SYSTEM RESET synchronous_standby_names");
    as_owner("SELECT pg_reload_conf()");
    try {
      committed.get();
      ADD_FAILURE() << "the cut was not noticed";
    } catch (const VersionConflict& conflict) {
      ADD_FAILURE() << "done once more: " << conflict.what();
    } catch (const Error& error) {
      EXPECT_EQ(error.disposition(), Disposition::retry) << error.what();
    }
  }
  [[nodiscard]] bool ends_waiting_session(const std::string& application) const {
    pqxx::connection connection(database_.owner_url());
    pqxx::nontransaction look(connection);
    return embedded::await(
        [&] {
          return !look.exec("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '" +
                            application + "' AND wait_event = 'SyncRep'")
                      .empty();
        },
        std::chrono::seconds(20));
  }

  support::TemporaryDatabase database_;
  const std::vector<StreamName> streams_{{"thing", "a"}};
  std::unique_ptr<Store> store_ =
      postgres::connect({.url = database_.service_url(), .application_name = "pipeline", .connections = 1});
};

TEST_F(Pipeline, IsUsedAgainAfterAFailureInItsMiddle) {
  const auto before = backend();
  const auto applied = [&] { return store_->begin()->inbox().applied("tester", streams_); };
  {
    const auto transaction = store_->begin();
    append_last(*transaction, 2);
    transaction->inbox().set_applied("tester", {{streams_[0], 2}});  // for the first time: its preparation is lost, too
    EXPECT_THROW(transaction->commit(), VersionConflict);
  }
  EXPECT_TRUE(applied().empty());
  const auto transaction = store_->begin();
  append_last(*transaction, 1);
  transaction->inbox().set_applied("tester", {{streams_[0], 1}});
  transaction->commit();
  EXPECT_EQ(applied().size(), 1U);
  EXPECT_EQ(recorded(), 1U);
  EXPECT_EQ(backend(), before) << "a conflict is no reason for a new connection";
}

TEST_F(Pipeline, SaysWhyWhatWasLeftToTheCommitWasRefused) {
  as_owner(
      "CREATE FUNCTION public.away() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the archive is "
      "away' "
      "USING ERRCODE = '55000'; END $$; CREATE TRIGGER away BEFORE INSERT ON quadrille.events FOR EACH ROW EXECUTE "
      "FUNCTION public.away()");
  const auto transaction = store_->begin();
  append_last(*transaction, 1);
  try {
    transaction->commit();
    ADD_FAILURE() << "committed";
  } catch (const Error& error) {
    EXPECT_EQ(error.disposition(), Disposition::retry);
    EXPECT_NE(std::string(error.what()).find("the archive is away"), std::string::npos) << error.what();
  }
}

TEST_F(Pipeline, CommitsNothingAfterAFailureThatSomebodyCaught) {
  {
    const auto transaction = store_->begin();
    append_last(*transaction, 1);
    EXPECT_THROW(transaction->sql("SELECT 1 / 0", {}), Error);
    EXPECT_THROW(transaction->commit(), Error);
  }
  EXPECT_EQ(recorded(), 0U);
}

TEST_F(Pipeline, ACommitInDoubtIsSaidAndMeetsItsInboxRowsWhenItRunsAgain) {
  const std::vector<Inbox::Key> keys{{"m1", {}}};
  std::vector<bool> claimed;
  const auto batch = [&](Transaction& transaction) {
    claimed = transaction.start_batch({{}, "one", "tester", keys, {}, streams_}).claimed;
    if (claimed[0]) append_last(transaction, 1);
  };
  lose_the_answer(batch);
  EXPECT_EQ(claimed, std::vector{true});
  const auto transaction = store_->begin();
  batch(*transaction);
  transaction->commit();
  EXPECT_EQ(claimed, std::vector{false});
  EXPECT_EQ(recorded(), 1U);
}

TEST_F(Pipeline, WhatMayHaveCommittedIsNotDoneAgainOnANewConnection) {
  lose_the_answer([&](Transaction& transaction) { append_last(transaction, 1); });  // all of it goes with the commit
  EXPECT_EQ(recorded(), 1U);
}

TEST_F(Pipeline, ARemovalOverADeadConnectionIsToBeTriedAgain) {
  std::vector<Lease> leases;
  {
    const std::vector<std::string> names{"relay"};
    const auto transaction = store_->begin();
    leases = transaction->leases().acquire(names, "one", std::chrono::seconds(60));
    append_last(*transaction, 1);
    transaction->commit();
  }
  const std::vector<std::uint64_t> positions{store_->begin()->outbox().oldest(1).at(0).position};
  as_owner("SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name = 'pipeline'");
  try {
    EXPECT_EQ(store_->remove_published(positions, leases[0], "one"), positions);
  } catch (const Error& error) {
    EXPECT_EQ(error.disposition(), Disposition::retry) << error.what();
    EXPECT_EQ(store_->remove_published(positions, leases[0], "one"), positions);
  }
  EXPECT_TRUE(store_->begin()->outbox().oldest(1).empty());
}

}  // namespace
}  // namespace quadrille
