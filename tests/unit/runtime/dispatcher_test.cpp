// Effectively once, in order, isolated: the whole runtime on ports in memory with faults.
#include "payment_bench.hpp"

namespace quadrille {
namespace {

class Delivering : public PaymentBench {};

TEST_F(Delivering, OneMessageThreeTimesHasOneEffect) {
  start();
  const auto order = placed("a");
  publish(order);
  ASSERT_TRUE(eventually([&] { return recorded("a") == Names{"PaymentAuthorized"}; }));
  for (int i = 0; i < 2; ++i) broker_.repeat_all(consumer_name("payment", "order", lane_of("a")));
  publish(placed("b"));  // behind the repetitions, in whatever lane: once it is through, so are they
  broker_.repeat_all(consumer_name("payment", "order", lane_of("a")));
  ASSERT_TRUE(eventually([&] { return recorded("b") == Names{"PaymentAuthorized"}; }));
  stop();
  EXPECT_EQ(payment_.calls, 2);
  EXPECT_EQ(recorded("a"), Names{"PaymentAuthorized"});
}

TEST_F(Delivering, AnOldVersionAfterANewerOneChangesNothing) {
  start();
  publish(placed("a", 1));
  publish(confirmed("a", 2));
  ASSERT_TRUE(eventually([&] { return applied({"order", "a"}) == 2; }));
  auto stale = placed("a", 1);  // another id, so the inbox does not know it: only its version gives it away
  publish(stale);
  publish(confirmed("a", 3));
  ASSERT_TRUE(eventually([&] { return applied({"order", "a"}) == 3; }));
  EXPECT_EQ(payment_.calls, 1);
  EXPECT_EQ(recorded("a"), Names{"PaymentAuthorized"});
}

TEST_F(Delivering, ANewerVersionWaitsForTheOneBeforeIt) {
  start();
  publish(placed("a", 1));
  ASSERT_TRUE(eventually([&] { return applied({"order", "a"}) == 1; }));
  publish(confirmed("a", 3));
  ASSERT_TRUE(eventually([&] { return waits({"order", "a"}); }));
  EXPECT_EQ(applied({"order", "a"}), 1U);
  publish(confirmed("a", 2));
  ASSERT_TRUE(eventually([&] { return applied({"order", "a"}) == 3; }));
  EXPECT_FALSE(waits({"order", "a"}));
}

TEST_F(Delivering, WhatWaitedBehindAYoungerOneWaitsForItsOlderOneAsLong) {
  start();
  publish(placed("a", 1));
  ASSERT_TRUE(eventually([&] { return applied({"order", "a"}) == 1; }));
  publish(confirmed("a", 4));
  ASSERT_TRUE(eventually([&] { return waits({"order", "a"}); }));
  const auto third = confirmed("a", 3);
  publish(third);
  ASSERT_TRUE(eventually([&] {
    const auto waiting = store_.begin()->inbox().find_waiting("payment", third.id);
    return waiting && waiting->state == Waiting::gap;
  }));
  publish(confirmed("a", 2));
  ASSERT_TRUE(eventually([&] { return applied({"order", "a"}) == 4; }));
}

TEST_F(Delivering, AStepThatThrowsIsTriedAgainAndTheRestOfItsBatchGoesOn) {
  payment_.before = [tries = std::make_shared<std::atomic<int>>(0)](const std::string& key) {
    if (key == "bad" && ++*tries < 3) throw std::runtime_error("the moon is wrong");
  };
  start();
  publish(placed("bad"));
  for (int i = 0; i < 20; ++i) publish(placed("good-" + std::to_string(i)));
  for (int i = 0; i < 20; ++i)
    ASSERT_TRUE(eventually([&] { return recorded("good-" + std::to_string(i)) == Names{"PaymentAuthorized"}; }));
  ASSERT_TRUE(eventually([&] { return recorded("bad") == Names{"PaymentAuthorized"}; }));
}

TEST_F(Delivering, WhatTheDatabaseRefusesToRecordIsTriedAgainAndTheRestOfItsBatchGoesOn) {
  settings_.max_attempts = 1'000'000;
  store_.refuse_events_of("bad");
  start();
  publish(placed("bad"));
  for (int i = 0; i < 20; ++i) publish(placed("good-" + std::to_string(i)));
  for (int i = 0; i < 20; ++i)
    ASSERT_TRUE(eventually([&] { return recorded("good-" + std::to_string(i)) == Names{"PaymentAuthorized"}; }));
  ASSERT_TRUE(eventually([&] { return waits({"order", "bad"}); }));
  EXPECT_TRUE(recorded("bad").empty());
  store_.refuse_events_of("");
  ASSERT_TRUE(eventually([&] { return recorded("bad") == Names{"PaymentAuthorized"}; }));
}

TEST_F(Delivering, WhatTheDatabaseNeverRecordsIsParkedWithItsStepAndReason) {
  store_.refuse_events_of("bad");
  start();
  publish(placed("bad"));
  const auto parked = [&] {
    Inbox::Filter filter;
    filter.stuck = true;
    return store_.begin()->inbox().look("payment", filter, 10);
  };
  ASSERT_TRUE(eventually([&] { return !parked().empty(); }));
  EXPECT_EQ(parked().front().step, "Authorize");
  EXPECT_NE(parked().front().reason.find("is refused"), std::string::npos);
}

TEST_F(Delivering, WhatFollowsAFailedMessageOfItsStreamWaitsBehindIt) {
  std::atomic<bool> mended{false};
  settings_.max_attempts = 1'000'000;
  payment_.before = [&](const std::string&) {
    if (!mended) throw std::runtime_error("not mended");
  };
  start();
  publish(placed("a", 1));
  publish(confirmed("a", 2));
  ASSERT_TRUE(eventually([&] { return payment_.calls > 2; }));
  EXPECT_EQ(applied({"order", "a"}), 0U);
  mended = true;
  ASSERT_TRUE(eventually([&] { return applied({"order", "a"}) == 2; }));
  EXPECT_EQ(recorded("a"), Names{"PaymentAuthorized"});
}

TEST_F(Delivering, AStepThatNeverSucceedsIsParkedAndItsKeyWaitsWhileTheLaneGoesOn) {
  payment_.before = [](const std::string& key) {
    if (key == "bad") throw std::runtime_error("never");
  };
  start();
  publish(placed("bad"));
  ASSERT_TRUE(eventually([&] { return payment_.calls >= 3; }));
  publish(placed("good"));
  ASSERT_TRUE(eventually([&] { return recorded("good") == Names{"PaymentAuthorized"}; }));
  stop();
  EXPECT_EQ(payment_.calls, 4) << "max_attempts is 3, and one for the good one";
  EXPECT_TRUE(waits({"order", "bad"}));
}

TEST_F(Delivering, ACompensationNeverGivesUp) {
  std::atomic<bool> mended{false};
  payment_.before = [&](const std::string&) {
    if (!mended) throw Error(Disposition::park, "hopeless, it says");
  };
  start();
  publish(refused("a"));
  ASSERT_TRUE(eventually([&] { return payment_.calls >= 5; })) << "more often than max_attempts";
  mended = true;
  ASSERT_TRUE(eventually([&] { return recorded("a") == Names{"PaymentVoided"}; }));
}

TEST_F(Delivering, PoisonIsParkedAndBlocksNobody) {
  start();
  auto unreadable = to_message(placed("p1"));
  unreadable.headers.erase("ce-version");
  publish(unreadable);
  auto unknown = placed("p2");
  unknown.type = "shop.order.v9.OrderTeleported";
  publish(unknown);
  auto garbled = placed("p3");
  garbled.payload = "\xff\xff\xff";
  publish(garbled);
  publish(confirmed("p2", 2));
  publish(placed("good"));
  ASSERT_TRUE(eventually([&] { return recorded("good") == Names{"PaymentAuthorized"}; }));
  ASSERT_TRUE(eventually([&] { return applied({"order", "p2"}) == 2; })) << "an unknown type holds back nobody";
  EXPECT_TRUE(eventually([&] { return waits({"order", "p3"}); })) << "bytes we should understand hold back their key";
  EXPECT_EQ(payment_.calls, 1);
}

TEST_F(Delivering, WrongOutcomesAreParkedWithNothingRecorded) {
  for (const auto& spoil :
       std::vector<std::function<void()>>{[&] { payment_.say_nothing = true; }, [&] { payment_.wrong_key = true; },
                                          [&] { payment_.item_bytes = 2 << 20; }}) {
    payment_.say_nothing = payment_.wrong_key = false;
    payment_.item_bytes = 1;
    spoil();
    const auto key = new_uuid();
    start();
    publish(placed(key));
    EXPECT_TRUE(eventually([&] { return waits({"order", key}); }));
    stop();
    EXPECT_TRUE(recorded(key).empty());
  }
}

TEST_F(Delivering, ACommitThatFailsOrIsInDoubtIsNotDoneTwice) {
  using Fault = memory::MemoryStore::Fault;
  for (const auto fault : {Fault::before_commit, Fault::after_commit}) {
    const auto key = new_uuid();
    start();
    publish(placed(key));
    store_.fail_next_commit(fault);  // of the batch, or of whoever commits before it: each has to live with it
    ASSERT_TRUE(eventually([&] { return applied({"order", key}) == 1; }));
    stop();
    EXPECT_EQ(recorded(key), Names{"PaymentAuthorized"});
  }
}

TEST_F(Delivering, LostAcksAndLostAnswersOfTheBrokerDoubleNothing) {
  start();
  broker_.lose_acks(30);
  broker_.lose_answers(5);
  for (int i = 0; i < 30; ++i) publish_whatever_it_answers(placed("k" + std::to_string(i)));
  for (int i = 0; i < 30; ++i)
    ASSERT_TRUE(eventually([&] { return recorded("k" + std::to_string(i)) == Names{"PaymentAuthorized"}; }));
  broker_.redeliver_in_reverse();
  publish(placed("end"));
  ASSERT_TRUE(eventually([&] { return recorded("end") == Names{"PaymentAuthorized"}; }));
  ASSERT_TRUE(eventually([&] { return outbox() == 0; })) << "everything is published in the end";
  EXPECT_EQ(payment_.calls, 31);
}

}  // namespace
}  // namespace quadrille
