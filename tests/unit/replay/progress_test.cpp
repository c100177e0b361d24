#include "terminal/progress.hpp"

#include <gtest/gtest.h>

namespace quadrille::terminal {
namespace {

TEST(Progress, TellsHowManyHowFastAndHowLongStill) {
  using std::chrono::seconds;
  EXPECT_EQ(progress_text("events", 500, 2'000, seconds(5)),
            "[######..................] 500 of 2000 events, 25%, 100/s, 15 s left");
  EXPECT_EQ(progress_text("events", 500, 0, seconds(5)), "500 events, 100/s") << "no end is known";
  EXPECT_EQ(progress_text("events", 0, 2'000, seconds(0)), "[........................] 0 of 2000 events, 0%, 0/s");
  EXPECT_EQ(progress_text("events", 1'500, 2'000, seconds(5), 1'000),
            "[##################......] 1500 of 2000 events, 75%, 100/s, 5 s left")
      << "what was done before it began says nothing about the rate";
}

}  // namespace
}  // namespace quadrille::terminal
