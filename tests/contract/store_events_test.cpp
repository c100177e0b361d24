#include "quadrille/error.hpp"
#include "store_contract.hpp"

#include <algorithm>
#include <cstdint>

namespace quadrille {
namespace {

TEST_P(StoreContract, RecordsEventsWithEverythingThatTravelsWithThem) {
  const auto recorded = event(stream_a, 1);
  append({recorded});
  const auto read = history(stream_a);
  ASSERT_EQ(read.size(), 1U);
  auto expected = recorded;
  expected.recorded_at = read[0].recorded_at;
  EXPECT_EQ(read[0], expected);
  EXPECT_LT(std::chrono::abs(read[0].recorded_at - now), std::chrono::minutes(5));
}

TEST_P(StoreContract, LoadsManyStreamsInOneCallEachInVersionOrder) {
  append({event(stream_a, 1), event(stream_a, 2), event(stream_b, 1)});
  append({event(stream_a, 3)});
  const auto histories = look([](Transaction& transaction) {
    const std::vector<StreamName> streams{stream_a, stream_b, {"thing", "none"}};
    return transaction.events().load(streams);
  });
  ASSERT_EQ(histories.size(), 2U);
  ASSERT_EQ(histories.at(stream_a).size(), 3U);
  for (std::uint64_t version = 1; version <= 3; ++version)
    EXPECT_EQ(histories.at(stream_a)[version - 1].version, version);
  EXPECT_EQ(histories.at(stream_b).size(), 1U);
}

TEST_P(StoreContract, RefusesAppendsToAStreamThatHasMoved) {
  append({event(stream_a, 1)});
  EXPECT_THROW(append({event(stream_a, 1)}), VersionConflict);
  EXPECT_THROW(append({event(stream_a, 3)}), VersionConflict);
  EXPECT_THROW(append({event(stream_b, 2)}), VersionConflict);
  EXPECT_EQ(history(stream_a).size(), 1U);
}

TEST_P(StoreContract, RecordsNothingOfAnAppendWhenOneOfItsStreamsHasMoved) {
  append({event(stream_a, 1)});
  EXPECT_THROW(append({event(stream_b, 1), event(stream_a, 1)}), VersionConflict);
  EXPECT_TRUE(history(stream_b).empty());
}

TEST_P(StoreContract, SaysAtTheCommitAtTheLatestThatAStreamHasMoved) {
  append({event(stream_a, 1)});
  const auto append_last = [&](const std::vector<Event>& events) {
    commit([&](Transaction& transaction) {
      transaction.events().append_last(events);
      transaction.inbox().set_applied("payment", {{stream_b, 1}});
    });
  };
  EXPECT_THROW(append_last({event(stream_b, 1), event(stream_a, 1)}), VersionConflict);
  EXPECT_TRUE(history(stream_b).empty());
  const std::vector<StreamName> streams{stream_b};
  const auto applied = [&](Transaction& transaction) { return transaction.inbox().applied("payment", streams); };
  EXPECT_TRUE(look(applied).empty()) << "what was to be done with it is undone";
  append_last({event(stream_b, 1), event(stream_a, 2)});
  EXPECT_EQ(history(stream_a).size(), 2U);
  EXPECT_EQ(history(stream_b).size(), 1U);
  EXPECT_EQ(look(applied).size(), 1U);
}

TEST_P(StoreContract, RemovesWhatIsPublishedOnlyForWhoeverHoldsTheLease) {
  append({event(stream_a, 1), event(stream_b, 1)});
  const std::vector<std::string> names{"relay"};
  std::vector<Lease> leases;
  commit(
      [&](Transaction& transaction) { leases = transaction.leases().acquire(names, "one", std::chrono::seconds(10)); });
  ASSERT_EQ(leases.size(), 1U);
  std::vector<std::uint64_t> positions;
  const auto left = [&] {
    std::vector<std::uint64_t> found;
    const auto entries = look([](Transaction& transaction) { return transaction.outbox().oldest(10); });
    for (const auto& entry : entries) found.push_back(entry.position);
    return found;
  };
  positions = left();
  ASSERT_EQ(positions.size(), 2U);
  const std::span first(positions.data(), 1);
  EXPECT_FALSE(store().remove_published(first, leases[0], "another"));
  EXPECT_FALSE(store().remove_published(first, {leases[0].name, leases[0].epoch + 1}, "one"));
  EXPECT_EQ(left(), positions);
  EXPECT_EQ(store().remove_published(first, leases[0], "one"), std::vector(first.begin(), first.end()));
  EXPECT_EQ(left(), std::vector{positions[1]});
  EXPECT_EQ(store().remove_published(positions, leases[0], "one"), positions) << "one had left before";
  const std::vector<std::uint64_t> unseen{positions[1] + 1000};
  EXPECT_EQ(store().remove_published(unseen, leases[0], "one"), std::vector<std::uint64_t>{})
      << "cannot be seen yet: to be removed again";
}

TEST_P(StoreContract, ForgetsWhatIsNotCommitted) {
  look([&](Transaction& transaction) {
    const auto one = event(stream_a, 1);
    transaction.events().append(std::span(&one, 1));
    return 0;
  });
  EXPECT_TRUE(history(stream_a).empty());
  EXPECT_TRUE(look([](Transaction& transaction) { return transaction.outbox().oldest(10); }).empty());
}

TEST_P(StoreContract, QueuesEveryEventInTheOutboxUntilItIsRemoved) {
  const auto first = event(stream_a, 1);
  append({first, event(stream_a, 2), event(stream_b, 1)});
  auto entries = look([](Transaction& transaction) { return transaction.outbox().oldest(2); });
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].event.id, first.id);
  EXPECT_EQ(entries[0].event.payload, first.payload);
  EXPECT_EQ(entries[1].event.version, 2U);
  commit([&](Transaction& transaction) {
    const std::vector<std::uint64_t> published{entries[0].position, entries[1].position};
    EXPECT_EQ(transaction.outbox().remove(published), published);
    EXPECT_EQ(transaction.outbox().remove(published), published) << "they are gone";
  });
  entries = look([](Transaction& transaction) { return transaction.outbox().oldest(10); });
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_EQ(entries[0].event.stream, stream_b);
}

TEST_P(StoreContract, KnowsWhatHasLeftTheOutboxFromWhatCannotBeSeenYet) {
  append({event(stream_a, 1), event(stream_a, 2)});
  const auto entries = look([](Transaction& transaction) { return transaction.outbox().oldest(2); });
  constexpr std::uint64_t not_recorded = 1'000'000;
  const std::vector<std::uint64_t> asked{entries[0].position, entries[1].position, not_recorded};
  const std::vector<std::uint64_t> first{entries[0].position};
  commit([&](Transaction& transaction) {
    EXPECT_TRUE(transaction.outbox().gone(asked).empty());
    EXPECT_EQ(transaction.outbox().remove(first), first);
    EXPECT_EQ(transaction.outbox().gone(asked), first);
  });
  auto removed = look([&](Transaction& transaction) { return transaction.outbox().remove(asked); });
  std::ranges::sort(removed);
  EXPECT_EQ(removed, (std::vector<std::uint64_t>{entries[0].position, entries[1].position}));
}

TEST_P(StoreContract, ReadsAllEventsOncePagewise) {
  append({event(stream_a, 1), event(stream_b, 1)});
  append({event(stream_a, 2)});
  EventLog::Position after;
  std::vector<std::string> seen;
  for (;;) {
    const auto page = look([&](Transaction& transaction) { return transaction.events().read_all(after, 2); });
    if (page.empty()) break;
    for (const auto& [position, read] : page) {
      EXPECT_GT(position, after);
      after = position;
      seen.push_back(read.stream.text() + "@" + std::to_string(read.version));
    }
  }
  EXPECT_EQ(seen, (std::vector<std::string>{stream_a.text() + "@1", "thing-b@1", stream_a.text() + "@2"}));
}

TEST_P(StoreContract, FindsEventsByTheirIds) {
  append({event(stream_a, 1), event(stream_a, 2)});
  const auto recorded = history(stream_a);
  const std::vector<std::string> ids{recorded[0].id, recorded[1].id, new_uuid(), "no uuid at all"};
  const auto entries = look([](Transaction& transaction) { return transaction.outbox().oldest(2); });
  const std::vector<std::uint64_t> first{entries[0].position};
  commit([&](Transaction& transaction) { EXPECT_EQ(transaction.outbox().remove(first), first); });
  const auto places = look([&](Transaction& transaction) { return transaction.events().find(ids); });
  ASSERT_EQ(places.size(), 2U);
  EXPECT_EQ(places[0].event.id, recorded[0].id);
  EXPECT_EQ(places[0].position, entries[0].position);
  EXPECT_TRUE(places[0].published);
  EXPECT_FALSE(places[1].published);
  EXPECT_EQ(places[1].event.version, 2U);
  EXPECT_EQ(places[1].event.stream, stream_a);
  EXPECT_TRUE(places[1].event.payload.empty());
}

TEST_P(StoreContract, MeasuresTheOutbox) {
  const auto backlog = [&](std::uint64_t most) {
    return look([&](Transaction& transaction) { return transaction.outbox().backlog(most); });
  };
  EXPECT_EQ(backlog(10).entries, 0U);
  EXPECT_EQ(backlog(10).oldest, std::nullopt);
  append({event(stream_a, 1), event(stream_a, 2)});
  append({event(stream_b, 1)});
  EXPECT_EQ(backlog(10).entries, 3U);
  EXPECT_EQ(backlog(2).entries, 2U) << "it never counts further than asked";
  EXPECT_EQ(backlog(2).oldest, history(stream_a).front().recorded_at);
}

}  // namespace
}  // namespace quadrille
