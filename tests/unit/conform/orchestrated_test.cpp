// What the conducted shop records is what its contracts declare.
#include "checker/load.hpp"
#include "conform/conformance.hpp"
#include "support/conducted_shop.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace quadrille::conform {
namespace {

using ::testing::IsEmpty;

class Conducted : public ::testing::Test, protected support::ConductedShop {
 protected:
  /// What was found, but for edges never seen and contracts that are not those of a fingerprint.
  [[nodiscard]] std::vector<std::string> found() {
    const checker::Contracts contracts({std::filesystem::path(QUADRILLE_SOURCE_DIR) / "contracts" / "orchestrated"},
                                       {});
    const checker::Graph graph(contracts.reading().model);
    const auto sagas = checker::sagas(graph);
    Conformance conformance(graph, sagas, {});
    for (const auto& event : world.recorded()) conformance.take(event);
    std::vector<std::string> all;
    for (const auto& finding : conformance.finish(world.clock().now()).findings)
      if (finding.code != "QDR203" && finding.code != "QDR210") all.push_back(finding.code + " " + finding.message);
    return all;
  }
};

TEST_F(Conducted, GoesTheDeclaredWay) {
  put("shelf", "item/clock", 1);
  static_cast<void>(begin());
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(Conducted, IsUndoneTheDeclaredWay) {
  static_cast<void>(begin());
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(Conducted, IsUndoneByTheClockTheDeclaredWay) {
  put("shelf", "item/clock", 1);
  leave("shelf");
  static_cast<void>(begin());
  world.advance(std::chrono::minutes(20));
  come_back("shelf");
  world.advance(std::chrono::hours(1));
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(Conducted, RepeatsCommandsTheDeclaredWay) {
  put("shelf", "item/clock", 1);
  leave("parcels");
  static_cast<void>(begin());
  world.advance(std::chrono::minutes(20));
  come_back("parcels");
  world.advance(std::chrono::hours(1));
  EXPECT_THAT(found(), IsEmpty());
}

}  // namespace
}  // namespace quadrille::conform
