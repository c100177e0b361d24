#pragma once

#include "dev/system.hpp"
#include "shop/audit.hpp"
#include "shop/load.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>

namespace quadrille {

/// The number all randomness of a test comes from: QUADRILLE_SEED, or a fixed one; printed, so that a failure can be
/// had again.
inline std::uint64_t test_seed(std::uint64_t usual) {
  const char* given = std::getenv("QUADRILLE_SEED");
  const auto seed = given == nullptr ? usual : std::strtoull(given, nullptr, 10);
  std::cout << "seed " << seed << " (QUADRILLE_SEED=" << seed << " has it again)" << std::endl;
  return seed;
}

/// A shop of its own for each test: real servers on free ports in a temporary folder.
class ShopFixture : public ::testing::Test {
 protected:
  /// How this shop differs from the usual one.
  struct Variant {
    bool log_tailing = false;
    std::size_t nats_servers = 1;
  };

  ShopFixture() : ShopFixture(Variant{}) {}
  explicit ShopFixture(Variant variant)
      : system_(dev::System::Options{.folder = folder_.path(),
                                     .services = services(),
                                     .log_tailing = variant.log_tailing,
                                     .nats_servers = variant.nats_servers}) {}

  static std::vector<dev::ServiceSpec> services() {
    auto specs = dev::shop_services(std::filesystem::canonical("/proc/self/exe").parent_path());
    for (auto& spec : specs) spec.environment["QUADRILLE_LOG_LEVEL"] = "warn";
    for (auto& spec : specs)
      if (spec.participant == "order") spec.environment["QUADRILLE_TIMEOUT"] = "GiveUp=3s";
    return specs;
  }

  void SetUp() override { shop::open_shop(system_, opening_); }

  /// Every saga ends and nothing is violated. Prints the end of the logs where that fails.
  void expect_sound(const shop::Load& load, std::chrono::seconds patience) {
    EXPECT_TRUE(shop::await_quiet(system_, load.orders().size(), patience))
        << "sagas still run, or something is left over";
    for (const auto& violation : shop::audit(system_, opening_, load.orders())) ADD_FAILURE() << violation;
    const auto ends = shop::ends(system_);
    std::cout << ends.completed << " completed, " << ends.cancelled() << " cancelled, " << ends.running << " running"
              << std::endl;
    EXPECT_GT(ends.completed, 0U);
    EXPECT_GT(ends.cancelled(), 0U);
    if (HasFailure() && std::getenv("QUADRILLE_KEEP") != nullptr)
      std::filesystem::copy(folder_.path(), std::getenv("QUADRILLE_KEEP"), std::filesystem::copy_options::recursive);
  }

  embedded::TemporaryFolder folder_;
  dev::System system_;
  shop::Opening opening_ = shop::usual_opening();
};

}  // namespace quadrille
