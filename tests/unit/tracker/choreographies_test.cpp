// Several versions of contracts at once: each saga is told by those it ran under.
#include "shop_sagas.hpp"

#include <gmock/gmock.h>
#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/util/time_util.h>
#include <gtest/gtest.h>

#include <set>

namespace quadrille::tracker {
namespace {

using google::protobuf::FileDescriptor;
using google::protobuf::FileDescriptorSet;

void add(const FileDescriptor& file, FileDescriptorSet& set, std::set<std::string>& added) {
  if (!added.insert(file.name()).second) return;
  for (int i = 0; i < file.dependency_count(); ++i) add(*file.dependency(i), set, added);
  file.CopyTo(set.add_file());
}

v1::Registration registration(const std::string& participant, const std::string& fingerprint, int second) {
  v1::Registration made;
  made.set_participant(participant);
  made.set_fingerprint(fingerprint);
  *made.mutable_renewed_at() = google::protobuf::util::TimeUtil::SecondsToTimestamp(second);
  std::set<std::string> added;
  const auto name = "shop/" + participant + "/v1/" + participant + ".proto";
  add(*support::shop_contracts().pool().FindFileByName(name), *made.mutable_contract(), added);
  return made;
}

/// Shipping in a version in which its step has another name.
v1::Registration newer_shipping(int second) {
  auto made = registration("shipping", "new", second);
  for (auto& file : *made.mutable_contract()->mutable_file())
    for (auto& service : *file.mutable_service())
      for (auto& method : *service.mutable_method())
        if (method.name() == "Book") method.set_name("Ship");
  return made;
}

class ChoreographiesTest : public ::testing::Test {
 protected:
  ChoreographiesTest() {
    for (const auto* participant : {"order", "payment", "inventory"})
      EXPECT_TRUE(choreographies_.learn(registration(participant, "f", 1)));
    EXPECT_TRUE(choreographies_.learn(registration("shipping", "old", 1)));
    int cause = saga_.say("order", "OrderPlaced", -1);
    cause = saga_.say("payment", "PaymentAuthorized", cause);
    cause = saga_.say("inventory", "StockReserved", cause);
    saga_.say("payment", "PaymentCaptured", cause);
  }
  std::vector<std::string> waits() {
    const auto trail = ShopSagas::trail_of(saga_.events);
    const auto choreography = choreographies_.of(spoken_contracts(trail));
    return waited(judge(trail, choreography.get(), saga_.events.back().recorded_at).front());
  }
  ShopSagas saga_;
  Choreographies choreographies_;
};

TEST_F(ChoreographiesTest, WhoHasNotSpokenCountsAsItRunsNow) {
  EXPECT_THAT(waits(), ::testing::ElementsAre("shipping.Book"));
  EXPECT_TRUE(choreographies_.learn(newer_shipping(2)));
  EXPECT_THAT(waits(), ::testing::ElementsAre("shipping.Ship"));
  EXPECT_TRUE(choreographies_.learn(registration("shipping", "old", 3))) << "rolled back";
  EXPECT_THAT(waits(), ::testing::ElementsAre("shipping.Book"));
}

TEST_F(ChoreographiesTest, WhoHasSpokenCountsAsItSpoke) {
  EXPECT_TRUE(choreographies_.learn(newer_shipping(2)));
  saga_.events.back().contract = "f";
  const int captured = static_cast<int>(saga_.events.size()) - 1;
  saga_.say("shipping", "ShipmentBooked", captured);
  saga_.events.back().contract = "old";
  EXPECT_EQ(choreographies_.of(spoken_contracts(ShopSagas::trail_of(saga_.events)))->fingerprints.at("shipping"),
            "old");
  EXPECT_EQ(choreographies_.newest()->fingerprints.at("shipping"), "new");
  EXPECT_THAT(waits(), ::testing::ElementsAre("inventory.Dispatch"));
}

TEST_F(ChoreographiesTest, ARenewalChangesNothing) {
  EXPECT_FALSE(choreographies_.learn(registration("shipping", "old", 5)));
  EXPECT_FALSE(choreographies_.learn(registration("payment", "f", 5)));
}

TEST_F(ChoreographiesTest, WithoutAnyContractThereIsNone) { EXPECT_EQ(Choreographies().newest(), nullptr); }

}  // namespace
}  // namespace quadrille::tracker
