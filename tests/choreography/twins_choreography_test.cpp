// Two instances of everything: two relays and two dispatchers a participant contend for the leases; order per key
// holds.
#include "shop_fixture.hpp"

#include <csignal>
#include <future>
#include <random>
#include <thread>

namespace quadrille {
namespace {

class Twins : public ShopFixture {
 protected:
  using ShopFixture::ShopFixture;

  void start_twins() {
    for (const auto& service : system_.services())
      for (const int instance : {0, 1}) system_.start(service.participant, instance);
    for (const auto& service : system_.services())
      for (const int instance : {0, 1}) system_.await_ready(service.participant, instance);
  }

  void freeze_and_kill_some() {
    const auto seed = test_seed(17);
    std::mt19937_64 random(seed);
    start_twins();
    shop::Load load(system_, opening_, seed);
    auto placed = std::async(std::launch::async, [&] { load.place(300); });
    for (const auto* participant : {"payment", "inventory", "shipping"}) {
      std::this_thread::sleep_for(std::chrono::milliseconds(200 + random() % 500));  // the moment is the test's input
      auto& victim = system_.process(participant, static_cast<int>(random() % 2));
      victim.signal(SIGSTOP);  // it will wake up with leases that others have taken meanwhile
      std::this_thread::sleep_for(std::chrono::seconds(7));
      victim.signal(SIGCONT);
    }
    system_.process("payment", 0).kill();
    placed.get();
    expect_sound(load, std::chrono::seconds(90));
  }
};

TEST_F(Twins, KeepTheOrderOfEveryKeyThroughSixteenStartsAtOnce) {
  const auto seed = test_seed(16);
  shop::Load load(system_, opening_, seed);
  for (int round = 0; round < 16; ++round) {
    start_twins();
    load.place(20);
    for (const auto& [name, code] : system_.stop_services()) EXPECT_EQ(code, 0) << name;
  }
  start_twins();
  expect_sound(load, std::chrono::seconds(90));
}

TEST_F(Twins, TakeOverFromOneThatDiesOrFreezes) { freeze_and_kill_some(); }

/// Whoever is frozen keeps its replication slot: the other polls meanwhile.
class TwinsTailing : public Twins {
 protected:
  TwinsTailing() : Twins({.log_tailing = true}) {}
};

TEST_F(TwinsTailing, TakeOverFromOneThatDiesOrFreezes) { freeze_and_kill_some(); }

}  // namespace
}  // namespace quadrille
