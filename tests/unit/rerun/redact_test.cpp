#include "cases/redact.hpp"

#include "cases/descriptors.hpp"

#include <google/protobuf/dynamic_message.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace quadrille::cases {
namespace {

/// A contract with personal data, which the shop has none of.
class Redact : public ::testing::Test {
 protected:
  Redact() {
    folder_ = std::filesystem::path(::testing::TempDir()) / "quadrille_redact";
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "patient_events.proto") << R"(syntax = "proto3";
package clinic;
import "quadrille/v1/options.proto";
option (quadrille.v1.stream) = { context: "patient" };
message Contact { string mail = 1 [(quadrille.v1.field).pii = DIRECT]; string ward = 2; }
message Admitted {
  option (quadrille.v1.event) = {};
  string case_id = 1 [(quadrille.v1.field).key = true];
  string name = 2 [(quadrille.v1.field).pii = DIRECT];
  repeated Contact contact = 3;
  uint32 age = 4 [(quadrille.v1.field).pii = DIRECT];
}
)";
    contracts_ = std::make_unique<checker::Contracts>(std::vector<std::filesystem::path>{folder_},
                                                      std::vector<std::filesystem::path>{folder_});
  }

  [[nodiscard]] std::unique_ptr<google::protobuf::Message> message(const google::protobuf::DescriptorPool& pool,
                                                                   const std::string& payload) {
    std::unique_ptr<google::protobuf::Message> made(
        factory_.GetPrototype(pool.FindMessageTypeByName("clinic.Admitted"))->New());
    EXPECT_TRUE(made->ParseFromString(payload));
    return made;
  }

  std::filesystem::path folder_;
  std::unique_ptr<checker::Contracts> contracts_;
  google::protobuf::DynamicMessageFactory factory_;
};

TEST_F(Redact, ReplacesDirectPersonalDataByPseudonymsAndLeavesTheRest) {
  ASSERT_TRUE(contracts_->reading().faults.empty()) << contracts_->reading().faults.front().what;
  casefile::v1::Case one;
  auto& event = *one.add_event();
  event.set_type("clinic.Admitted");
  // case_id "c", name "Ada", contact { mail "Ada", ward "west" }, age 36
  event.set_payload(
      std::string("\x0a\x01"
                  "c\x12\x03"
                  "Ada\x1a\x0b\x0a\x03"
                  "Ada\x12\x04west\x20\x24"));
  describe(one, *contracts_);
  const auto pool = pool_of(one);
  redact(one, *pool);
  const auto text = message(*pool, one.event(0).payload())->ShortDebugString();
  EXPECT_EQ(text.find("Ada"), std::string::npos) << text;
  EXPECT_EQ(text.find("age"), std::string::npos) << text;
  EXPECT_NE(text.find("ward: \"west\""), std::string::npos) << text;
  EXPECT_NE(text.find("case_id: \"c\""), std::string::npos) << text;
  const auto name = text.find("redacted-");
  ASSERT_NE(name, std::string::npos);
  EXPECT_NE(text.find(text.substr(name, 21), name + 21), std::string::npos) << "the same value, the same pseudonym";
  EXPECT_EQ(one.header().personal_data(), casefile::v1::REDACTED);
}

TEST_F(Redact, LeavesOutWhatNoDescriptorDescribes) {
  casefile::v1::Case one;
  one.add_event()->set_type("clinic.Unknown");
  one.mutable_event(0)->set_payload("Ada");
  describe(one, *contracts_);
  redact(one, *pool_of(one));
  EXPECT_TRUE(one.event(0).payload().empty());
  EXPECT_TRUE(one.event(0).left_out());
}

}  // namespace
}  // namespace quadrille::cases
