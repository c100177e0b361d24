#include "contract/fingerprint.hpp"

#include "checker/load.hpp"
#include "embedded/child_process.hpp"

#include <google/protobuf/descriptor.h>
#include <gtest/gtest.h>

#include <fstream>
#include <regex>

namespace quadrille::contract {
namespace {

constexpr const char* contract = R"(syntax = "proto3";
package test;
import "quadrille/v1/options.proto";
option (quadrille.v1.stream) = { context: "test" };
option (quadrille.v1.participant) = { name: "test", owner: "team" };
message Go { string id = 1 [(quadrille.v1.field).key = true]; }
message Done { option (quadrille.v1.event) = {}; string id = 1 [(quadrille.v1.field).key = true]; uint32 amount = 2; }
service Steps { rpc Begin(Go) returns (Done) { option (quadrille.v1.step) = { kind: QUERY }; } }
)";

std::string fingerprint_of(const std::string& text) {
  const embedded::TemporaryFolder folder;
  const auto file = folder.path() / "test.proto";
  std::ofstream(file) << text;
  const checker::Contracts contracts({file}, {folder.path()});
  const auto* service = contracts.pool().FindServiceByName("test.Steps");
  EXPECT_NE(service, nullptr);
  return service == nullptr ? "" : fingerprint(*service);
}

std::string with(const std::string& from, const std::string& to) {
  std::string text = contract;
  const auto place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from;
  return text.replace(place, from.size(), to);
}

TEST(Fingerprint, IsTheSameForTheSameContractInAnotherSpelling) {
  EXPECT_EQ(fingerprint_of(contract), fingerprint_of(with("message Done", "// a comment\nmessage Done")));
  EXPECT_EQ(fingerprint_of(contract),
            fingerprint_of(with("uint32 amount = 2; }", "/* moved */ uint32\n amount = 2;\n}")));
  EXPECT_TRUE(std::regex_match(fingerprint_of(contract), std::regex("[0-9a-f]{64}")));
}

TEST(Fingerprint, ChangesWithEverythingThatMeansSomething) {
  const auto before = fingerprint_of(contract);
  EXPECT_NE(before, fingerprint_of(with("uint32 amount = 2", "uint64 amount = 2")));
  EXPECT_NE(before, fingerprint_of(with("uint32 amount = 2", "uint32 amount = 3")));
  EXPECT_NE(before, fingerprint_of(with("uint32 amount = 2", "uint32 sum = 2")));
  EXPECT_NE(before, fingerprint_of(with("kind: QUERY", "kind: RETRIABLE")));
  EXPECT_NE(before, fingerprint_of(
                        with("option (quadrille.v1.event) = {}", "option (quadrille.v1.event) = { failure: true }")));
  EXPECT_NE(before, fingerprint_of(with("context: \"test\"", "context: \"other\"")));
  EXPECT_NE(before, fingerprint_of(with("name: \"test\"", "name: \"tester\"")));
}

}  // namespace
}  // namespace quadrille::contract
