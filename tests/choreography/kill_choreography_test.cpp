// kill -9 of any part at any time during 500 sagas, then a restart: every saga ends, nothing is lost, doubled or
// reordered.
#include "embedded/probe.hpp"
#include "shop_fixture.hpp"

#include <future>
#include <random>
#include <thread>

namespace quadrille {
namespace {

constexpr std::size_t sagas = 500;
constexpr int kills = 4;

class Killing : public ShopFixture {
 protected:
  using ShopFixture::ShopFixture;

  void kill_and_restart(const std::string& victim) {
    if (victim == "nats") {
      system_.nats().kill();
      system_.nats().start();
    } else if (victim == "postgres") {
      system_.postgres().kill();
      system_.postgres().start();
    } else {
      system_.process(victim).kill();
      system_.start(victim);
    }
  }
};

class KillNine : public Killing, public ::testing::WithParamInterface<const char*> {};

TEST_P(KillNine, LosesDoublesAndReordersNothing) {
  const auto seed = test_seed(20261201);
  std::mt19937_64 random(seed);
  system_.start_all();
  system_.await_all_ready();
  shop::Load load(system_, opening_, seed);
  auto placed = std::async(std::launch::async, [&] { load.place(sagas); });
  for (int i = 0; i < kills; ++i) {
    std::this_thread::sleep_for(
        std::chrono::milliseconds(200 + random() % 1'200));  // the moment of death is the test's input
    kill_and_restart(GetParam());
  }
  placed.get();
  expect_sound(load, std::chrono::seconds(120));
}

INSTANTIATE_TEST_SUITE_P(EachPart, KillNine,
                         ::testing::Values("order", "payment", "inventory", "shipping", "nats", "postgres"),
                         [](const auto& parameter) { return std::string(parameter.param); });

class KillNineTailing : public Killing {
 protected:
  KillNineTailing() : Killing({.log_tailing = true}) {}
};

TEST_F(KillNineTailing, LosesDoublesAndReordersNothing) {
  const auto seed = test_seed(20261202);
  std::mt19937_64 random(seed);
  system_.start_all();
  system_.await_all_ready();
  shop::Load load(system_, opening_, seed);
  auto placed = std::async(std::launch::async, [&] { load.place(sagas); });
  for (const auto* victim : {"payment", "postgres", "nats", "order"}) {
    std::this_thread::sleep_for(
        std::chrono::milliseconds(200 + random() % 1'200));  // the moment of death is the test's input
    kill_and_restart(victim);
  }
  placed.get();
  expect_sound(load, std::chrono::seconds(120));
  for (const auto& service : system_.services())
    EXPECT_TRUE(
        embedded::await([&] { return shop::tails_the_log(system_, service.participant); }, std::chrono::seconds(30)))
        << service.participant << " polls";
}

class GracefulStop : public ShopFixture {};

TEST_F(GracefulStop, DrainsAndLosesNothing) {
  const auto seed = test_seed(7);
  system_.start_all();
  system_.await_all_ready();
  shop::Load load(system_, opening_, seed);
  load.place(100);
  for (const auto& [name, code] : system_.stop_services()) EXPECT_EQ(code, 0) << name;
  for (const auto& service : system_.services())
    EXPECT_EQ(shop::outbox_size(system_, service.participant), 0)
        << service.participant << " stopped with committed events unpublished";
  system_.start_all();
  system_.await_all_ready();
  load.place(100);
  expect_sound(load, std::chrono::seconds(60));
}

}  // namespace
}  // namespace quadrille
