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

TEST_P(StoreContract, AnswersTogetherWhatABatchHasToKnow) {
  append({event(stream_a, 1), event(stream_a, 2)});
  const auto waits = waiting("waits", stream_b, 3, Waiting::retry, now);
  std::vector<Lease> leases;
  const std::vector<std::string> names{"lane-1", "lane-2"};
  const std::vector<Inbox::Key> heard_before{key("heard")};
  commit([&](Transaction& transaction) {
    leases = transaction.leases().acquire(names, "one", std::chrono::seconds(10));
    static_cast<void>(transaction.inbox().claim(consumer, heard_before));
    transaction.inbox().set_applied(consumer, {{stream_b, 2}});
    transaction.inbox().put_waiting(consumer, std::span(&waits, 1));
  });
  const std::vector<Inbox::Key> keys{key("new"), key("heard"), key("new")};
  const std::vector<StreamName> heard{stream_b, {"thing", "unheard"}};
  const std::vector<StreamName> aggregates{stream_a, {"thing", "none"}};
  const auto start = look([&](Transaction& transaction) {
    return transaction.start_batch({leases, "one", consumer, keys, heard, aggregates});
  });
  EXPECT_TRUE(start.leases_held);
  EXPECT_EQ(start.claimed, (std::vector{true, false, false}));
  EXPECT_EQ(start.applied, (std::map<StreamName, std::uint64_t>{{stream_b, 2}}));
  EXPECT_EQ(start.waiting, std::set<StreamName>{stream_b});
  ASSERT_EQ(start.histories.size(), 1U);
  EXPECT_EQ(start.histories.at(stream_a).size(), 2U);
  EXPECT_FALSE(look([&](Transaction& transaction) {
                 return transaction.start_batch({leases, "another", consumer, keys, heard, aggregates});
               }).leases_held);
  const auto empty = look([](Transaction& transaction) {
    return transaction.start_batch({{}, "one", consumer, {}, {}, {}});
  });
  EXPECT_TRUE(empty.leases_held && empty.claimed.empty() && empty.applied.empty() && empty.histories.empty());
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
  auto put = waiting("m1", stream_a, 1, Waiting::retry, now);
  put.sequence = 17;
  commit([&](Transaction& transaction) { transaction.inbox().put_waiting(consumer, std::span(&put, 1)); });
  const auto due = look([&](Transaction& transaction) { return transaction.inbox().take_due(consumer, now, 10); });
  ASSERT_EQ(due.size(), 1U);
  EXPECT_EQ(due[0].message, put.message);
  EXPECT_EQ(due[0].message_id, "m1");
  EXPECT_EQ(due[0].stream, stream_a);
  EXPECT_EQ(due[0].reason, "because");
  EXPECT_EQ(due[0].due_at, now);
  EXPECT_EQ(due[0].sequence, 17U);
}

TEST_P(StoreContract, RemembersWhenEachDurableWasMadeFirst) {
  using Made = std::map<std::string, std::string>;
  const auto note = [&](const Made& made) {
    Made noted;
    commit([&](Transaction& transaction) { noted = transaction.inbox().note_durables(made); });
    return noted;
  };
  EXPECT_EQ(note({{"one", "on Monday"}, {"two", "on Tuesday"}}), (Made{{"one", "on Monday"}, {"two", "on Tuesday"}}));
  EXPECT_EQ(note({{"one", "on Friday"}, {"three", "on Friday"}}), (Made{{"one", "on Monday"}, {"three", "on Friday"}}));
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

TEST_P(StoreContract, ListsAndCountsWhatIsStuck) {
  auto parked = waiting("a1", stream_a, 1, Waiting::parked, now);
  parked.stuck = true;
  parked.reason_class = ReasonClass::contract;
  parked.step = "Authorize";
  parked.attempts = 3;
  parked.first_failed_at = now;
  auto tried_on = waiting("b1", stream_b, 1, Waiting::retry, now);
  tried_on.stuck = true;
  tried_on.first_failed_at = now - std::chrono::minutes(1);
  commit([&](Transaction& transaction) {
    const std::vector<WaitingMessage> messages{parked, tried_on, waiting("a2", stream_a, 2, Waiting::behind, now),
                                               waiting("a3", stream_a, 3, Waiting::behind, now)};
    transaction.inbox().put_waiting(consumer, messages);
  });
  const auto stuck =
      look([&](Transaction& transaction) { return transaction.inbox().look(consumer, {.stuck = true}, 10); });
  ASSERT_EQ(stuck.size(), 2U);
  EXPECT_EQ(stuck[0].message_id, "b1") << "the oldest failure first";
  EXPECT_EQ(stuck[1].reason_class, ReasonClass::contract);
  EXPECT_EQ(stuck[1].step, "Authorize");
  EXPECT_EQ(stuck[1].first_failed_at, now);
  look([&](Transaction& transaction) {
    auto& inbox = transaction.inbox();
    EXPECT_EQ(inbox.look(consumer, {.stuck = true}, 1).size(), 1U);
    EXPECT_TRUE(inbox.look("shipping", {.stuck = true}, 10).empty());
    EXPECT_EQ(inbox.oldest_waiting(consumer, stream_a), 1U);
    EXPECT_EQ(inbox.oldest_waiting("shipping", stream_a), std::nullopt);
    const auto found = inbox.find_waiting(consumer, "a1");
    EXPECT_TRUE(found && found->stuck && found->message == parked.message);
    EXPECT_FALSE(inbox.find_waiting(consumer, "a9"));
    std::map<std::pair<Waiting, bool>, std::uint64_t> counts;
    for (const auto& count : inbox.count_waiting(consumer, 100)) counts[{count.state, count.stuck}] += count.messages;
    EXPECT_EQ(counts, (std::map<std::pair<Waiting, bool>, std::uint64_t>{
                          {{Waiting::retry, true}, 1}, {{Waiting::behind, false}, 2}, {{Waiting::parked, true}, 1}}));
    std::uint64_t sum = 0;
    for (const auto& count : inbox.count_waiting(consumer, 2)) sum += count.messages;
    EXPECT_EQ(sum, 2U) << "it never counts further than asked";
    return 0;
  });
}

TEST_P(StoreContract, LooksForWhatMeetsEverythingThatIsAsked) {
  auto first = waiting("a1", stream_a, 1, Waiting::parked, now);
  first.stuck = true;
  first.reason = "100% of the card network is _away_";
  first.message.headers["ce-sagaid"] = "saga-1";
  first.message.headers["ce-sagaids"] = "saga-2";
  auto second = waiting("b1", stream_b, 1, Waiting::retry, now);
  second.reason_class = ReasonClass::business;
  second.message.headers["ce-sagaid"] = "saga-12";
  commit([&](Transaction& transaction) {
    transaction.inbox().put_waiting(consumer, std::vector{first, second});
    static_cast<void>(transaction.inbox().claim(consumer, std::vector<Inbox::Key>{{"a1", now}, {"b1", {}}}));
  });
  const auto found = [&](const Inbox::Filter& filter) {
    std::set<std::string> ids;
    look([&](Transaction& transaction) {
      for (const auto& message : transaction.inbox().look(consumer, filter, 10)) ids.insert(message.message_id);
      return 0;
    });
    return ids;
  };
  using Ids = std::set<std::string>;
  EXPECT_EQ(found({}), (Ids{"a1", "b1"}));
  EXPECT_EQ(found({.message_ids = {"b1", "nobody"}}), Ids{"b1"});
  EXPECT_EQ(found({.saga_id = "saga-1"}), Ids{"a1"});
  EXPECT_EQ(found({.saga_id = "saga-2"}), Ids{});
  EXPECT_EQ(found({.reason = "network is _away_"}), Ids{"a1"}) << "text, not a pattern";
  EXPECT_EQ(found({.reason = "%"}), Ids{"a1"});
  EXPECT_EQ(found({.reason_class = ReasonClass::business}), Ids{"b1"});
  EXPECT_EQ(found({.reason_class = ReasonClass::business, .stuck = true}), Ids{});
  look([&](Transaction& transaction) {
    const std::vector<std::string> asked{"a1", "b1", "c1"};
    EXPECT_EQ(transaction.inbox().claimed(consumer, asked), (Ids{"a1", "b1"}));
    EXPECT_TRUE(transaction.inbox().claimed("shipping", asked).empty());
    return 0;
  });
}

TEST_P(StoreContract, ReplacesTheBytesOfAMessageThatWaits) {
  auto message = waiting("a1", stream_a, 1, Waiting::parked, now);
  commit([&](Transaction& transaction) { transaction.inbox().put_waiting(consumer, std::span(&message, 1)); });
  message.message.payload = std::string("edited\0\xff", 8);
  commit([&](Transaction& transaction) { transaction.inbox().put_waiting(consumer, std::span(&message, 1)); });
  const auto found = look([&](Transaction& transaction) { return transaction.inbox().find_waiting(consumer, "a1"); });
  ASSERT_TRUE(found);
  EXPECT_EQ(found->message, message.message);
}

TEST_P(StoreContract, KeepsWhatPeopleDid) {
  commit([&](Transaction& transaction) {
    transaction.audit().record({"ada", "retry", consumer, "m1", "", {}});
    transaction.audit().record({"ada", "discard", consumer, "m2", "paid in cash", {}, std::string("\0\xff", 2)});
  });
  const auto acts = look([&](Transaction& transaction) { return transaction.audit().newest(1); });
  ASSERT_EQ(acts.size(), 1U);
  EXPECT_EQ(acts[0].act, "discard");
  EXPECT_EQ(acts[0].message_id, "m2");
  EXPECT_EQ(acts[0].why, "paid in cash");
  EXPECT_EQ(acts[0].original, std::string("\0\xff", 2));
  EXPECT_GT(acts[0].at, now - std::chrono::minutes(1));
}

}  // namespace
}  // namespace quadrille
