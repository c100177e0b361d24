// The relays' promises, on PostgreSQL, each whatever the source.
#include "relay_contract.hpp"

#include <atomic>
#include <thread>

namespace quadrille {
namespace {

using std::chrono::milliseconds;

TEST_P(RelayContract, PublishesEachEventAsItWasRecordedInTheOrderOfItsStream) {
  const auto relay = working();
  record("a", 3);
  record("b-\"quoted\"");
  ASSERT_TRUE(await_empty());
  EXPECT_EQ(expect_sound(), 0U);
  const StreamName stream{"thing", "b-\"quoted\""};
  const auto history = store_->begin()->events().load(std::span(&stream, 1)).at(stream);
  std::vector<Message> sent;
  for (const auto& call : broker_.calls())
    for (const auto& message : call)
      if (message.headers.at("ce-stream") == stream.text()) sent.push_back(message);
  EXPECT_EQ(sent, std::vector{to_message(history.front())});
}

TEST_P(RelayContract, PublishesWhatWasThereBeforeIt) {
  record("a", 700);  // more than it takes at once
  const auto relay = working();
  ASSERT_TRUE(await_empty());
  record("a", 2);
  ASSERT_TRUE(await_empty());
  EXPECT_EQ(expect_sound(), 0U);
}

TEST_P(RelayContract, SendsNothingNewerOfAStreamBeforeTheOlderIsStored) {
  std::atomic<int> unanswered{3};
  broker_.answer = [&](const Message& message) {
    return message.headers.at("ce-version") == "1" && unanswered-- > 0 ? Published::unknown : Published::stored;
  };
  const auto relay = working();
  record("a");
  record("a");
  ASSERT_TRUE(await_empty());
  EXPECT_EQ(broker_.sent(),
            (std::vector<std::string>{"thing-a@1", "thing-a@1", "thing-a@1", "thing-a@1", "thing-a@2"}));
}

TEST_P(RelayContract, PublishesALaterIdThatCommittedEarlierAndThenTheEarlierOne) {
  const auto relay = working();
  const auto slow = store_->begin();
  const auto first = event("slow", ++versions_["slow"]);
  slow->events().append(std::span(&first, 1));
  record("quick");
  ASSERT_TRUE(embedded::await([&] { return !broker_.sent().empty() && left() == 0; }, patience));
  slow->commit();
  ASSERT_TRUE(embedded::await([&] { return broker_.sent().size() == 2; }, patience));
  EXPECT_EQ(broker_.sent(), (std::vector<std::string>{"thing-quick@1", "thing-slow@1"}));
  EXPECT_TRUE(await_empty());
}

TEST_P(RelayContract, PublishesNothingOfATransactionThatRollsBack) {
  const auto relay = working();
  {
    const auto transaction = store_->begin();
    const auto never = event("a", 1);
    transaction->events().append(std::span(&never, 1));
  }
  record("b");
  ASSERT_TRUE(await_empty());
  EXPECT_EQ(broker_.sent(), std::vector<std::string>{"thing-b@1"});
}

TEST_P(RelayContract, PublishesAgainWhatADeadOneHadNotRemoved) {
  std::atomic<bool> dying{true};
  broker_.answer = [&](const Message&) {
    if (dying.exchange(false)) {
      // The broker has it, the relay will never know: another takes its lease before the answer comes.
      const std::string name = runtime::Relay::lease_name;
      const auto transaction = store_->begin();
      transaction->leases().release("one");
      static_cast<void>(transaction->leases().acquire(std::span(&name, 1), "two", std::chrono::seconds(2)));
      transaction->commit();
    }
    return Published::stored;
  };
  auto first = working();
  record("a", 2);
  ASSERT_TRUE(embedded::await([&] { return !dying; }, patience));
  EXPECT_EQ(left(), 2U) << "fenced, it has removed nothing";
  first.reset();
  const auto second = start(GetParam(), "two");
  ASSERT_TRUE(await_empty());
  record("a");
  ASSERT_TRUE(await_empty());
  EXPECT_GE(expect_sound(), 1U) << "a duplicate, and no loss";
}

TEST_P(RelayContract, ContendsWithAnotherAndTakesOverWhenThatOneGoes) {
  auto first = working("one");
  auto second = start(GetParam(), "two");
  for (int i = 0; i < 50; ++i) record("a" + std::to_string(i % 5));
  ASSERT_TRUE(await_empty());
  EXPECT_EQ(expect_sound(), 0U) << "one at a time";
  first.reset();
  for (int i = 0; i < 50; ++i) record("a" + std::to_string(i % 5));
  ASSERT_TRUE(await_empty());
  EXPECT_EQ(expect_sound(), 0U) << "what the first has published is not published again";
  EXPECT_EQ(noted("cannot be read"), 0U) << "a slot that another reads is no reason to complain";
}

TEST_P(RelayContract, GoesOnWhenPostgresqlWasKilled) {
  const auto relay = working();
  record("a", 3);
  ASSERT_TRUE(await_empty());
  support::postgres().kill();
  support::postgres().start();
  const auto recorded = [&] {
    try {
      record("b");
      return true;
    } catch (const Error&) {
      versions_["b"] = 0;
      return false;
    }
  };
  ASSERT_TRUE(embedded::await(recorded, patience));
  ASSERT_TRUE(await_empty());
  record("a", 2);
  ASSERT_TRUE(await_empty());
  expect_sound();
}

TEST_P(RelayContract, TakesATransactionOfAHundredThousandEvents) {
  const auto relay = working();
  const auto transaction = store_->begin();
  for (int part = 0; part < 100; ++part) {
    std::vector<Event> events;
    for (int i = 0; i < 1'000; ++i) {
      const auto key = std::to_string(part * 1'000 + i);
      events.push_back(event(key, ++versions_[key]));
    }
    transaction->events().append(events);
  }
  transaction->commit();
  record("after");
  ASSERT_TRUE(await_empty());
  EXPECT_EQ(expect_sound(), 0U);
}

TEST_P(RelayContract, LeavesNothingBehindWhenItStops) {
  auto relay = working();
  for (int i = 0; i < 20; ++i) record("a", 10);
  EXPECT_TRUE(relay->relay.drain(std::chrono::seconds(20)));
  EXPECT_EQ(left(), 0U);
  EXPECT_EQ(expect_sound(), 0U);
  relay.reset();
  const auto next = working("two");
  record("a");
  ASSERT_TRUE(await_empty());
  EXPECT_EQ(expect_sound(), 0U) << "what was published while stopping is not published again";
}

INSTANTIATE_TEST_SUITE_P(Relays, RelayContract, ::testing::Values(RelayUnderTest::polling, RelayUnderTest::log_tailing),
                         ::testing::PrintToStringParamName());

class RelaySwitch : public RelayBench {};

TEST_F(RelaySwitch, LosesNothingInEitherDirectionUnderTraffic) {
  std::jthread traffic([this](const std::stop_token& stopping) {
    for (int i = 0; !stopping.stop_requested(); ++i) record("a" + std::to_string(i % 7), 3);
  });
  for (int round = 0; round < 6; ++round) {
    const auto kind = round % 2 == 0 ? RelayUnderTest::polling : RelayUnderTest::log_tailing;
    const auto before = broker_.sent().size();
    const auto relay = start(kind, "instance " + std::to_string(round));
    EXPECT_TRUE(kind == RelayUnderTest::polling || await_tailing(static_cast<std::size_t>(round + 1) / 2));
    EXPECT_TRUE(embedded::await([&] { return broker_.sent().size() > before + 300; }, patience));
  }
  traffic.request_stop();
  traffic.join();
  const auto last = start(RelayUnderTest::log_tailing, "last");
  ASSERT_TRUE(await_empty());
  EXPECT_EQ(expect_sound(), 0U) << "each stopped in good order, so there is no reason for a duplicate either";
}

TEST_F(RelaySwitch, LosesNothingWhenBothRunAtOnce) {
  const auto polling = start(RelayUnderTest::polling, "polling");
  auto tailing = start(RelayUnderTest::log_tailing, "tailing");
  for (int i = 0; i < 100; ++i) record("a" + std::to_string(i % 7));
  ASSERT_TRUE(await_empty());
  EXPECT_EQ(expect_sound(), 0U);
}

}  // namespace
}  // namespace quadrille
