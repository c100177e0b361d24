#include "payment_bench.hpp"

namespace quadrille {
namespace {

class Timers : public PaymentBench {};

TEST_F(Timers, RunAsStepsWhenTheirTimeHasCome) {
  settings_.timeouts["Lapse"] = std::chrono::milliseconds(1);
  start();
  publish(placed("a"));
  ASSERT_TRUE(eventually([&] { return payment_.lapses == 1; }));
}

TEST_F(Timers, AreTriedAgainForEverWhenTheyThrow) {
  settings_.timeouts["Lapse"] = std::chrono::milliseconds(1);
  std::atomic<bool> mended{false};
  payment_.before = [&](const std::string& key) {
    if (key == "lapse" && !mended) throw std::runtime_error("not mended");
  };
  start();
  publish(placed("a"));
  ASSERT_TRUE(eventually([&] { return payment_.lapses > 5; }));
  mended = true;
  ASSERT_TRUE(eventually([&] {
    const auto transaction = store_.begin();
    return transaction->deadlines().take_due(TimePoint::max(), 10).empty();
  }));
}

TEST_F(Timers, OneWhoseEventIsRefusedKeepsNoOtherBack) {
  settings_.timeouts["Lapse"] = std::chrono::milliseconds(1);
  payment_.lapse_for_good = true;
  std::atomic<bool> released{false};
  payment_.before = [&](const std::string& key) {
    if (key == "lapse" && !released) throw std::runtime_error("not yet");
  };
  start();
  for (const auto* key : {"bad", "good"}) publish(placed(key));
  for (const auto* key : {"bad", "good"})
    ASSERT_TRUE(eventually([&] { return recorded(key) == Names{"PaymentAuthorized"}; }));
  store_.refuse_events_of("bad");
  released = true;
  ASSERT_TRUE(eventually([&] { return recorded("good").size() == 2; }));
  EXPECT_EQ(recorded("bad").size(), 1U);
  store_.refuse_events_of("");
  ASSERT_TRUE(eventually([&] { return recorded("bad").size() == 2; }));
}

TEST_F(Timers, DoNotRunBeforeTheirTime) {
  start();
  publish(placed("a"));
  ASSERT_TRUE(eventually([&] { return recorded("a") == Names{"PaymentAuthorized"}; }));
  const auto transaction = store_.begin();
  EXPECT_TRUE(transaction->deadlines().take_due(clock_.now() + std::chrono::minutes(59), 10).empty());
  EXPECT_EQ(transaction->deadlines().take_due(clock_.now() + std::chrono::minutes(61), 10).size(), 1U);
  EXPECT_EQ(payment_.lapses, 0);
}

TEST_F(Timers, OfANameTheContractDoesNotHaveStopTheStart) {
  settings_.timeouts["Laps"] = std::chrono::milliseconds(1);
  try {
    start();
    ADD_FAILURE() << "started";
  } catch (const Error& error) {
    EXPECT_EQ(error.disposition(), Disposition::stop);
    EXPECT_NE(std::string(error.what()).find("'Laps' is not a timer step of payment"), std::string::npos);
  }
}

}  // namespace
}  // namespace quadrille
