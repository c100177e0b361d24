// Every format is taken by its real reader: the shop's, and that of contracts whose names are reserved words, markup
// and worse.
#include "embedded/child_process.hpp"
#include "support/program.hpp"
#include "support/validators.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace quadrille {
namespace {

namespace fs = std::filesystem;

class Formats : public ::testing::TestWithParam<std::string> {
 protected:
  static std::string contracts() { return GetParam(); }
  fs::path write(const std::string& name, const std::vector<std::string>& arguments, int exit_code = 0) {
    const auto file = folder_.path() / name;
    auto all = arguments;
    all.insert(all.end(), {"-o", file.string()});
    const auto answer = tool(all);
    EXPECT_EQ(answer.exit_code, exit_code) << answer.output;
    return file;
  }
  std::vector<std::string> views() const {
    return {"saga", "services", contracts() == "contracts/shop" ? "event:StockReserved" : "event:STRICT:3"};
  }

  embedded::TemporaryFolder folder_;
};

TEST_P(Formats, DotIsTakenByDot) {
  int number = 0;
  for (const auto& view : views()) {
    const auto file =
        write(std::to_string(++number) + ".dot", {"graph", contracts(), "--view", view, "--format", "dot"});
    embedded::ChildProcess dot(
        {.arguments = {"dot", "-Tsvg", "-o", "/dev/null", file.string()}, .output = folder_.path() / "dot.log"});
    EXPECT_EQ(dot.wait(std::chrono::minutes(1)), 0) << view << "\n" << content(folder_.path() / "dot.log");
  }
}

TEST_P(Formats, MermaidIsTakenByMermaid) {
  std::vector<fs::path> files;
  for (const auto& view : views())
    files.push_back(
        write(std::to_string(files.size()) + ".mmd", {"graph", contracts(), "--view", view, "--format", "mermaid"}));
  // A page of sequence diagrams: each fenced block is one.
  const auto page = content(write("scenarios.md", {"graph", contracts(), "--format", "sequence"}));
  const std::string open = "```mermaid\n";
  for (auto at = page.find(open); at != std::string::npos; at = page.find(open, at + 1)) {
    const auto start = at + open.size();
    files.push_back(folder_.path() / (std::to_string(files.size()) + ".mmd"));
    std::ofstream(files.back()) << page.substr(start, page.find("```", start) - start);
  }
  EXPECT_GE(files.size(), 6U);
  EXPECT_EQ(complaints("mermaid", files), "");
}

TEST_P(Formats, SarifAndJsonKeepTheirSchemas) {
  EXPECT_EQ(complaints("sarif", {write("findings.sarif", {"check", contracts(), "--format", "sarif"})}), "");
  EXPECT_EQ(complaints("schema:" QUADRILLE_SOURCE_DIR "/tools/checker/schema/check-1.schema.json",
                       {write("check.json", {"check", contracts(), "--format", "json"})}),
            "");
}

TEST_P(Formats, AsyncApiKeepsItsSchema) {
  const auto participant = contracts() == "contracts/shop" ? "payment" : "grüße\"<x&;#'";
  EXPECT_EQ(
      complaints("asyncapi", {write("a.json", {"export", contracts(), "--format", "asyncapi", "--of", participant})}),
      "");
}

TEST_P(Formats, XmlIsWellFormed) {
  EXPECT_EQ(complaints("xml", {write("check.xml", {"check", contracts(), "--format", "junit"}),
                               write("saga.graphml", {"graph", contracts(), "--format", "graphml"}),
                               write("saga.svg", {"graph", contracts(), "--format", "svg"})}),
            "");
}

TEST_P(Formats, AreTheSameBytesForTheSameContracts) {
  for (const auto* format : {"dot", "mermaid", "svg", "graphml", "sequence", "plantuml", "html"})
    EXPECT_EQ(content(write("one", {"graph", contracts(), "--format", format})),
              content(write("two", {"graph", contracts(), "--format", format})))
        << format;
  for (const auto* format : {"canvas", "streams", "alert-rules", "nats-permissions"})
    EXPECT_EQ(content(write("one", {"export", contracts(), "--format", format})),
              content(write("two", {"export", contracts(), "--format", format})))
        << format;
}

TEST_P(Formats, PlantUmlOpensAndClosesEachScenario) {
  const auto text = content(write("s.puml", {"graph", contracts(), "--format", "plantuml"}));
  EXPECT_THAT(text, ::testing::StartsWith("@startuml\n"));
  EXPECT_THAT(text, ::testing::EndsWith("@enduml\n"));
  EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr("\"\"")));
}

INSTANTIATE_TEST_SUITE_P(Of, Formats, ::testing::Values("contracts/shop", "tests/checker/hostile"),
                         [](const auto& contracts) {
                           return std::string(contracts.param == "contracts/shop" ? "TheShop" : "HostileNames");
                         });

}  // namespace
}  // namespace quadrille
