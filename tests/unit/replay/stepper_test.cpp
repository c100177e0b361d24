#include "replay/stepper.hpp"

#include "replay/mermaid.hpp"
#include "shop/order/v1/order_events.pb.h"

#include <gtest/gtest.h>

#include <sstream>

namespace quadrille::replay {
namespace {

std::vector<Event> small_saga() {
  ::shop::order::v1::OrderPlaced placed;
  placed.set_order_id("1");
  placed.set_item("clock");
  ::shop::order::v1::OrderRejected rejected;
  rejected.set_order_id("1");
  rejected.set_reason("out of <stock>");
  std::vector<Event> events(2);
  events[0].id = "a";
  events[0].type = placed.GetTypeName();
  events[0].source = "order";
  events[0].stream = {"order", "1"};
  events[0].version = 1;
  events[0].payload = placed.SerializeAsString();
  events[1] = events[0];
  events[1].id = "b";
  events[1].causation_id = "a";
  events[1].type = rejected.GetTypeName();
  events[1].version = 2;
  events[1].payload = rejected.SerializeAsString();
  return events;
}

std::string say(const std::string& commands, bool understood = true) {
  contract::Model model;
  Stepper stepper(small_saga(), *google::protobuf::DescriptorPool::generated_pool(), model);
  std::istringstream input(commands);
  std::ostringstream output;
  EXPECT_EQ(stepper.run(input, output, false), understood);
  return output.str();
}

TEST(Stepper, GoesForwardAndBackAndTellsWhatChanged) {
  const auto said = say("next\nnext\nback\n");
  EXPECT_EQ(said.find("1/2"), 0U);
  EXPECT_NE(said.find("2/2"), std::string::npos);
  EXPECT_NE(said.find("~ stage: \"OrderPlaced\" -> \"OrderRejected\""), std::string::npos) << said;
  EXPECT_NE(said.find("that was the last event"), std::string::npos);
  EXPECT_NE(said.rfind("1/2"), 0U);
}

TEST(Stepper, StopsAtAnEventTypeAndAtAFieldsValue) {
  for (const auto* breakpoint : {"OrderRejected", "reason=out of <stock>"})
    EXPECT_NE(say(std::string("break ") + breakpoint + "\ncontinue\n").find("2/2"), std::string::npos);
  EXPECT_NE(say("break reason=other\ncontinue\n").find("no breakpoint"), std::string::npos);
}

TEST(Stepper, RefusesABreakpointThatNothingCanMeet) {
  EXPECT_NE(say("break OrderRejekted\ncontinue\n", false).find("is called 'OrderRejekted'"), std::string::npos);
  EXPECT_NE(say("break raison=x\ncontinue\n", false).find("has a field 'raison'"), std::string::npos);
}

TEST(Stepper, TellsStateBeforeAndAfterAndWhy) {
  const auto said = say("next\nstate\nwhy\nevent\n");
  EXPECT_NE(said.find("before {\"stage\":\"OrderPlaced\""), std::string::npos) << said;
  EXPECT_NE(said.find("because of OrderPlaced order-1@1"), std::string::npos) << said;
  EXPECT_NE(said.find("\"causation\": \"a\""), std::string::npos) << said;
}

TEST(Stepper, AnswersAWordItDoesNotKnowWithItsCommands) {
  EXPECT_NE(say("jump\n", false).find("'jump' is no command"), std::string::npos);
}

TEST(Pictures, DrawAnArrowACauseAndEscapeWhatIsNotMarkup) {
  const auto entries = timeline(small_saga());
  EXPECT_NE(as_mermaid(entries).find("p0->>p0: OrderRejected@2"), std::string::npos) << as_mermaid(entries);
  EXPECT_NE(as_html("a<b", entries, {}).find("<h1>a&lt;b</h1>"), std::string::npos);
}

}  // namespace
}  // namespace quadrille::replay
