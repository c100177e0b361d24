#include "core/subject.hpp"

#include <gtest/gtest.h>

namespace quadrille {
namespace {

TEST(Subject, LaneIsTheOneTheServersPartitionFunctionGives) {
  // FNV-1a 32 of "abc" is 0x1A47E90B; nats-server maps it to 3 of 8 and so to 11 of 16.
  EXPECT_EQ(lane_of("abc"), 11U);
  EXPECT_EQ(lane_of("abc") % 8, 3U);
}

TEST(Subject, DurableNamesStayWhatTheyAre) {
  EXPECT_EQ(event_subject("abc", "inventory", "reservation", "StockReserved"),
            "evt.11.inventory.reservation.StockReserved");
  EXPECT_EQ(lane_filter(3, "order"), "evt.3.order.>");
  EXPECT_EQ(consumer_name("payment", "order", 3), "payment-order-3");
}

TEST(Subject, TellsThroughWhichConsumerItComes) {
  for (const auto* key : {"abc", "", "7"})
    EXPECT_EQ(consumer_of("payment", event_subject(key, "order", "order", "OrderPlaced")),
              consumer_name("payment", "order", lane_of(key)));
}

}  // namespace
}  // namespace quadrille
