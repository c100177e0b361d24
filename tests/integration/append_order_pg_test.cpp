// Positions are taken before commit: a reader by position alone would skip what commits late.
#include "core/uuid.hpp"
#include "postgres/event_copy.hpp"
#include "postgres/postgres_store.hpp"
#include "quadrille/error.hpp"
#include "support/temporary_database.hpp"

#include <gtest/gtest.h>
#include <pqxx/pqxx>

#include <set>

namespace quadrille {
namespace {

Event event(const std::string& key) {
  Event result;
  result.id = new_uuid();
  result.type = "test.Happened";
  result.source = "tester";
  result.subject = "evt.1.test.thing.Happened";
  result.stream = {"thing", key};
  result.version = 1;
  result.saga_id = "saga";
  return result;
}

class AppendOrder : public ::testing::Test {
 protected:
  std::unique_ptr<Transaction> open_append(const std::string& key) {
    auto transaction = store_->begin();
    const auto one = event(key);
    transaction->events().append(std::span(&one, 1));
    return transaction;
  }
  std::vector<std::pair<EventLog::Position, std::string>> read_after(EventLog::Position after) {
    const auto transaction = store_->begin();
    std::vector<std::pair<EventLog::Position, std::string>> keys;
    for (const auto& [position, read] : transaction->events().read_all(after, 100))
      keys.emplace_back(position, read.stream.key);
    return keys;
  }

  support::TemporaryDatabase database_;
  std::unique_ptr<Store> store_ = postgres::connect({.url = database_.service_url(), .application_name = "test"});
};

TEST_F(AppendOrder, AReaderNeverPassesAnEventWhoseTransactionIsStillOpen) {
  auto first = open_append("takes position 1, commits late");
  auto second = open_append("takes position 2, commits early");
  second->commit();
  {
    // What a naive reader of "position > last" sees now, and would go on from: the second without the first.
    pqxx::connection connection(database_.owner_url());
    pqxx::nontransaction work(connection);
    EXPECT_EQ(work.exec("SELECT max(position) FROM quadrille.events")[0][0].as<int>(), 2);
    EXPECT_EQ(work.exec("SELECT count(*) FROM quadrille.events")[0][0].as<int>(), 1);
  }
  EXPECT_TRUE(read_after({}).empty()) << "the early one is held back while an older transaction runs";
  first->commit();
  const auto all = read_after({});
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].second, "takes position 1, commits late");
  EXPECT_EQ(all[1].second, "takes position 2, commits early");
  EXPECT_TRUE(read_after(all[1].first).empty());
}

TEST_F(AppendOrder, AReaderThatFollowsSeesEveryEventOnceWhileWritersInterleave) {
  std::set<std::string> seen;
  EventLog::Position after;
  const auto follow = [&] {
    for (const auto& [position, key] : read_after(after)) {
      EXPECT_TRUE(seen.insert(key).second) << key << " came twice";
      after = position;
    }
  };
  std::vector<std::unique_ptr<Transaction>> open;
  for (int i = 0; i < 30; ++i) {
    open.push_back(open_append("k" + std::to_string(i)));
    if (open.size() == 4) {
      const auto newest_first =
          open.size() - 1 - static_cast<std::size_t>(i) % 3;  // commits out of the order of positions
      open[newest_first]->commit();
      open.erase(open.begin() + static_cast<std::ptrdiff_t>(newest_first));
    }
    follow();
  }
  for (auto& transaction : open) transaction->commit();
  open.clear();
  follow();
  EXPECT_EQ(seen.size(), 30U);
}

TEST_F(AppendOrder, OfTwoAppendsToOneStreamTheSecondToCommitConflicts) {
  auto first = open_append("same");
  first->commit();
  EXPECT_THROW(open_append("same"), VersionConflict);
}

TEST_F(AppendOrder, ACopyHoldsWhatAReaderOfAllEventsSees) {
  auto written = event("a");
  written.causation_id = new_uuid();
  written.hops = 3;
  written.contract = "c0ffee";
  written.traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  written.payload = std::string("\0\\ \xff\n\t\"", 7);
  {
    const auto transaction = store_->begin();
    transaction->events().append(std::span(&written, 1));
    transaction->commit();
  }
  open_append("b")->commit();
  const auto late = open_append("commits after the copy");
  open_append("is held back by it")->commit();
  std::vector<Event> copied;
  const postgres::PostgresSettings settings{.url = database_.service_url(), .application_name = "test"};
  postgres::copy_events(settings, [&](const Event& one) { copied.push_back(one); });
  const auto transaction = store_->begin();
  std::vector<Event> read;
  for (const auto& [position, one] : transaction->events().read_all({}, 100)) read.push_back(one);
  EXPECT_EQ(copied, read);
  ASSERT_EQ(copied.size(), 2U);
  written.recorded_at = copied[0].recorded_at;  // the database's
  EXPECT_EQ(copied[0], written);

  const postgres::PostgresSettings elsewhere{.url = support::postgres().conninfo("template1"),
                                             .application_name = "test"};
  try {
    postgres::copy_events(elsewhere, [](const Event&) {});
    FAIL() << "there was something to copy";
  } catch (const Error& error) {
    EXPECT_EQ(error.disposition(), Disposition::stop);
    EXPECT_NE(std::string(error.what()).find("database_url"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace quadrille
