// The tracker's tables in a real PostgreSQL: folding, listing, counting, forgetting.
#include "postgres/session.hpp"
#include "support/shop_traffic.hpp"
#include "support/temporary_database.hpp"
#include "tracker/list.hpp"
#include "tracker/projection.hpp"
#include "tracker/schema.hpp"

#include <gmock/gmock.h>
#include <google/protobuf/descriptor.pb.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>

namespace quadrille::tracker {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

void add(const google::protobuf::FileDescriptor& file, google::protobuf::FileDescriptorSet& set,
         std::set<std::string>& added) {
  if (!added.insert(file.name()).second) return;
  for (int i = 0; i < file.dependency_count(); ++i) add(*file.dependency(i), set, added);
  file.CopyTo(set.add_file());
}

class TrackerTables : public ::testing::Test {
 protected:
  TrackerTables() : settings_{.url = database_.owner_url(), .application_name = "tracker"}, pool_(settings_) {
    for (const std::string participant : {"order", "payment", "inventory", "shipping"}) {
      v1::Registration registration;
      registration.set_participant(participant);
      registration.set_fingerprint("f");
      std::set<std::string> added;
      add(*support::shop_contracts().pool().FindFileByName("shop/" + participant + "/v1/" + participant + ".proto"),
          *registration.mutable_contract(), added);
      EXPECT_TRUE(choreographies_.learn(registration));
    }
    tables_ = std::make_unique<Tables>(settings_, prepare(pool_));
  }
  /// Everything said since the last call, in one batch.
  [[nodiscard]] bool fold(Projection& projection) {
    std::vector<Recorded> batch;
    for (; told_ < traffic_.events.size(); ++told_) batch.push_back({traffic_.events[told_], told_ + 1});
    return projection.take(batch, {told_, "now"}, now());
  }
  [[nodiscard]] TimePoint now() const {
    return TimePoint(std::chrono::hours(1)) + std::chrono::seconds(traffic_.events.size());
  }
  [[nodiscard]] std::vector<std::string> ids(const Filter& filter) {
    std::vector<std::string> found;
    for (const auto& row : list(tables_->pool(), filter).rows)
      found.push_back(nlohmann::json::parse(row)["saga_id"].get<std::string>());
    return found;
  }
  [[nodiscard]] std::vector<std::string> everything() { return list(tables_->pool(), {.limit = 1000}).rows; }

  support::TemporaryDatabase database_;
  const postgres::PostgresSettings settings_;
  postgres::Pool pool_;
  Choreographies choreographies_;
  std::unique_ptr<Tables> tables_;
  support::ShopTraffic traffic_;
  std::size_t told_ = 0;
};

/// The same numbers, counted from the tables.
void expect_counted(const Census& census, Tables& tables) {
  Census fresh;
  fresh.count(tables.pool());
  const auto without_zeros = [](auto counts) {
    std::erase_if(counts.by_state, [](const auto& entry) { return entry.second == 0; });
    std::erase_if(counts.stuck, [](const auto& entry) { return entry.second == 0; });
    std::erase_if(counts.waiting, [](const auto& entry) { return entry.second == 0; });
    return std::tuple(counts.by_state, counts.stuck, counts.waiting, counts.passed);
  };
  EXPECT_EQ(without_zeros(census.counts()), without_zeros(fresh.counts()));
}

TEST_F(TrackerTables, OneBatchOrManyOrTwiceTheListIsTheSame) {
  Census census;
  Projection projection(*tables_, choreographies_, &census);
  for (int i = 0; i < 20; ++i) {
    const auto saga = "s" + std::to_string(i);
    if (i % 3 == 0) {
      traffic_.checkout(saga);
    } else {
      const int placed = traffic_.say("order", "OrderPlaced", -1, saga);
      ASSERT_TRUE(fold(projection));
      traffic_.say("payment", i % 3 == 1 ? "PaymentAuthorized" : "PaymentDeclined", placed, saga);
    }
    ASSERT_TRUE(fold(projection));
  }
  const auto first = everything();
  EXPECT_EQ(first.size(), 20U);
  expect_counted(census, *tables_);

  told_ = 0;  // all again, as after a stream that was made anew
  ASSERT_TRUE(fold(projection));
  EXPECT_EQ(everything(), first);
  expect_counted(census, *tables_);

  const auto served = tables_->generation();
  tables_ = std::make_unique<Tables>(settings_, add_generation(pool_));
  Projection anew(*tables_, choreographies_, nullptr);
  told_ = 0;
  ASSERT_TRUE(fold(anew));
  EXPECT_EQ(everything(), first) << "a rebuild ends in the same list";
  serve_generation(pool_, tables_->generation());
  EXPECT_EQ(prepare(pool_), tables_->generation());
  drop_generation(pool_, served);
  EXPECT_THAT(generations(pool_), ElementsAre(tables_->generation()));
  EXPECT_NE(served, tables_->generation());
  EXPECT_EQ(everything(), first);
}

TEST_F(TrackerTables, ASecondWriterIsTurnedAwayAndGoesOnFromTheTables) {
  Projection one(*tables_, choreographies_, nullptr);
  Projection other(*tables_, choreographies_, nullptr);
  traffic_.say("order", "OrderPlaced", -1, "a");
  ASSERT_TRUE(fold(one));
  const int placed = traffic_.say("order", "OrderPlaced", -1, "b");
  const auto before = told_;
  EXPECT_FALSE(fold(other));
  EXPECT_THAT(ids({}), ElementsAre("a"));
  EXPECT_EQ(other.position(), one.position());
  told_ = before;
  traffic_.say("payment", "PaymentAuthorized", placed, "b");
  EXPECT_TRUE(fold(other));
  EXPECT_THAT(ids({}), ElementsAre("a", "b"));
}

TEST_F(TrackerTables, ListsByStateStepKeyAgeAndCause) {
  Census census;
  Projection projection(*tables_, choreographies_, &census);
  traffic_.checkout("done-1");
  const int placed = traffic_.say("order", "OrderPlaced", -1, "open-1");
  traffic_.say("payment", "PaymentAuthorized", placed, "open-1");
  traffic_.say("order", "OrderPlaced", -1, "open-2");
  ASSERT_TRUE(fold(projection));
  EXPECT_THAT(ids({}), ElementsAre("done-1", "open-1", "open-2")) << "the oldest first";
  EXPECT_THAT(ids({.newest_first = true}), ElementsAre("open-2", "open-1", "done-1"));
  EXPECT_THAT(ids({.states = {State::running}}), ElementsAre("open-1", "open-2"));
  EXPECT_THAT(ids({.states = {State::completed}, .saga = "checkout"}), ElementsAre("done-1"));
  EXPECT_THAT(ids({.saga = "nothing"}), IsEmpty());
  EXPECT_THAT(ids({.step = "payment.Authorize"}), ElementsAre("open-2"));
  EXPECT_THAT(ids({.key = "open"}), ElementsAre("open-1", "open-2"));
  EXPECT_THAT(ids({.key = "%"}), IsEmpty()) << "a sign of LIKE is a sign like any other";
  EXPECT_THAT(ids({.id = "done"}), ElementsAre("done-1"));
  EXPECT_THAT(ids({.key = "'; DROP TABLE saga; --"}), IsEmpty());
  EXPECT_THAT(ids({.started_before = traffic_.events[8].recorded_at}), ElementsAre("done-1", "open-1"));
  EXPECT_EQ(count(tables_->pool(), {.states = {State::running}}, 100), 2U);
  EXPECT_EQ(count(tables_->pool(), {}, 2), 2U) << "counted no further than asked for";

  // A day later both are past their deadline.
  const auto late = now() + std::chrono::hours(25);
  EXPECT_FALSE(projection.sweep(late));
  EXPECT_THAT(ids({.states = {State::stuck}}), ElementsAre("open-1", "open-2"));
  EXPECT_THAT(ids({.reason_class = ReasonClass::technical}), ElementsAre("open-1", "open-2"));
  EXPECT_THAT(ids({.reason_class = ReasonClass::business}), IsEmpty());
  EXPECT_THAT(ids({.error = "deadline"}), ElementsAre("open-1", "open-2"));
  expect_counted(census, *tables_);
  EXPECT_EQ(census.counts().stuck.at({"checkout", "technical"}), 2);
}

TEST_F(TrackerTables, PagesHoldEverySagaOnceEitherWay) {
  Projection projection(*tables_, choreographies_, nullptr);
  std::vector<std::string> all;
  for (int i = 0; i < 57; ++i) {
    const auto saga = "s" + std::to_string(100 + i);
    all.push_back(saga);
    traffic_.say("order", "OrderPlaced", -1, saga);
    if (i % 2 == 0) traffic_.events.back().recorded_at = TimePoint(std::chrono::hours(1));  // ties
  }
  ASSERT_TRUE(fold(projection));
  for (const bool newest : {false, true})
    for (const auto* step : {"", "payment.Authorize"}) {
      std::vector<std::string> seen;
      Filter filter{.step = step, .limit = 10, .newest_first = newest};
      do {
        const auto page = list(tables_->pool(), filter);
        for (const auto& row : page.rows) seen.push_back(nlohmann::json::parse(row)["saga_id"].get<std::string>());
        filter.after = page.next;
      } while (!filter.after.empty());
      EXPECT_THAT(seen, ::testing::UnorderedElementsAreArray(all)) << step << newest;
    }
  EXPECT_THROW(static_cast<void>(list(tables_->pool(), {.after = "no cursor"})), Error);
}

TEST_F(TrackerTables, ForgetsOnlyWhatIsOver) {
  Census census;
  Projection projection(*tables_, choreographies_, &census);
  traffic_.checkout("over");
  traffic_.say("order", "OrderPlaced", -1, "open");
  ASSERT_TRUE(fold(projection));
  projection.forget(traffic_.events.front().recorded_at);
  EXPECT_EQ(everything().size(), 2U);
  projection.forget(now() + std::chrono::hours(1));
  EXPECT_THAT(ids({}), ElementsAre("open"));
  EXPECT_TRUE(tables_->load({"over"}).empty());
  expect_counted(census, *tables_);
}

TEST_F(TrackerTables, JudgesSagasInFlightAgainWhenContractsChange) {
  Choreographies none;
  Projection projection(*tables_, none, nullptr);
  traffic_.say("order", "OrderPlaced", -1, "early");
  ASSERT_TRUE(fold(projection));
  EXPECT_THAT(ids({.saga = "checkout"}), IsEmpty()) << "no contract is known yet";
  none = choreographies_;
  projection.contracts_changed();
  while (projection.judge_again(now())) {
  }
  EXPECT_THAT(ids({.saga = "checkout"}), ElementsAre("early"));
  EXPECT_THAT(ids({.step = "payment.Authorize"}), ElementsAre("early"));
}

TEST_F(TrackerTables, JudgesSagasInFlightAgainAfterAStartForContractsMayHaveComeJustBeforeTheEnd) {
  Choreographies nothing_known;
  {
    Projection ended(*tables_, nothing_known, nullptr);
    traffic_.say("order", "OrderPlaced", -1, "early");
    ASSERT_TRUE(fold(ended));
  }
  ASSERT_THAT(ids({.saga = "checkout"}), IsEmpty());
  Projection begun(*tables_, choreographies_, nullptr);
  while (begun.judge_again(now())) {
  }
  EXPECT_THAT(ids({.saga = "checkout"}), ElementsAre("early"));
}

TEST_F(TrackerTables, HostileTextsAreTexts) {
  Projection projection(*tables_, choreographies_, nullptr);
  const std::string hostile = "a'\"\\{},<script>\xF0\x9F\x98\x80 NULL";
  traffic_.say("order", "OrderPlaced", -1, hostile);
  ASSERT_TRUE(fold(projection));
  EXPECT_THAT(ids({.key = hostile}), ElementsAre(hostile));
  EXPECT_EQ(tables_->load({hostile}).size(), 1U);
  traffic_.say("payment", "PaymentAuthorized", 0, hostile);
  ASSERT_TRUE(fold(projection));
  // Bytes that are no text come from elsewhere, never from our participants; they must not stop the tracker.
  traffic_.say("order", "OrderPlaced", -1, std::string("broken\xFF\xFE") + '\0' + "id");
  EXPECT_TRUE(fold(projection));
  EXPECT_EQ(everything().size(), 1U);
}

}  // namespace
}  // namespace quadrille::tracker
