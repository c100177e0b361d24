#include "checker/load.hpp"
#include "contract/model.hpp"
#include "embedded/child_process.hpp"
#include "shop/payment/v1/payment.pb.h"

#include <gtest/gtest.h>

#include <fstream>

namespace quadrille::contract {
namespace {

constexpr const char* head = R"(syntax = "proto3";
package test;
import "quadrille/v1/options.proto";
option (quadrille.v1.stream) = { context: "test" };
option (quadrille.v1.participant) = { name: "test", owner: "team" };
message Go { string id = 1 [(quadrille.v1.field).key = true]; }
message Done { option (quadrille.v1.event) = {}; string id = 1 [(quadrille.v1.field).key = true]; }
)";

/// The one fault of a contract; says so where there are none or several.
std::string fault_of(const std::string& rest) {
  const embedded::TemporaryFolder folder;
  std::ofstream(folder.path() / "test.proto") << head << rest;
  const checker::Contracts contracts({folder.path()}, {});
  const auto& faults = contracts.reading().faults;
  if (faults.empty()) return "no fault";
  EXPECT_FALSE(faults[0].repair.empty());
  EXPECT_GT(faults[0].location.line, 7);
  return faults.size() == 1 ? faults[0].what
                            : std::to_string(faults.size()) + " faults: " + faults[0].what + "; " + faults[1].what;
}

std::string service(const std::string& steps) { return "service Steps {\n" + steps + "\n}\n"; }

TEST(Read, AcceptsACommandAnEventAndATimer) {
  EXPECT_EQ(fault_of(service(R"(
    rpc Begin(Go) returns (Done) { option (quadrille.v1.step) = { kind: QUERY }; }
    rpc Hear(Done) returns (Done) { option (quadrille.v1.step) = { kind: QUERY }; }
    rpc Tick(quadrille.v1.Timer) returns (Done) { option (quadrille.v1.step) = { kind: QUERY, timeout: { armed_by: "Begin", after: { seconds: 1 } } }; })")),
            "no fault");
}

TEST(Read, LeavesOutWhatTheFrameworkSaysUntilAStepHearsIt) {
  const std::filesystem::path root = std::filesystem::path(QUADRILLE_SOURCE_DIR) / "contracts";
  const checker::Contracts all({root}, {});
  EXPECT_TRUE(all.reading().faults.empty());
  EXPECT_EQ(all.reading().model.find_event("quadrille.v1.StepStuck"), nullptr);
  const embedded::TemporaryFolder folder;
  std::ofstream(folder.path() / "test.proto")
      << R"(syntax = "proto3"; package test; import "quadrille/v1/options.proto"; import "quadrille/v1/supervision_events.proto";
option (quadrille.v1.stream) = { context: "pager" };
option (quadrille.v1.participant) = { name: "pager", owner: "team" };
message Paged { option (quadrille.v1.event) = { audience: PUBLIC }; string id = 1 [(quadrille.v1.field).key = true]; }
service Steps { rpc Page(quadrille.v1.StepStuck) returns (Paged) { option (quadrille.v1.step) = { kind: OBSERVER }; } })";
  const checker::Contracts pager({folder.path()}, {});
  ASSERT_TRUE(pager.reading().faults.empty()) << pager.reading().faults[0].what;
  EXPECT_EQ(pager.reading().model.participants.at(0).hears, std::vector<std::string>{"supervision"});
}

TEST(Read, KeepsTheNameTheFrameworkSpeaksUnder) {
  const embedded::TemporaryFolder folder;
  std::ofstream(folder.path() / "test.proto")
      << R"(syntax = "proto3"; package test; import "quadrille/v1/options.proto";
option (quadrille.v1.stream) = { context: "test" };
option (quadrille.v1.participant) = { name: "supervision", owner: "team" };
message Done { option (quadrille.v1.event) = {}; string id = 1 [(quadrille.v1.field).key = true]; }
service Steps { rpc Hear(Done) returns (Done) { option (quadrille.v1.step) = { kind: QUERY }; } })";
  const checker::Contracts contracts({folder.path()}, {});
  ASSERT_EQ(contracts.reading().faults.size(), 1U);
  EXPECT_NE(contracts.reading().faults[0].what.find("'supervision'"), std::string::npos);
}

TEST(Read, SaysWhatCannotBeSaidInAModel) {
  EXPECT_EQ(fault_of(service("rpc Begin(Go) returns (Done) {}")), "step Begin does not say what kind it is");
  EXPECT_EQ(fault_of(service(
                "rpc Tick(quadrille.v1.Timer) returns (Done) { option (quadrille.v1.step) = { kind: QUERY }; }")),
            "step Tick is started by the clock but does not say when");
  EXPECT_EQ(fault_of("message Plain { string id = 1; }\n" +
                     service("rpc Begin(Plain) returns (Done) { option (quadrille.v1.step) = { kind: QUERY }; }")),
            "step Begin takes the command Plain, which has no key field");
  EXPECT_EQ(fault_of("message Empty {}\n" +
                     service("rpc Begin(Go) returns (Empty) { option (quadrille.v1.step) = { kind: QUERY }; }")),
            "outcome Empty of step Begin has no fields");
  EXPECT_EQ(fault_of("message Odd { string text = 1; }\n" +
                     service("rpc Begin(Go) returns (Odd) { option (quadrille.v1.step) = { kind: QUERY }; }")),
            "field text of the outcome of step Begin is not an event");
  EXPECT_EQ(fault_of("message Join { option (quadrille.v1.trigger) = {}; Done done = 1; }\n" +
                     service("rpc Begin(Join) returns (Done) { option (quadrille.v1.step) = { kind: QUERY }; }")),
            "trigger Join does not say how its events are joined");
}

TEST(Read, ResolvesEveryNameInAnOption) {
  for (const auto* option : {"compensated_by: \"Nobody\"", "settles: \"Nobody\""})
    EXPECT_NE(
        fault_of(service(std::string("rpc Begin(Go) returns (Done) { option (quadrille.v1.step) = { kind: QUERY, ") +
                         option + " }; }"))
            .find("names 'Nobody', which is not a step of test.Steps"),
        std::string::npos);
  EXPECT_EQ(fault_of(service("rpc Begin(Go) returns (Done) { option (quadrille.v1.step) = { kind: QUERY, bound: { "
                             "loop: \"l\", max: 1, exit: \"nowhere\" } }; }")),
            "step Begin: bound.exit names 'nowhere', which is not a field of its outcome");
}

TEST(Read, WantsABoundToSayHowOftenAndWhereItLeaves) {
  for (const auto* bound : {"loop: \"l\", max: 1", "loop: \"l\", exit: \"done\""})
    EXPECT_NE(
        fault_of(service(std::string(
                             "rpc Begin(Go) returns (Done) { option (quadrille.v1.step) = { kind: QUERY, bound: { ") +
                         bound + " } }; }"))
            .find("bounds loop l without max or exit"),
        std::string::npos);
}

TEST(Read, DoesNotPassOverStepsOfNobody) {
  const embedded::TemporaryFolder folder;
  std::ofstream(folder.path() / "test.proto")
      << R"(syntax = "proto3"; package test; import "quadrille/v1/options.proto";
option (quadrille.v1.stream) = { context: "test" };
message Done { option (quadrille.v1.event) = {}; string id = 1 [(quadrille.v1.field).key = true]; }
service Steps { rpc Hear(Done) returns (Done) { option (quadrille.v1.step) = { kind: QUERY }; } })";
  const checker::Contracts contracts({folder.path()}, {});
  ASSERT_EQ(contracts.reading().faults.size(), 1U);
  EXPECT_EQ(contracts.reading().faults[0].what, "service Steps has steps but its file names no participant");
}

TEST(Read, KnowsALinkedParticipantWithWhatItHearsAndSays) {
  const auto reading =
      read_participant(*::shop::payment::v1::AuthorizeOutcome::descriptor()->file()->FindServiceByName("PaymentSteps"));
  ASSERT_TRUE(reading.faults.empty());
  const auto& payment = reading.model.participants.at(0);
  EXPECT_EQ(payment.name, "payment");
  EXPECT_EQ(payment.aggregate, "payment");
  EXPECT_EQ(payment.hears, (std::vector<std::string>{"inventory", "order"}));
  const auto* authorize = payment.find_step("Authorize");
  ASSERT_NE(authorize, nullptr);
  EXPECT_EQ(authorize->kind, v1::COMPENSATABLE);
  EXPECT_EQ(authorize->triggers, std::vector<std::string>{"shop.order.v1.OrderPlaced"});
  EXPECT_EQ(authorize->emits(),
            (std::vector<std::string>{"shop.payment.v1.PaymentAuthorized", "shop.payment.v1.PaymentDeclined"}));
  EXPECT_TRUE(authorize->outcomes.at(0).exclusive);
  EXPECT_EQ(reading.model.find_event("shop.inventory.v1.StockRefused")->aggregate, "reservation");
}

}  // namespace
}  // namespace quadrille::contract
