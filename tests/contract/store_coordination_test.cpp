#include "store_contract.hpp"

#include <set>
#include <thread>

namespace quadrille {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

Deadline deadline(const std::string& step, TimePoint due_at) {
  return {new_uuid(), step, "key", "saga", "cause", 3, "trace", due_at, 0};
}

TEST_P(StoreContract, HandsOutDeadlinesThatAreDueOldestFirst) {
  const auto late = deadline("Late", now);
  const auto early = deadline("Early", now - hours(1));
  const auto future = deadline("Future", now + hours(1));
  commit([&](Transaction& transaction) {
    const std::vector<Deadline> all{late, early, future};
    transaction.deadlines().arm(all);
  });
  const auto due = look([&](Transaction& transaction) { return transaction.deadlines().take_due(now, 10); });
  ASSERT_EQ(due.size(), 2U);
  EXPECT_EQ(due[0].step, "Early");
  EXPECT_EQ(due[1].id, late.id);
  EXPECT_EQ(due[1].key, "key");
  EXPECT_EQ(due[1].saga_id, "saga");
  EXPECT_EQ(due[1].hops, 3U);
  EXPECT_EQ(due[1].due_at, now);
}

TEST_P(StoreContract, PutsADeadlineOffOnlyWhileItIsArmed) {
  auto armed = deadline("GiveUp", now);
  commit([&](Transaction& transaction) { transaction.deadlines().arm(std::span(&armed, 1)); });
  armed.due_at = now + hours(1);
  armed.attempts = 2;
  commit([&](Transaction& transaction) { EXPECT_TRUE(transaction.deadlines().put_off(armed)); });
  commit([&](Transaction& transaction) { EXPECT_FALSE(transaction.deadlines().put_off(armed)) << "done already"; });
  EXPECT_TRUE(look([&](Transaction& transaction) { return transaction.deadlines().take_due(now, 10); }).empty());
  const auto later =
      look([&](Transaction& transaction) { return transaction.deadlines().take_due(now + hours(2), 10); });
  ASSERT_EQ(later.size(), 1U);
  EXPECT_EQ(later[0].attempts, 2U);
  commit([&](Transaction& transaction) { transaction.deadlines().remove(armed.id); });
  commit([&](Transaction& transaction) { EXPECT_FALSE(transaction.deadlines().put_off(armed)); });
  EXPECT_TRUE(
      look([&](Transaction& transaction) { return transaction.deadlines().take_due(now + hours(2), 10); }).empty());
}

TEST_P(StoreContract, HoldsOnlyWhatIsFreeAndOncePerHolder) {
  commit([&](Transaction& transaction) {
    auto& quantities = transaction.quantities();
    EXPECT_FALSE(quantities.hold("account/a", "saga-1", 1, now));  // there is no such resource
    EXPECT_TRUE(quantities.add("account/a", 100));
    EXPECT_TRUE(quantities.hold("account/a", "saga-1", 60, now));
    EXPECT_TRUE(quantities.hold("account/a", "saga-1", 60, now));  // a repetition
    EXPECT_FALSE(quantities.hold("account/a", "saga-2", 41, now));
    EXPECT_FALSE(quantities.add("account/a", -41));
    EXPECT_EQ(quantities.find("account/a")->held, 60);
  });
}

TEST_P(StoreContract, ReleasesAndSettlesAHoldOnce) {
  commit([&](Transaction& transaction) {
    auto& quantities = transaction.quantities();
    EXPECT_TRUE(quantities.add("account/a", 100));
    EXPECT_TRUE(quantities.hold("account/a", "saga-1", 30, now));
    EXPECT_TRUE(quantities.hold("account/a", "saga-2", 20, now));
    EXPECT_EQ(quantities.release("account/a", "saga-1"), 30);
    EXPECT_EQ(quantities.release("account/a", "saga-1"), 0);
    EXPECT_EQ(quantities.settle("account/a", "saga-2"), 20);
    EXPECT_EQ(quantities.settle("account/a", "saga-2"), 0);
    EXPECT_EQ(quantities.find("account/a")->total, 80);
    EXPECT_EQ(quantities.find("account/a")->held, 0);
  });
}

TEST_P(StoreContract, NamesHoldsPastTheirTime) {
  commit([&](Transaction& transaction) {
    auto& quantities = transaction.quantities();
    EXPECT_TRUE(quantities.add("account/a", 100));
    EXPECT_TRUE(quantities.hold("account/a", "old", 1, now - hours(1)));
    EXPECT_TRUE(quantities.hold("account/a", "new", 1, now + hours(1)));
    const auto expired = quantities.expired(now, 10);
    ASSERT_EQ(expired.size(), 1U);
    EXPECT_EQ(expired[0].holder, "old");
  });
}

TEST_P(StoreContract, ShowsAndHurriesTheDeadlinesOfASaga) {
  const auto deadline = [](const std::string& step, const std::string& saga, TimePoint due) {
    return Deadline{new_uuid(), step, "key", saga, "cause", 3, "", due, 0};
  };
  const auto backlog = [&] {
    return look([](Transaction& transaction) { return transaction.deadlines().backlog(2); });
  };
  EXPECT_EQ(backlog().entries, 0U);
  EXPECT_EQ(backlog().oldest, std::nullopt);
  const std::vector all{deadline("GiveUp", "saga-1", now + hours(2)), deadline("Lapse", "saga-1", now + hours(1)),
                        deadline("GiveUp", "saga-2", now + hours(3))};
  commit([&](Transaction& transaction) { transaction.deadlines().arm(all); });
  EXPECT_EQ(backlog().entries, 2U) << "it never counts further than asked";
  EXPECT_EQ(backlog().oldest, now + hours(1));
  const auto armed = look([](Transaction& transaction) { return transaction.deadlines().armed("saga-1", 10); });
  ASSERT_EQ(armed.size(), 2U);
  EXPECT_EQ(armed[0].step, "Lapse") << "the next one first";
  EXPECT_EQ(armed[1].hops, 3U);
  commit([](Transaction& transaction) {
    auto& deadlines = transaction.deadlines();
    EXPECT_TRUE(deadlines.hurry("saga-1", "Other", now).empty());
    ASSERT_EQ(deadlines.hurry("saga-1", "GiveUp", now).size(), 1U);
    EXPECT_EQ(deadlines.hurry("saga-1", "GiveUp", now + hours(1)).front().due_at, now) << "never later";
  });
  const auto due = look([](Transaction& transaction) { return transaction.deadlines().take_due(now, 10); });
  ASSERT_EQ(due.size(), 1U);
  EXPECT_EQ(due[0].step, "GiveUp");
  EXPECT_EQ(due[0].saga_id, "saga-1");
}

TEST_P(StoreContract, NeverHoldsMoreThanTheTotalHoweverManyTryAtOnce) {
  commit([](Transaction& transaction) { EXPECT_TRUE(transaction.quantities().add("item/scarce", 10)); });
  std::atomic<int> got{0};
  {
    std::vector<std::jthread> buyers;
    for (int buyer = 0; buyer < 6; ++buyer)
      buyers.emplace_back([&, buyer] {
        for (int i = 0; i < 5; ++i)
          commit([&](Transaction& transaction) {
            got += transaction.quantities().hold("item/scarce", std::to_string(buyer) + "/" + std::to_string(i), 1, now)
                       ? 1
                       : 0;
          });
      });
  }
  EXPECT_EQ(got, 10);
  EXPECT_EQ(look([](Transaction& transaction) { return transaction.quantities().find("item/scarce")->held; }), 10);
}

TEST_P(StoreContract, GivesALeaseToOneOwnerAndANewEpochToTheNext) {
  const std::vector<std::string> names{"relay", "lane-1"};
  const auto acquire = [&](const char* owner, milliseconds time_to_live) {
    std::vector<Lease> leases;
    commit([&](Transaction& transaction) { leases = transaction.leases().acquire(names, owner, time_to_live); });
    return leases;
  };
  const auto verify = [&](const std::vector<Lease>& leases, const char* owner) {
    return look([&](Transaction& transaction) { return transaction.leases().verify(leases, owner); });
  };
  const auto first = acquire("one", hours(1));
  ASSERT_EQ(first.size(), 2U);
  EXPECT_TRUE(acquire("two", hours(1)).empty());
  EXPECT_TRUE(verify(first, "one"));
  EXPECT_FALSE(verify(first, "two"));
  commit([](Transaction& transaction) { transaction.leases().release("one"); });
  const auto second = acquire("two", hours(1));
  ASSERT_EQ(second.size(), 2U);
  EXPECT_GT(second[0].epoch, first[0].epoch);
  EXPECT_FALSE(verify(first, "one"));
  EXPECT_TRUE(verify(second, "two"));
}

TEST_P(StoreContract, GivesNoMoreLeasesThanWantedAndTheOwnersOwnFirst) {
  const std::vector<std::string> names{"lane-0", "lane-1", "lane-2", "lane-3"};
  const auto acquire = [&](const char* owner, std::size_t most) {
    std::set<std::string> taken;
    commit([&](Transaction& transaction) {
      for (const auto& lease : transaction.leases().acquire_some(names, owner, hours(1), most))
        taken.insert(lease.name);
    });
    return taken;
  };
  const std::string last = names.back();
  commit([&](Transaction& transaction) {
    static_cast<void>(transaction.leases().acquire(std::span(&last, 1), "one", hours(1)));
  });
  EXPECT_EQ(acquire("one", 2), (std::set<std::string>{"lane-0", "lane-3"}));
  EXPECT_EQ(acquire("two", 4), (std::set<std::string>{"lane-1", "lane-2"}));
  EXPECT_EQ(look([](Transaction& transaction) { return transaction.leases().held("lane-"); }), 4U);
  commit([&](Transaction& transaction) { transaction.leases().give_back(names, "one"); });
  EXPECT_EQ(look([](Transaction& transaction) { return transaction.leases().held("lane-"); }), 2U)
      << "what is another's cannot be given back";
  EXPECT_EQ(acquire("two", 3), (std::set<std::string>{"lane-0", "lane-1", "lane-2"}));
}

TEST_P(StoreContract, TakesOverALeaseThatHasRunOut) {
  const std::string name = "relay";
  commit([&](Transaction& transaction) {
    EXPECT_EQ(transaction.leases().acquire(std::span(&name, 1), "one", milliseconds(1)).size(), 1U);
  });
  std::vector<Lease> taken;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (taken.empty() && std::chrono::steady_clock::now() < end)
    commit(
        [&](Transaction& transaction) { taken = transaction.leases().acquire(std::span(&name, 1), "two", hours(1)); });
  ASSERT_EQ(taken.size(), 1U);
  EXPECT_EQ(taken[0].epoch, 2U);
}

TEST_P(StoreContract, AnswersARepeatedRequestWithWhatTheFirstGot) {
  const auto claim = [&](const std::string& hash, TimePoint at) {
    std::optional<IdempotencyKeys::Entry> entry;
    commit([&](Transaction& transaction) {
      entry = transaction.idempotency().claim("Place", "key-1", hash, at, at + hours(1));
      if (!entry) transaction.idempotency().complete("Place", "key-1", 201, "{\"key\":\"" + hash + "\"}");
    });
    return entry;
  };
  EXPECT_FALSE(claim("h1", now));
  const auto known = claim("h1", now);
  ASSERT_TRUE(known);
  EXPECT_TRUE(known->done);
  EXPECT_EQ(known->status, 201);
  EXPECT_EQ(known->response, "{\"key\":\"h1\"}");
  EXPECT_EQ(claim("h2", now)->request_hash, "h1");
  EXPECT_FALSE(claim("h2", now + hours(2)));  // expired: anybody's again
}

TEST_P(StoreContract, GivesAnIdempotencyKeyBackWhenItsTransactionFails) {
  look([&](Transaction& transaction) {
    return transaction.idempotency().claim("Place", "key-1", "h", now, now + hours(1));
  });
  commit([&](Transaction& transaction) {
    EXPECT_FALSE(transaction.idempotency().claim("Place", "key-1", "h", now, now + hours(1)));
  });
}

TEST_P(StoreContract, RingsAcrossThreads) {
  static_cast<void>(store().await_ring(milliseconds(1)));  // begins to listen
  while (store().await_ring(milliseconds(1))) continue;    // what was rung before
  store().ring();
  bool rung = false;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!rung && std::chrono::steady_clock::now() < end) rung = store().await_ring(milliseconds(100));
  EXPECT_TRUE(rung);
  store().maintain();
}

}  // namespace
}  // namespace quadrille
