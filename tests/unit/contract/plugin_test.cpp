// protoc with our plugin, as the build runs it.
#include "embedded/child_process.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace quadrille {
namespace {

namespace fs = std::filesystem;

struct Answer {
  int exit_code = -1;
  std::string said;
  std::string header;
};

std::string content(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

Answer generate(const std::string& step_options, const std::string& join = "ANY") {
  const embedded::TemporaryFolder folder;
  std::ofstream(folder.path() / "test.proto") << R"(syntax = "proto3";
package test.v1;
import "quadrille/v1/options.proto";
option (quadrille.v1.stream) = { context: "test" };
option (quadrille.v1.participant) = { name: "test", owner: "team" };
message Done { option (quadrille.v1.event) = {}; string id = 1 [(quadrille.v1.field).key = true]; }
message Cause { option (quadrille.v1.trigger) = { join: )"
                                              << join << R"( }; Done done = 1; }
service TestSteps {
  rpc DeleteTheHTTPThing(Cause) returns (Done) { option (quadrille.v1.step) = { )"
                                              << step_options << R"( }; }
  rpc Delete(Done) returns (Done) { option (quadrille.v1.step) = { kind: COMPENSATION }; }
}
)";
  embedded::ChildProcess protoc(
      {.arguments = {"protoc",
                     "--plugin=protoc-gen-quadrille=" +
                         (fs::canonical("/proc/self/exe").parent_path() / "protoc-gen-quadrille").string(),
                     "--quadrille_out=" + folder.path().string(), "-I", folder.path().string(), "-I",
                     std::string(QUADRILLE_SOURCE_DIR) + "/contracts", (folder.path() / "test.proto").string()},
       .output = folder.path() / "said"});
  const auto code = protoc.wait(std::chrono::seconds(30)).value_or(-1);
  return {code, content(folder.path() / "said"), content(folder.path() / "test.quadrille.hpp")};
}

TEST(Plugin, WritesAClassWithAPureFunctionForEachStepUnderANameCppAllows) {
  const auto answer = generate("kind: QUERY");
  EXPECT_EQ(answer.exit_code, 0) << answer.said;
  for (const auto* part : {"class TestSteps : public ::quadrille::Participant",
                           "::test::v1::Done delete_the_httpthing(const ::test::v1::Cause& trigger",
                           "::test::v1::Done delete_(const ::test::v1::Done& trigger",
                           "using Folded = ::quadrille::AggregateOf<State, ::test::v1::Done>"})
    EXPECT_NE(answer.header.find(part), std::string::npos) << part << " in\n" << answer.header;
}

TEST(Plugin, RefusesAFaultyContractWithPlaceFaultAndRepair) {
  const auto answer = generate("kind: COMPENSATABLE, compensated_by: \"Undo\"");
  EXPECT_NE(answer.exit_code, 0);
  for (const auto* part : {"test.proto:9:3: step DeleteTheHTTPThing: compensated_by names 'Undo', which is not a step "
                           "of test.v1.TestSteps",
                           "repair: name an rpc of the same service"})
    EXPECT_NE(answer.said.find(part), std::string::npos) << part << " in\n" << answer.said;
}

TEST(Plugin, RefusesAJoinTheRuntimeDoesNotRun) {
  const auto answer = generate("kind: QUERY", "ALL");
  EXPECT_NE(answer.exit_code, 0);
  EXPECT_NE(answer.said.find("joins with ALL, which the runtime does not run yet"), std::string::npos) << answer.said;
}

TEST(Plugin, RefusesABoundTheRuntimeDoesNotCount) {
  const auto answer = generate("kind: QUERY, bound: { resets: \"tries\" }");
  EXPECT_NE(answer.exit_code, 0);
  EXPECT_NE(answer.said.find("declares a bound, which the runtime does not count yet"), std::string::npos)
      << answer.said;
}

}  // namespace
}  // namespace quadrille
