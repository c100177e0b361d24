#include "replay/timeline.hpp"

#include "replay/stream_history.hpp"
#include "shop/order/v1/order_events.pb.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

namespace quadrille::replay {
namespace {

Event event(const std::string& id, const std::string& cause, const StreamName& stream, std::uint64_t version,
            int at_ms) {
  Event result;
  result.id = id;
  result.type = "shop.order.v1.OrderPlaced";
  result.source = stream.category;
  result.stream = stream;
  result.version = version;
  result.saga_id = "saga";
  result.causation_id = cause;
  result.recorded_at = TimePoint(std::chrono::milliseconds(at_ms));
  return result;
}

std::vector<std::string> ids(const std::vector<Entry>& entries) {
  std::vector<std::string> result;
  for (const auto& entry : entries) result.push_back(entry.event.id);
  return result;
}

TEST(Timeline, TellsCausesBeforeEffectsEvenWhenClocksDisagree) {
  const std::vector<Event> events{event("c", "b", {"order", "1"}, 2, 90), event("b", "a", {"payment", "1"}, 1, 50),
                                  event("a", "", {"order", "1"}, 1, 100)};
  const auto entries = timeline(events);
  EXPECT_EQ(ids(entries), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(entries[0].cause, "-");
  EXPECT_EQ(entries[1].cause, "OrderPlaced order@1");
  EXPECT_EQ(entries[2].cause, "OrderPlaced payment@1");
}

TEST(Timeline, ShowsAnEventWhoseCauseIsNotThereAndACircleOfCauses) {
  EXPECT_EQ(timeline({event("b", "gone", {"order", "1"}, 2, 1)})[0].cause, "gone");
  EXPECT_EQ(timeline({event("a", "b", {"order", "1"}, 1, 1), event("b", "a", {"order", "1"}, 2, 2)}).size(), 2U);
}

TEST(Timeline, CountsTimeFromTheStartAndFromTheEventBefore) {
  const auto entries = timeline({event("a", "", {"order", "1"}, 1, 100), event("b", "a", {"order", "1"}, 2, 130),
                                 event("c", "b", {"order", "1"}, 3, 135)});
  EXPECT_EQ(entries[2].since_start, std::chrono::milliseconds(35));
  EXPECT_EQ(entries[2].since_before, std::chrono::milliseconds(5));
}

TEST(History, TellsTheStateAfterEachVersionAndWhatChanged) {
  ::shop::order::v1::OrderPlaced placed;
  placed.set_order_id("1");
  placed.set_item("clock");
  ::shop::order::v1::OrderRejected rejected;
  rejected.set_order_id("1");
  rejected.set_reason("out of stock");
  auto first = event("a", "", {"order", "1"}, 1, 1);
  first.payload = placed.SerializeAsString();
  auto second = event("b", "a", {"order", "1"}, 2, 2);
  second.type = "shop.order.v1.OrderRejected";
  second.payload = rejected.SerializeAsString();
  const auto versions = history({second, first, second}, *google::protobuf::DescriptorPool::generated_pool());
  ASSERT_EQ(versions.size(), 2U) << "a version that came twice is told once";
  EXPECT_EQ(versions[0].state["item"], "clock");
  EXPECT_EQ(versions[1].state["item"], "clock");
  EXPECT_EQ(versions[1].changed["stage"], (nlohmann::ordered_json{{"from", "OrderPlaced"}, {"to", "OrderRejected"}}));
  EXPECT_EQ(versions[1].changed["reason"]["to"], "out of stock");
  EXPECT_FALSE(versions[1].changed.contains("order_id"));
}

TEST(History, ShowsBytesItCannotDecode) {
  auto odd = event("a", "", {"order", "1"}, 1, 1);
  odd.type = "unknown.Type";
  odd.payload = "\xff";
  const auto versions = history({odd}, *google::protobuf::DescriptorPool::generated_pool());
  EXPECT_EQ(versions[0].state["undecoded"], "no contract given declares unknown.Type");
  EXPECT_EQ(versions[0].state["bytes"], "/w==");
}

}  // namespace
}  // namespace quadrille::replay
