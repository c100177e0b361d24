// An orchestrated saga as the tracker tells it, from what the runtime records on virtual time.
#include "shop_sagas.hpp"
#include "support/conducted_shop.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace quadrille::tracker {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class JudgeOfTheConducted : public ::testing::Test, protected support::ConductedShop {
 protected:
  [[nodiscard]] Standing standing(const std::string& saga) {
    return judge(ShopSagas::trail_of(world.recorded(saga), saga), &choreography_, world.clock().now()).front();
  }

  Choreography choreography_{
      checker::Contracts({std::filesystem::path(QUADRILLE_SOURCE_DIR) / "contracts" / "orchestrated"}, {})};
};

TEST_F(JudgeOfTheConducted, GoesToItsEnd) {
  put("shelf", "item/clock", 1);
  const auto told = standing(begin());
  EXPECT_EQ(told.state, State::completed);
  EXPECT_EQ(told.saga, "orchestrated_checkout");
  EXPECT_EQ(told.pivot, Pivot::passed);
  EXPECT_THAT(told.owed(), IsEmpty());
}

TEST_F(JudgeOfTheConducted, WaitsForWhomItHasCommanded) {
  put("shelf", "item/clock", 1);
  leave("shelf");
  const auto told = standing(begin());
  EXPECT_EQ(told.state, State::running);
  EXPECT_THAT(waited(told), ElementsAre("shelf.Reserve"));
  EXPECT_EQ(told.pivot, Pivot::open);
}

TEST_F(JudgeOfTheConducted, IsCancelledWhenAllIsUndone) {
  const auto told = standing(begin());
  EXPECT_EQ(told.state, State::cancelled);
  EXPECT_THAT(told.owed(), IsEmpty());
  ASSERT_TRUE(told.failure);
  EXPECT_EQ(told.failure->event, "StockRefused");
}

TEST_F(JudgeOfTheConducted, IsStuckWhereItsPatienceIsSpentAndMayBeRetried) {
  put("shelf", "item/clock", 1);
  leave("parcels");
  const auto saga = begin();
  world.advance(std::chrono::hours(3));
  const auto told = standing(saga);
  EXPECT_EQ(told.state, State::stuck);
  ASSERT_EQ(told.stuck.size(), 1U);
  EXPECT_EQ(told.stuck.front().participant, "checkout");
  EXPECT_EQ(told.stuck.front().step, "checkout.Book");
  EXPECT_TRUE(told.stuck.front().parked);
  const auto transaction = world.actor("checkout").store.begin();
  EXPECT_TRUE(transaction->inbox().find_waiting("checkout", told.stuck.front().message_id)) << "retry has to find it";
}

}  // namespace
}  // namespace quadrille::tracker
