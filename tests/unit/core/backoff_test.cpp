#include "core/backoff.hpp"

#include <gtest/gtest.h>

namespace quadrille {
namespace {

using std::chrono::milliseconds;

TEST(Backoff, DoublesUpToItsCeiling) {
  const Backoff backoff{.first = milliseconds(200), .ceiling = milliseconds(1000)};
  EXPECT_EQ(backoff.delay(1, 1.0), milliseconds(200));
  EXPECT_EQ(backoff.delay(2, 1.0), milliseconds(400));
  EXPECT_EQ(backoff.delay(3, 1.0), milliseconds(800));
  EXPECT_EQ(backoff.delay(4, 1.0), milliseconds(1000));
  EXPECT_EQ(backoff.delay(4'000'000'000, 1.0), milliseconds(1000));
}

TEST(Backoff, JitterTakesOffAtMostHalf) {
  const Backoff backoff{.first = milliseconds(200), .ceiling = milliseconds(1000)};
  EXPECT_EQ(backoff.delay(1, 0.0), milliseconds(100));
  for (int i = 0; i < 100; ++i) {
    EXPECT_GE(backoff.delay(2), milliseconds(200));
    EXPECT_LE(backoff.delay(2), milliseconds(400));
  }
}

TEST(Backoff, NeverWaitsLongerThanAnHourByDefault) { EXPECT_EQ(Backoff{}.delay(100, 1.0), std::chrono::hours(1)); }

}  // namespace
}  // namespace quadrille
