// How instances share the lanes, over the store in memory and a clock that the test moves.
#include "runtime/lease_round.hpp"

#include "core/subject.hpp"
#include "memory/memory_store.hpp"
#include "runtime/dispatcher.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace quadrille {
namespace {

class HandClock final : public Clock {
 public:
  [[nodiscard]] TimePoint now() const override { return now_; }
  void pass(std::chrono::milliseconds time) { now_ += time; }

 private:
  TimePoint now_{std::chrono::hours(1)};
};

class LaneSharing : public ::testing::Test {
 protected:
  LaneSharing() {
    for (std::uint32_t lane = 0; lane < lane_count; ++lane) names_.shared.push_back(runtime::lane_lease(lane));
  }

  /// One round of an instance, as the keeper makes it every third of the time; answers how many lanes it has.
  std::size_t round(const std::string& owner) {
    auto round = runtime::renew_leases(store_, names_, owner, time_to_live);
    std::vector<std::string> surplus;
    for (const auto& [name, epoch] : held_[owner])
      if (!round.held.contains(name)) surplus.push_back(name);
    const auto transaction = store_.begin();
    transaction->leases().give_back(surplus, owner);
    transaction->commit();
    held_[owner] = std::move(round.held);
    return lanes(owner);
  }
  std::size_t lanes(const std::string& owner) const {
    const auto& held = held_.at(owner);
    return held.size() - held.count("relay");
  }
  /// No lane has two owners.
  void expect_apart() const {
    std::set<std::string> seen;
    for (const auto& [owner, held] : held_)
      for (const auto& [name, epoch] : held)
        EXPECT_TRUE(seen.insert(name).second) << name << " is also " << owner << "'s";
  }
  void third() { clock_.pass(time_to_live / 3); }

  static constexpr std::chrono::milliseconds time_to_live{3000};
  HandClock clock_;
  memory::MemoryStore store_{clock_};
  runtime::LeaseNames names_{{"relay"}, {}};
  std::map<std::string, std::map<std::string, std::uint64_t>> held_;
};

TEST_F(LaneSharing, OneAloneHasAllOfThem) {
  EXPECT_EQ(round("a"), lane_count);
  EXPECT_TRUE(held_["a"].contains("relay"));
}

TEST_F(LaneSharing, OneThatComesHasItsPartBeforeALeaseCouldHaveRunOut) {
  round("a");
  third();
  EXPECT_EQ(round("b"), 0U);  // it is known from now on
  EXPECT_EQ(round("a"), lane_count / 2);
  third();
  EXPECT_EQ(round("b"), lane_count / 2);
  EXPECT_FALSE(held_["b"].contains("relay"));
  expect_apart();
}

TEST_F(LaneSharing, ThreeHaveAllOfThemAndNoneMoreThanItsPart) {
  for (int i = 0; i < 4; ++i) {
    for (const auto* owner : {"a", "b", "c"}) round(owner);
    third();
  }
  std::size_t sum = 0;
  for (const auto* owner : {"a", "b", "c"}) {
    EXPECT_LE(lanes(owner), 6U);
    EXPECT_GE(lanes(owner), 4U);
    sum += lanes(owner);
  }
  EXPECT_EQ(sum, lane_count);
  expect_apart();
}

TEST_F(LaneSharing, WhatADeadOneHadIsTakenWhenItsTimeIsOverAndFencedByANewEpoch) {
  for (int i = 0; i < 3; ++i) {
    for (const auto* owner : {"a", "b"}) round(owner);
    third();
  }
  const auto before = held_["b"];
  ASSERT_EQ(before.size(), lane_count / 2);
  for (int i = 0; i < 3; ++i) {
    third();
    round("a");
  }
  EXPECT_EQ(lanes("a"), lane_count);
  for (const auto& [name, epoch] : before) EXPECT_GT(held_["a"].at(name), epoch) << name;
}

TEST_F(LaneSharing, MovesNothingWhileNobodyComesOrGoes) {
  for (int i = 0; i < 4; ++i) {
    for (const auto* owner : {"a", "b", "c"}) round(owner);
    third();
  }
  const auto settled = held_;
  for (int i = 0; i < 5; ++i) {
    for (const auto* owner : {"c", "b", "a"}) round(owner);
    third();
  }
  EXPECT_EQ(held_, settled);
}

}  // namespace
}  // namespace quadrille
