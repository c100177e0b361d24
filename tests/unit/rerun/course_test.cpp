// What becomes of a whole recorded saga where its participants hear something else.
#include "cases/course.hpp"

#include "casefile/case_events.hpp"
#include "cases/course_text.hpp"
#include "cases/descriptors.hpp"
#include "checker/load.hpp"
#include "inventory/inventory_service.hpp"
#include "order/order_service.hpp"
#include "payment/payment_service.hpp"
#include "rerun/rerun.hpp"
#include "shipping/shipping_service.hpp"
#include "walkthrough/recorded_shop.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace quadrille::cases {
namespace {

using casefile::v1::Case;
using casefile::v1::RecordedEvent;
using Kind = Change::Kind;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<Case> recorded(int orders) {
  shop::payment::PaymentService payment;
  const checker::Contracts contracts(std::vector<std::filesystem::path>{QUADRILLE_SOURCE_DIR "/contracts/shop"}, {});
  const auto shop = shop::record_shop(payment, orders);
  std::vector<Case> all;
  for (const auto& saga : shop.sagas) {
    auto& one = all.emplace_back();
    one.mutable_header()->set_saga_id(saga);
    for (const auto& event : shop.events)
      if (event.saga_id == saga) *one.add_event() = casefile::to_recorded(event);
    describe(one, contracts);
  }
  return all;
}

class CourseOfASaga : public ::testing::Test {
 protected:
  /// The players of the names; all of them where none is named.
  std::vector<Player> players(const std::vector<std::string>& names = {}) {
    std::vector<Player> all{player("order", order_), player("payment", payment_), player("inventory", inventory_),
                            player("shipping", shipping_)};
    std::erase_if(all, [&](const Player& one) {
      return !names.empty() && std::ranges::find(names, one.participant) == names.end();
    });
    return all;
  }
  /// What is told of the case with the changes.
  std::string told(const Case& one, const std::vector<Change>& changes, const std::vector<std::string>& names = {}) {
    const auto playing = players(names);
    return as_text(one, play(playing, one, {}), play(playing, one, changes));
  }

 private:
  static Player player(const std::string& name, Participant& participant) {
    auto rerunner = std::make_shared<rerun::Rerunner>(participant);
    return {name, [rerunner](const Case& one) { return rerunner->run(one); }};
  }
  shop::order::OrderService order_;
  shop::payment::PaymentService payment_;
  shop::inventory::InventoryService inventory_;
  shop::shipping::ShippingService shipping_;
};

std::vector<std::string> said(const Case& one) {
  std::vector<std::string> all;
  for (const auto& event : one.event())
    all.push_back(event.id() + " " + event.type() + "@" + std::to_string(event.version()) + " " + event.payload());
  std::ranges::sort(all);
  return all;
}

TEST_F(CourseOfASaga, IsTheRecordedOneWhereNothingIsChanged) {
  const auto cases = recorded(40);
  for (std::size_t i = 1; i < cases.size(); ++i)  // the first has an event that no program says
    EXPECT_EQ(said(play(players(), cases[i], {}).saga), said(cases[i])) << told(cases[i], {});
}

TEST_F(CourseOfASaga, OfALostMessageIsWhatTheTimersOfTheOthersMakeOfIt) {
  const auto one = recorded(4).at(3);
  const auto text = told(one, {{Kind::drop, "PaymentAuthorized", {}}});
  EXPECT_THAT(text, HasSubstr("recorded    COMPLETED by OrderConfirmed"));
  EXPECT_THAT(text, HasSubstr("varied      CANCELLED by OrderRejected, after 15 min")) << "order gives up";
  EXPECT_THAT(text, HasSubstr("no longer   StockReserved of o-3 (inventory)"));
  EXPECT_THAT(text, HasSubstr("no longer   ShipmentBooked of o-3 (shipping)"));
  EXPECT_THAT(text, HasSubstr("new         PaymentVoided of o-3 (payment)")) << "on inventory's new refusal";
  EXPECT_THAT(text, Not(HasSubstr("unchanged")));
}

TEST_F(CourseOfASaga, OfADelayEndsTheSameAndLater) {
  const auto one = recorded(4).at(3);
  EXPECT_THAT(told(one, {{Kind::delay, "StockReserved", std::chrono::minutes(10)}}),
              HasSubstr("varied      COMPLETED by OrderConfirmed, after 10 min"));
  EXPECT_THAT(told(one, {{Kind::twice, "StockReserved", {}}, {Kind::twice, "OrderPlaced", {}}}),
              Not(HasSubstr("\n    ")))
      << "the inbox takes each once: nothing is otherwise";
}

TEST_F(CourseOfASaga, CarriesAFieldFromOneToTheNext) {
  const auto text = told(recorded(4).at(3), {Change::parse_set("OrderPlaced.quantity=2")});
  EXPECT_THAT(text, HasSubstr("otherwise   OrderPlaced of o-3 (order): quantity: "));
  EXPECT_THAT(text, HasSubstr("otherwise   PaymentCaptured of o-3 (payment): quantity: ")) << "who heard it says so";
}

TEST_F(CourseOfASaga, LeavesStandingWhatOthersRecordedAsLongAsItsCauseDoes) {
  const auto one = recorded(4).at(3);
  const auto course = play(players({"payment"}), one, {{Kind::drop, "StockReserved", {}}});
  const auto has = [&](const char* type) {
    return std::ranges::any_of(course.saga.event(), [&](const RecordedEvent& e) { return e.type().ends_with(type); });
  };
  EXPECT_TRUE(has("StockReserved")) << "inventory does not play, and what it said was lost only on the way";
  EXPECT_FALSE(has("PaymentCaptured"));
  EXPECT_FALSE(has("ShipmentBooked")) << "shipping does not play, but nothing was captured";
  EXPECT_FALSE(has("OrderConfirmed"));
}

TEST_F(CourseOfASaga, TellsWhoCannotRunIt) {
  auto one = recorded(4).at(3);
  auto& events = *one.mutable_event();
  events.erase(std::ranges::find_if(events, [](const auto& e) { return e.type().ends_with("PaymentAuthorized"); }));
  EXPECT_THROW(static_cast<void>(play(players(), one, {})), std::runtime_error);
}

}  // namespace
}  // namespace quadrille::cases
