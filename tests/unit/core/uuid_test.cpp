#include "core/uuid.hpp"

#include <gtest/gtest.h>

#include <regex>

namespace quadrille {
namespace {

TEST(Uuid, IsAVersionFourInLowerCase) {
  const std::regex version_four("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
  EXPECT_TRUE(std::regex_match(new_uuid(), version_four));
  EXPECT_NE(new_uuid(), new_uuid());
}

TEST(Uuid, CarriesItsTimeWhenItIsMadeToDoSo) {
  const TimePoint now(std::chrono::milliseconds(1'796'000'000'123));
  const auto id = new_time_uuid(now + std::chrono::microseconds(456));
  EXPECT_EQ(id.size(), 36U);
  EXPECT_EQ(id[14], '7');
  EXPECT_EQ(time_of_uuid(id), now);
  EXPECT_NE(new_time_uuid(now), new_time_uuid(now));
  EXPECT_LT(new_time_uuid(now), new_time_uuid(now + std::chrono::seconds(1)));
  EXPECT_EQ(time_of_uuid(new_uuid()), std::nullopt);
  EXPECT_EQ(time_of_uuid("saga-1"), std::nullopt);
}

}  // namespace
}  // namespace quadrille
