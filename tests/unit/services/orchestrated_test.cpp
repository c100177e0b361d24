// The conducted shop, whole sagas on virtual time: what production runs, without servers.
#include "core/random.hpp"
#include "core/short_name.hpp"
#include "orchestrated/checkout.hpp"
#include "orchestrated/parcels.hpp"
#include "orchestrated/shelf.hpp"
#include "orchestrated/till.hpp"
#include "quadrille/testing/choreography.hpp"
#include "testing/world.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace orchestrated {
namespace {

using namespace std::chrono_literals;
using quadrille::testing::Choreography;
using quadrille::testing::SagaState;

checkout::v1::StartCheckout start(std::uint64_t cents = 500, std::uint32_t quantity = 1) {
  checkout::v1::StartCheckout command;
  command.set_order_id("order-1");
  command.set_customer_id("alice");
  command.set_item("clock");
  command.set_quantity(quantity);
  command.set_amount_cents(cents);
  return command;
}

class ConductedShop : public ::testing::Test {
 protected:
  ConductedShop() {
    shop.add<checkout::CheckoutService>()
        .add<till::TillService>()
        .add<shelf::ShelfService>()
        .add<parcels::ParcelsService>();
    shop.resource("till", "account/alice", 1000).resource("shelf", "item/clock", 5);
  }
  void expect_nothing_taken() {
    EXPECT_EQ(shop.free("till", "account/alice"), 1000);
    EXPECT_EQ(shop.free("shelf", "item/clock"), 5);
  }
  void expect_sold() {
    EXPECT_EQ(shop.free("till", "account/alice"), 500);
    EXPECT_EQ(shop.held("till", "account/alice"), 0);
    EXPECT_EQ(shop.free("shelf", "item/clock"), 4);
    EXPECT_EQ(shop.held("shelf", "item/clock"), 0);
  }

  Choreography shop;
};

TEST_F(ConductedShop, GoesThroughItsFiveSteps) {
  const auto saga = shop.when(start());
  shop.expect_said(
      saga,
      {"checkout.CheckoutStarted", "checkout.AuthorizePayment", "till.PaymentAuthorized", "checkout.CheckoutMoved",
       "checkout.ReserveStock", "shelf.StockReserved", "checkout.CheckoutMoved", "checkout.CapturePayment",
       "till.PaymentCaptured", "checkout.CheckoutMoved", "checkout.BookParcel", "parcels.ParcelBooked",
       "checkout.CheckoutMoved", "checkout.DispatchStock", "shelf.StockDispatched", "checkout.CheckoutCompleted"});
  shop.expect_state(saga, SagaState::completed);
  shop.advance(25h);  // every timer has come, and none of them mattered
  shop.expect_state(saga, SagaState::completed);
  expect_sold();
}

TEST_F(ConductedShop, IsCancelledWithoutMoney) {
  const auto saga = shop.when(start(2000));
  shop.expect_said(saga, {"checkout.CheckoutStarted", "checkout.AuthorizePayment", "till.PaymentDeclined",
                          "checkout.CheckoutCancelled"});
  shop.expect_state(saga, SagaState::cancelled);
  expect_nothing_taken();
}

TEST_F(ConductedShop, LetsTheMoneyGoWhereThereIsNoStock) {
  const auto saga = shop.when(start(500, 9));
  shop.expect_said(saga,
                   {"checkout.CheckoutStarted", "checkout.AuthorizePayment", "till.PaymentAuthorized",
                    "checkout.CheckoutMoved", "checkout.ReserveStock", "shelf.StockRefused", "checkout.CheckoutMoved",
                    "checkout.VoidPayment", "till.PaymentVoided", "checkout.CheckoutCancelled"});
  shop.expect_state(saga, SagaState::cancelled);
  expect_nothing_taken();
}

TEST_F(ConductedShop, UndoesWhatDidNotAnswerInTime) {
  shop.away("shelf");
  const auto saga = shop.when(start());
  shop.advance(16min);
  shop.expect_state(saga, SagaState::compensating);
  shop.back("shelf").advance(2h);
  shop.expect_state(saga, SagaState::cancelled);
  expect_nothing_taken();
}

TEST_F(ConductedShop, RepeatsACompensationUntilItSucceeds) {
  shop.fail("till", "Void", 50);
  const auto saga = shop.when(start(500, 9));
  shop.advance(3h);
  shop.expect_state(saga, SagaState::stuck);  // past its patience, and tried on
  shop.advance(72h);
  shop.expect_state(saga, SagaState::cancelled);
  expect_nothing_taken();
}

TEST_F(ConductedShop, WaitsForAPersonWhereAStepAfterThePivotIsSilent) {
  shop.away("parcels");
  const auto saga = shop.when(start());
  shop.advance(3h);
  shop.expect_state(saga, SagaState::stuck);
  shop.back("parcels").advance(1h);  // it takes the commands that have waited for it
  shop.expect_state(saga, SagaState::completed);
  EXPECT_TRUE(shop.stuck("checkout").empty()) << "it got on by itself";
  expect_sold();
}

TEST_F(ConductedShop, IsContinuedByAPerson) {
  shop.fail("parcels", "Book", 1000, "the carrier is on strike");
  const auto saga = shop.when(start());
  shop.advance(24h);
  shop.expect_state(saga, SagaState::stuck);
  ASSERT_FALSE(shop.stuck("parcels").empty());
  shop.fail("parcels", "Book", 0);
  ASSERT_EQ(shop.stuck("checkout").size(), 1U);
  shop.retry("checkout");  // the command is sent again, and waits behind the one that is parked
  EXPECT_TRUE(shop.stuck("checkout").empty());
  shop.retry("parcels").advance(1min);
  shop.expect_state(saga, SagaState::completed);
  expect_sold();
}

TEST_F(ConductedShop, TakesNoMoreThanItIsMeantToRemember) {
  auto command = start();
  command.set_item(std::string(5000, 'x'));
  try {
    static_cast<void>(shop.when(command));
    FAIL() << "a basket was taken";
  } catch (const std::runtime_error& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find("4096 is the limit"), std::string::npos) << what;
    EXPECT_NE(what.find("ids and amounts, not baskets"), std::string::npos) << what;
  }
}

TEST(ConductedShopInDisorder, EndsTheSame) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Choreography shop(seed);
    shop.add<checkout::CheckoutService>()
        .add<till::TillService>()
        .add<shelf::ShelfService>()
        .add<parcels::ParcelsService>();
    shop.resource("till", "account/alice", 1000).resource("shelf", "item/clock", 5).disorder(seed);
    const bool sold = seed % 2 == 0;
    const auto saga = shop.when(start(500, sold ? 1 : 9));
    for (const auto* name : {"checkout", "till", "shelf", "checkout"}) shop.advance(20s).crash(name);
    shop.advance(2h);
    shop.expect_state(saga, sold ? SagaState::completed : SagaState::cancelled);
    EXPECT_EQ(shop.free("till", "account/alice"), sold ? 500 : 1000) << "seed " << seed;
    EXPECT_EQ(shop.free("shelf", "item/clock"), sold ? 4 : 5) << "seed " << seed;
  }
}

/// Lets everything through and ends the process at a commit: before it took effect, or after.
class MortalStore final : public quadrille::Store {
 public:
  enum class Fate { lives, dies_before, dies_after };
  MortalStore(quadrille::Store& inner, std::function<Fate()> fate) : inner_(inner), fate_(std::move(fate)) {}

  [[nodiscard]] std::unique_ptr<quadrille::Transaction> begin() override {
    return std::make_unique<Mortal>(inner_.begin(), fate_);
  }
  void ring() override { inner_.ring(); }
  bool await_ring(std::chrono::milliseconds longest) override { return inner_.await_ring(longest); }
  void maintain() override { inner_.maintain(); }

 private:
  class Mortal final : public quadrille::Transaction {
   public:
    Mortal(std::unique_ptr<quadrille::Transaction> inner, const std::function<Fate()>& fate)
        : inner_(std::move(inner)), fate_(fate) {}
    quadrille::EventLog& events() override { return inner_->events(); }
    quadrille::Outbox& outbox() override { return inner_->outbox(); }
    quadrille::Inbox& inbox() override { return inner_->inbox(); }
    quadrille::Deadlines& deadlines() override { return inner_->deadlines(); }
    quadrille::Quantities& quantities() override { return inner_->quantities(); }
    quadrille::Leases& leases() override { return inner_->leases(); }
    quadrille::IdempotencyKeys& idempotency() override { return inner_->idempotency(); }
    quadrille::AuditTrail& audit() override { return inner_->audit(); }
    std::vector<quadrille::SqlRow> sql(std::string_view statement, std::span<const std::string> parameters) override {
      return inner_->sql(statement, parameters);
    }
    void commit() override {
      const auto fate = fate_();
      if (fate == Fate::dies_before) throw quadrille::testing::Crash{};
      inner_->commit();
      if (fate == Fate::dies_after) throw quadrille::testing::Crash{};
    }

   private:
    std::unique_ptr<quadrille::Transaction> inner_;
    const std::function<Fate()>& fate_;
  };

  quadrille::Store& inner_;
  const std::function<Fate()> fate_;
};

/// Two instances of everybody; whoever conducts dies at its commits as the seed has it, and is started again.
class MortalWorld final : public quadrille::testing::World {
 public:
  explicit MortalWorld(std::uint64_t seed) : random_(seed) {}

  std::size_t deaths = 0;
  bool mortal = false;

  /// Starts whoever has died.
  void revive() {
    for (auto& instance : instances())
      if (!instance->loops) start(*instance);
  }

 protected:
  quadrille::Store& store_of(const Instance& instance) override {
    auto& actor = *actors()[instance.actor];
    if (actor.role.part.name() != "checkout") return actor.store;
    auto& store = stores_[&actor];
    if (!store) store = std::make_unique<MortalStore>(actor.store, [this] { return fate(); });
    return *store;
  }

 private:
  MortalStore::Fate fate() {
    // The edge's commit is of no instance's step, and a person would send the command again.
    if (!mortal || acting() == nullptr || random_() % 8 != 0) return MortalStore::Fate::lives;
    ++deaths;
    return random_() % 2 == 0 ? MortalStore::Fate::dies_before : MortalStore::Fate::dies_after;
  }

  std::mt19937_64 random_;
  std::map<const Actor*, std::unique_ptr<MortalStore>> stores_;
};

/// What was said in a world, by saga, and how often.
using Said = std::map<std::string, std::map<std::string, int>>;

void expect_each_thing_once(const Said& by_saga) {
  for (const auto& [saga, said] : by_saga) {
    const auto times = [&said = said](const char* name) { return said.contains(name) ? said.at(name) : 0; };
    for (const auto* once : {"CheckoutStarted", "CheckoutCompleted", "CheckoutCancelled", "PaymentAuthorized",
                             "PaymentDeclined", "PaymentVoided", "PaymentCaptured", "StockReserved", "StockRefused",
                             "StockReleased", "StockDispatched", "ParcelBooked", "CapturePayment", "VoidPayment"})
      EXPECT_LE(times(once), 1) << saga << " has " << once << " twice";
    EXPECT_EQ(times("CheckoutCompleted") + times("CheckoutCancelled"), 1) << saga << " has no end, or two";
    EXPECT_EQ(times("CheckoutCompleted"), times("PaymentCaptured")) << saga;
    EXPECT_EQ(times("CheckoutCompleted"), times("StockDispatched")) << saga;
    EXPECT_FALSE(times("PaymentCaptured") > 0 && times("VoidPayment") + times("ReleaseStock") > 0)
        << saga << " undoes after its pivot";
  }
}

TEST(ConductedShopThatDies, EndsAThousandSagasAndDoesNothingTwice) {
  constexpr int worlds = 50;
  constexpr int sagas = 20;
  checkout::CheckoutService checkout_service;
  till::TillService till_service;
  shelf::ShelfService shelf_service;
  parcels::ParcelsService parcels_service;
  quadrille::testing::Role roles[] = {quadrille::testing::Role(checkout_service),
                                      quadrille::testing::Role(till_service), quadrille::testing::Role(shelf_service),
                                      quadrille::testing::Role(parcels_service)};
  std::size_t deaths = 0;
  int completed = 0;
  int cancelled = 0;
  for (std::uint64_t seed = 1; seed <= worlds && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const quadrille::SeededRandom random(seed);
    MortalWorld world(seed);
    for (auto& role : roles) world.add(role, 2);
    const auto put = [&](const std::string& who, const std::string& what, std::int64_t amount) {
      const auto transaction = world.actor(who).store.begin();
      ASSERT_TRUE(transaction->quantities().add(what, amount));
      transaction->commit();
    };
    put("till", "account/alice", 15 * 500);
    put("shelf", "item/clock", 10);
    world.settle();
    world.mortal = true;
    for (int i = 0; i < sagas; ++i) {
      auto command = start();
      command.set_order_id("order-" + std::to_string(i));
      world.revive();
      static_cast<void>(world.command(command));
      if (i % 4 == 3) world.advance(1s);
    }
    for (int i = 0; i < 6; ++i) {
      world.revive();
      world.advance(8s);
    }
    world.mortal = false;
    world.revive();
    world.advance(1min);
    Said by_saga;
    for (const auto& event : world.recorded()) ++by_saga[event.saga_id][quadrille::short_name(event.type)];
    EXPECT_EQ(by_saga.size(), static_cast<std::size_t>(sagas));
    expect_each_thing_once(by_saga);
    int sold = 0;
    for (const auto& [saga, said] : by_saga) sold += said.contains("CheckoutCompleted") ? 1 : 0;
    const auto money = world.actor("till").store.begin()->quantities().find("account/alice");
    ASSERT_TRUE(money);
    EXPECT_EQ(money->held, 0);
    EXPECT_EQ(money->total, (15 - sold) * 500);
    deaths += world.deaths;
    completed += sold;
    cancelled += sagas - sold;
  }
  EXPECT_GT(deaths, 200U);
  EXPECT_GT(completed, 300);
  EXPECT_GT(cancelled, 300);
}

}  // namespace
}  // namespace orchestrated
