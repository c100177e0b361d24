// An orchestrated saga as the tracker tells it, from what the runtime records on virtual time.
#include "core/random.hpp"
#include "orchestrated/checkout.hpp"
#include "orchestrated/parcels.hpp"
#include "orchestrated/shelf.hpp"
#include "orchestrated/till.hpp"
#include "shop_sagas.hpp"
#include "testing/world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace quadrille::tracker {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
namespace shop = ::orchestrated;

class JudgeOfTheConducted : public ::testing::Test {
 protected:
  JudgeOfTheConducted() {
    for (auto& role : roles_) world_.add(role);
    const auto transaction = world_.actor("till").store.begin();
    EXPECT_TRUE(transaction->quantities().add("account/ada", 1000));
    transaction->commit();
  }
  void stock(std::int64_t pieces) {
    const auto transaction = world_.actor("shelf").store.begin();
    EXPECT_TRUE(transaction->quantities().add("item/clock", pieces));
    transaction->commit();
  }
  void leave(const std::string& participant) {
    world_.stop(*world_.instances()[world_.actor(participant).instances.front()], true);
  }
  std::string begin() {
    shop::checkout::v1::StartCheckout command;
    command.set_order_id("o1");
    command.set_customer_id("ada");
    command.set_item("clock");
    command.set_quantity(1);
    command.set_amount_cents(500);
    world_.settle();
    auto saga = world_.command(command);
    world_.settle();
    return saga;
  }
  [[nodiscard]] Standing standing(const std::string& saga) {
    return judge(ShopSagas::trail_of(world_.recorded(saga), saga), &choreography_, world_.clock().now()).front();
  }

  SeededRandom random_{1};
  shop::checkout::CheckoutService checkout_;
  shop::till::TillService till_;
  shop::shelf::ShelfService shelf_;
  shop::parcels::ParcelsService parcels_;
  testing::Role roles_[4] = {testing::Role(checkout_), testing::Role(till_), testing::Role(shelf_),
                             testing::Role(parcels_)};
  testing::World world_;
  Choreography choreography_{
      checker::Contracts({std::filesystem::path(QUADRILLE_SOURCE_DIR) / "contracts" / "orchestrated"}, {})};
};

TEST_F(JudgeOfTheConducted, GoesToItsEnd) {
  stock(1);
  const auto told = standing(begin());
  EXPECT_EQ(told.state, State::completed);
  EXPECT_EQ(told.saga, "orchestrated_checkout");
  EXPECT_EQ(told.pivot, Pivot::passed);
  EXPECT_THAT(told.owed(), IsEmpty());
}

TEST_F(JudgeOfTheConducted, WaitsForWhomItHasCommanded) {
  stock(1);
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
  stock(1);
  leave("parcels");
  const auto saga = begin();
  world_.advance(std::chrono::hours(3));
  const auto told = standing(saga);
  EXPECT_EQ(told.state, State::stuck);
  ASSERT_EQ(told.stuck.size(), 1U);
  EXPECT_EQ(told.stuck.front().participant, "checkout");
  EXPECT_EQ(told.stuck.front().step, "checkout.Book");
  EXPECT_TRUE(told.stuck.front().parked);
  const auto transaction = world_.actor("checkout").store.begin();
  EXPECT_TRUE(transaction->inbox().find_waiting("checkout", told.stuck.front().message_id)) << "retry has to find it";
}

}  // namespace
}  // namespace quadrille::tracker
