// Positions are taken before commit: a reader by position alone would skip what commits late.
#include "core/uuid.hpp"
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

}  // namespace
}  // namespace quadrille
