#include "store_contract.hpp"

#include <cstdint>

namespace quadrille {
namespace {

constexpr const char* consumer = "payment";

Inbox::Key key(const std::string& id) { return {id, TimePoint(std::chrono::hours(24 * 20'000))}; }

WaitingMessage waiting(const std::string& id, const StreamName& stream, std::uint64_t version, Waiting state,
                       TimePoint due_at) {
  WaitingMessage message;
  message.message_id = id;
  message.stream = stream;
  message.version = version;
  message.state = state;
  message.reason = "because";
  message.due_at = due_at;
  message.message = {"evt.1.order.order.OrderPlaced", {{"ce-id", id}, {"odd", "\xff bytes"}}, std::string("\0\x02", 2)};
  return message;
}

TEST_P(StoreContract, ClaimsAMessageOnceForEachConsumer) {
  const auto claim = [&](const char* who, const std::vector<Inbox::Key>& keys) {
    std::vector<bool> claimed;
    commit([&](Transaction& transaction) { claimed = transaction.inbox().claim(who, keys); });
    return claimed;
  };
  EXPECT_EQ(claim(consumer, {key("m1"), key("m2"), key("m1")}), (std::vector<bool>{true, true, false}));
  EXPECT_EQ(claim(consumer, {key("m2"), key("m3")}), (std::vector<bool>{false, true}));
  EXPECT_EQ(claim("shipping", {key("m1")}), (std::vector<bool>{true}));
}

TEST_P(StoreContract, GivesAClaimBackWhenItsTransactionFails) {
  look([&](Transaction& transaction) {
    const auto one = key("m1");
    return transaction.inbox().claim(consumer, std::span(&one, 1));
  });
  commit([&](Transaction& transaction) {
    const auto one = key("m1");
    EXPECT_EQ(transaction.inbox().claim(consumer, std::span(&one, 1)), std::vector<bool>{true});
  });
}

TEST_P(StoreContract, RemembersTheNewestAppliedVersionAndNeverGoesBack) {
  const std::vector<StreamName> both{stream_a, stream_b};
  commit([&](Transaction& transaction) { transaction.inbox().set_applied(consumer, {{stream_a, 3}}); });
  commit([&](Transaction& transaction) { transaction.inbox().set_applied(consumer, {{stream_a, 2}}); });
  const auto applied = look([&](Transaction& transaction) { return transaction.inbox().applied(consumer, both); });
  EXPECT_EQ(applied, (std::map<StreamName, std::uint64_t>{{stream_a, 3}}));
  EXPECT_TRUE(look([&](Transaction& transaction) { return transaction.inbox().applied("shipping", both); }).empty());
}

TEST_P(StoreContract, KeepsAWaitingMessageAsItCame) {
  const auto put = waiting("m1", stream_a, 1, Waiting::retry, now);
  commit([&](Transaction& transaction) { transaction.inbox().put_waiting(consumer, std::span(&put, 1)); });
  const auto due = look([&](Transaction& transaction) { return transaction.inbox().take_due(consumer, now, 10); });
  ASSERT_EQ(due.size(), 1U);
  EXPECT_EQ(due[0].message, put.message);
  EXPECT_EQ(due[0].message_id, "m1");
  EXPECT_EQ(due[0].stream, stream_a);
  EXPECT_EQ(due[0].reason, "because");
  EXPECT_EQ(due[0].due_at, now);
}

TEST_P(StoreContract, HandsOutOnlyTheHeadOfAStreamAndOnlyWhenItIsDue) {
  commit([&](Transaction& transaction) {
    const std::vector<WaitingMessage> messages{waiting("a1", stream_a, 1, Waiting::retry, now + std::chrono::hours(1)),
                                               waiting("a2", stream_a, 2, Waiting::behind, now),
                                               waiting("b7", stream_b, 7, Waiting::retry, now)};
    transaction.inbox().put_waiting(consumer, messages);
  });
  const auto due_at = [&](TimePoint time) {
    std::vector<std::string> ids;
    for (const auto& message :
         look([&](Transaction& transaction) { return transaction.inbox().take_due(consumer, time, 10); }))
      ids.push_back(message.message_id);
    return ids;
  };
  EXPECT_EQ(due_at(now), std::vector<std::string>{"b7"});
  EXPECT_EQ(due_at(now + std::chrono::hours(2)), (std::vector<std::string>{"b7", "a1"}));
  commit([&](Transaction& transaction) {
    const std::string handled = "a1";
    transaction.inbox().remove_waiting(consumer, std::span(&handled, 1));
  });
  EXPECT_EQ(due_at(now), (std::vector<std::string>{"a2", "b7"}));
}

TEST_P(StoreContract, HandsOutAGapAsSoonAsTheVersionBeforeItWasApplied) {
  const auto put = waiting("a3", stream_a, 3, Waiting::gap, now + std::chrono::hours(1));
  commit([&](Transaction& transaction) { transaction.inbox().put_waiting(consumer, std::span(&put, 1)); });
  const auto due = [&] {
    return look([&](Transaction& transaction) { return transaction.inbox().take_due(consumer, now, 10).size(); });
  };
  commit([&](Transaction& transaction) { transaction.inbox().set_applied(consumer, {{stream_a, 1}}); });
  EXPECT_EQ(due(), 0U);
  commit([&](Transaction& transaction) { transaction.inbox().set_applied(consumer, {{stream_a, 2}}); });
  EXPECT_EQ(due(), 1U);
}

TEST_P(StoreContract, NeverHandsOutAParkedMessageNorWhatStandsBehindIt) {
  commit([&](Transaction& transaction) {
    const std::vector<WaitingMessage> messages{waiting("a1", stream_a, 1, Waiting::parked, now),
                                               waiting("a2", stream_a, 2, Waiting::behind, now)};
    transaction.inbox().put_waiting(consumer, messages);
  });
  const std::vector<StreamName> both{stream_a, stream_b};
  EXPECT_TRUE(look([&](Transaction& transaction) {
                return transaction.inbox().take_due(consumer, now + std::chrono::hours(99), 10);
              }).empty());
  EXPECT_EQ(look([&](Transaction& transaction) { return transaction.inbox().waiting_streams(consumer, both); }),
            std::set<StreamName>{stream_a});
}

TEST_P(StoreContract, ReplacesAWaitingMessageThatIsPutAgain) {
  auto message = waiting("a1", stream_a, 1, Waiting::retry, now);
  commit([&](Transaction& transaction) { transaction.inbox().put_waiting(consumer, std::span(&message, 1)); });
  message.attempts = 5;
  message.reason = "again";
  commit([&](Transaction& transaction) { transaction.inbox().put_waiting(consumer, std::span(&message, 1)); });
  const auto due = look([&](Transaction& transaction) { return transaction.inbox().take_due(consumer, now, 10); });
  ASSERT_EQ(due.size(), 1U);
  EXPECT_EQ(due[0].attempts, 5U);
  EXPECT_EQ(due[0].reason, "again");
}

}  // namespace
}  // namespace quadrille
