#include "postgres/replication/log_queue.hpp"

#include <gtest/gtest.h>

namespace quadrille::postgres {
namespace {

class LogQueueTest : public ::testing::Test {
 protected:
  void add(std::uint64_t position, Lsn commit) {
    LogQueue::Logged logged;
    logged.entry.position = position;
    logged.commit = commit;
    queue_.add(logged);
  }
  void settle(std::vector<std::uint64_t> positions) { queue_.settle(positions); }
  std::vector<std::uint64_t> oldest(std::size_t limit) {
    std::vector<std::uint64_t> positions;
    for (const auto& logged : queue_.oldest(limit)) positions.push_back(logged.entry.position);
    return positions;
  }

  using Positions = std::vector<std::uint64_t>;
  LogQueue queue_{{.entries = 3, .bytes = 10'000}};
};

TEST_F(LogQueueTest, ConfirmsACommitWhenAllOfItIsSettled) {
  add(2, 100);
  add(1, 100);
  queue_.reached(110);
  EXPECT_EQ(oldest(9), (Positions{2, 1})) << "in the log's order, whatever the numbers say";
  settle({2});
  EXPECT_EQ(queue_.confirmed(), 0U);
  settle({1});
  EXPECT_EQ(queue_.confirmed(), 110U) << "the end of the commit";
}

TEST_F(LogQueueTest, ConfirmsNothingBehindWhatIsNotSettled) {
  add(1, 100);
  queue_.reached(110);
  add(2, 200);
  queue_.reached(210);
  settle({2});
  EXPECT_EQ(queue_.confirmed(), 0U);
  EXPECT_EQ(oldest(9), Positions{1});
  settle({1});
  EXPECT_EQ(queue_.confirmed(), 210U);
}

TEST_F(LogQueueTest, DoesNotConfirmATransactionOfWhichMoreIsToCome) {
  add(1, 100);
  settle({1});
  EXPECT_EQ(queue_.confirmed(), 0U) << "its commit has not been read";
  add(2, 100);
  queue_.reached(110);
  EXPECT_EQ(queue_.confirmed(), 0U);
  settle({2});
  EXPECT_EQ(queue_.confirmed(), 110U);
}

TEST_F(LogQueueTest, MovesOnWhereThereIsNothingToPublish) {
  queue_.reached(50);
  EXPECT_EQ(queue_.confirmed(), 50U);
  queue_.reached(40);
  EXPECT_EQ(queue_.confirmed(), 50U) << "never back";
  add(1, 100);
  queue_.reached(110);
  queue_.reached(500);
  EXPECT_EQ(queue_.confirmed(), 50U);
  settle({1});
  EXPECT_EQ(queue_.confirmed(), 500U);
}

TEST_F(LogQueueTest, IsFullByNumberAndByBytes) {
  add(1, 100);
  add(2, 100);
  EXPECT_FALSE(queue_.full());
  add(3, 100);
  EXPECT_TRUE(queue_.full());
  settle({2});
  EXPECT_FALSE(queue_.full()) << "what is settled takes no room, wherever it is";
  LogQueue::Logged large;
  large.entry.event.payload.resize(10'000);
  queue_.add(large);
  EXPECT_TRUE(queue_.full());
}

TEST_F(LogQueueTest, GivesTheOldestAndLeavesThemUntilTheyAreSettled) {
  for (const std::uint64_t position : {1, 2, 3}) add(position, 100);
  EXPECT_EQ(oldest(2), (Positions{1, 2}));
  settle({1, 77});
  EXPECT_EQ(oldest(2), (Positions{2, 3})) << "77 is unknown, which is no fault";
}

}  // namespace
}  // namespace quadrille::postgres
