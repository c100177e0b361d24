// The shop, two instances of every participant, while one thing after the other goes wrong: nothing is lost, doubled or
// reordered, money and stock are conserved, every saga ends.
#include "chaos/fault.hpp"
#include "choreography/shop_fixture.hpp"

#include <algorithm>
#include <chrono>
#include <future>
#include <iomanip>

namespace quadrille::chaos {
namespace {

class Chaos : public ::testing::Test {
 protected:
  Chaos() {
    dev::System::Options options{.folder = folder_.path(), .services = services()};
    for (const auto* participant : participants) {
      auto& nats = links_.nats[participant] = std::make_unique<support::TcpLink>();
      auto& postgres = links_.postgres[participant] = std::make_unique<support::TcpLink>();
      options.nats_through[participant] = nats->port();
      options.postgres_through[participant] = postgres->port();
    }
    system_.emplace(options);
    for (const auto* participant : participants) {
      links_.nats.at(participant)->lead_to(system_->nats().port());
      links_.postgres.at(participant)->lead_to(system_->postgres().port());
    }
    shop::open_shop(*system_, opening_);
  }

  static std::vector<dev::ServiceSpec> services() {
    auto specs = dev::shop_services(std::filesystem::canonical("/proc/self/exe").parent_path());
    for (auto& spec : specs) spec.environment = {{"QUADRILLE_LOG_LEVEL", "warn"}, {"QUADRILLE_LEASE_TIME", "2s"}};
    specs.front().environment["QUADRILLE_TIMEOUT"] = "GiveUp=3s";  // of order
    return specs;
  }
  void start_all() {
    for (const auto* participant : participants)
      for (int instance = 0; instance < instances; ++instance) system_->start(participant, instance);
    for (const auto* participant : participants)
      for (int instance = 0; instance < instances; ++instance) system_->await_ready(participant, instance);
  }

  /// Every fault once, in an order of its own, while orders come in.
  void round(shop::Load& load, std::mt19937_64& random) {
    auto faults = all_faults;
    std::ranges::shuffle(faults, random);
    for (const auto fault : faults) {
      auto placed = std::async(std::launch::async, [&] { load.place(sagas_a_fault); });
      inflict(fault, *system_, links_, random);
      ++inflicted_[fault];
      placed.get();
    }
  }
  void expect_sound(const shop::Load& load) {
    constexpr std::chrono::seconds patience{90};
    EXPECT_TRUE(shop::await_quiet(*system_, load.orders().size(), patience)) << "something never ends";
    for (const auto& violation : shop::audit(*system_, opening_, load.orders())) ADD_FAILURE() << violation;
  }
  void tell(const shop::Load& load) const {
    const auto ends = shop::ends(*system_);
    std::cout << load.orders().size() << " sagas: " << ends.completed << " completed, " << ends.cancelled()
              << " cancelled\n";
    for (const auto& [fault, count] : inflicted_)
      std::cout << "  " << std::left << std::setw(18) << name_of(fault) << count << "\n";
    std::cout << std::flush;
  }

  static constexpr std::size_t sagas_a_fault = 12;
  embedded::TemporaryFolder folder_;
  Links links_;
  shop::Opening opening_ = shop::usual_opening();
  std::optional<dev::System> system_;
  std::map<Fault, std::size_t> inflicted_;
};

TEST_F(Chaos, LosesDoublesAndReordersNothing) {
  const auto seed = test_seed(20261203);
  std::mt19937_64 random(seed);
  const char* minutes = std::getenv("QUADRILLE_CHAOS_MINUTES");
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(minutes == nullptr ? 0 : std::atoi(minutes));
  start_all();
  shop::Load load(*system_, opening_, seed);
  do {
    round(load, random);
    expect_sound(load);
  } while (!HasFailure() && std::chrono::steady_clock::now() < end);
  tell(load);
  if (HasFailure() && std::getenv("QUADRILLE_KEEP") != nullptr)
    std::filesystem::copy(folder_.path(), std::getenv("QUADRILLE_KEEP"), std::filesystem::copy_options::recursive);
}

}  // namespace
}  // namespace quadrille::chaos
