#include "core/time_text.hpp"

#include <gtest/gtest.h>

namespace quadrille {
namespace {

TEST(TimeText, WritesMicrosecondsAndReadsThemBack) {
  const TimePoint time{std::chrono::microseconds(1'796'122'091'000'123)};
  EXPECT_EQ(to_rfc3339(time), "2026-12-01T10:48:11.000123Z");
  EXPECT_EQ(from_rfc3339("2026-12-01T10:48:11.000123Z"), time);
}

TEST(TimeText, ReadsFewerFractionDigits) {
  EXPECT_EQ(from_rfc3339("1970-01-01T00:00:01Z"), TimePoint(std::chrono::seconds(1)));
  EXPECT_EQ(from_rfc3339("1969-12-31T23:59:59Z"), TimePoint(std::chrono::seconds(-1)));
  EXPECT_EQ(from_rfc3339("2024-02-29T00:00:00Z"), TimePoint(std::chrono::hours(24 * 19'782)));
  EXPECT_EQ(from_rfc3339("1970-01-01T00:00:01.5Z"), TimePoint(std::chrono::milliseconds(1500)));
}

TEST(TimeText, RefusesWhatIsNotUtcOrNotATime) {
  EXPECT_FALSE(from_rfc3339(""));
  EXPECT_FALSE(from_rfc3339("2026-12-01"));
  EXPECT_FALSE(from_rfc3339("2026-12-01T10:48:11+01:00"));
  EXPECT_FALSE(from_rfc3339("2026-12-01T10:48:11.1234567Z"));
  EXPECT_FALSE(from_rfc3339("2026-12-01T10:48:11"));
  EXPECT_FALSE(from_rfc3339("2026-12-01T10:48:11Zulu"));
  EXPECT_FALSE(from_rfc3339("2026-02-30T10:48:11Z"));
  EXPECT_FALSE(from_rfc3339("2026-12-01T24:00:00Z"));
  EXPECT_FALSE(from_rfc3339("2026-12-01T-1:00:00Z"));
}

TEST(TimeText, RefusesDurationsNobodyCanAddToATime) {
  EXPECT_EQ(duration_from("876000h"), std::chrono::hours(876'000));
  for (const auto* text : {"876001h", "9999999999h", "999999999999m", "-1s", "1 s", "h", "1d", ""})
    EXPECT_FALSE(duration_from(text)) << text;
}

TEST(TimeText, SaysDurationsInTheLargestUnitThatFits) {
  using std::chrono::milliseconds;
  EXPECT_EQ(duration_text(milliseconds(86'400'000)), "24 h");
  EXPECT_EQ(duration_text(milliseconds(900'000)), "15 min");
  EXPECT_EQ(duration_text(milliseconds(3'000)), "3 s");
  EXPECT_EQ(duration_text(milliseconds(300)), "300 ms");
}

}  // namespace
}  // namespace quadrille
