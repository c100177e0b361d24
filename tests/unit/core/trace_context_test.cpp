#include "core/trace_context.hpp"

#include <gtest/gtest.h>

#include <regex>
#include <set>

namespace quadrille {
namespace {

const std::string trace = "0af7651916cd43dd8448eb211c80319c";
const std::string span = "b7ad6b7169203331";

TEST(TraceContext, GoesOnWithTheTraceUnderANewParentId) {
  std::set<std::string> spans{span};
  auto last = "00-" + trace + "-" + span + "-01";
  for (int step = 0; step < 5; ++step) {
    last = next_traceparent(last);
    EXPECT_EQ(trace_id(last), trace);
    EXPECT_TRUE(spans.insert(last.substr(36, 16)).second) << last;
    EXPECT_TRUE(last.ends_with("-01"));
  }
}

TEST(TraceContext, IsSampledOrNotAsItsParentAndPassesOnNoFlagItDoesNotKnow) {
  EXPECT_TRUE(next_traceparent("00-" + trace + "-" + span + "-00").ends_with("-00"));
  EXPECT_TRUE(next_traceparent("00-" + trace + "-" + span + "-ff").ends_with("-01"));
  EXPECT_TRUE(next_traceparent("00-" + trace + "-" + span + "-fe").ends_with("-00"));
}

TEST(TraceContext, TakesALaterVersionForWhatItKnowsOfItAndSpeaksItsOwn) {
  for (const auto& later : {"cc-" + trace + "-" + span + "-01", "cc-" + trace + "-" + span + "-01-what-comes-later"}) {
    EXPECT_EQ(trace_id(later), trace) << later;
    EXPECT_TRUE(next_traceparent(later).starts_with("00-" + trace)) << later;
  }
}

TEST(TraceContext, BeginsASampledTraceWhereThereIsNoneOrItIsMalformed) {
  const std::regex well_formed("00-[0-9a-f]{32}-[0-9a-f]{16}-01");
  const auto zeros = std::string(32, '0');
  for (const auto& bad :
       {std::string{}, "00-" + zeros + "-" + span + "-01", "00-" + trace + "-" + std::string(16, '0') + "-01",
        "00-XYZ7651916cd43dd8448eb211c80319c-" + span + "-01", "00-0AF7651916CD43DD8448EB211C80319C-" + span + "-01",
        "ff-" + trace + "-" + span + "-01", "00-" + trace + "-" + span + "-0x", "00-" + trace + "-" + span + "-01-more",
        "cc-" + trace + "-" + span + "-01more", "00-" + trace + "-" + span, "00_" + trace + "_" + span + "_01"}) {
    EXPECT_EQ(trace_id(bad), "") << bad;
    const auto next = next_traceparent(bad);
    EXPECT_TRUE(std::regex_match(next, well_formed)) << next;
    EXPECT_NE(trace_id(next), trace) << bad;
  }
}

}  // namespace
}  // namespace quadrille
