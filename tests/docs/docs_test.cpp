// framework/docs: commands run, snippets are those of files that are compiled or run, links lead somewhere, and the
// reference is what the programs say.
#include "embedded/child_process.hpp"
#include "page_blocks.hpp"
#include "telemetry/metrics.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

namespace quadrille {
namespace {

namespace fs = std::filesystem;

const fs::path source(QUADRILLE_SOURCE_DIR);
using docs::blocks;
using docs::content;
using docs::expect_reference;
using docs::pages;
using docs::shell;

TEST(Pages, HaveSnippetsOfFilesThatAreBuiltOrRun) {
  std::size_t count = 0;
  for (const auto& block : blocks()) {
    if (block.is("sh") || block.is("output")) continue;
    ASSERT_FALSE(block.file.empty()) << block.page << ": which file has this?\n" << block.text;
    EXPECT_NE(content(source / block.file).find(block.text), std::string::npos)
        << block.page << ": " << block.file << " has no\n"
        << block.text;
    ++count;
  }
  EXPECT_GT(count, 5U);
}

TEST(Pages, HaveCommandsThatRun) {
  std::size_t count = 0;
  for (const auto& block : blocks()) {
    if (!block.is("sh") || block.is("running")) continue;
    const auto answer = shell(block.text);
    EXPECT_EQ(answer.exit_code, block.is("fails") ? 1 : 0) << block.page << "\n" << block.text << answer.output;
    ++count;
  }
  EXPECT_GT(count, 0U);
}

TEST(Pages, LinkToWhatIsThere) {
  const std::regex link(R"(\]\(([^)#:]+)\))");
  for (const auto& entry : fs::recursive_directory_iterator(pages())) {
    if (entry.path().extension() != ".md" || entry.path().parent_path() != pages()) continue;
    const auto text = content(entry.path());
    for (std::sregex_iterator found(text.begin(), text.end(), link), end; found != end; ++found)
      EXPECT_TRUE(fs::exists(entry.path().parent_path() / (*found)[1].str())) << entry.path() << ": " << (*found)[1];
  }
}

TEST(Pages, NameTestsThatThereAre) {
  const std::regex named(R"((tests/[a-z_/]+\.cpp): (\w+)\.(\w+))");
  std::size_t count = 0;
  for (const auto* page : {"guarantees.md", "threat-model.md"}) {
    const auto text = content(pages() / page);
    for (std::sregex_iterator found(text.begin(), text.end(), named), end; found != end; ++found, ++count) {
      const std::regex definition("TEST(_F|_P)?\\(" + (*found)[2].str() + ", " + (*found)[3].str() + "\\)");
      EXPECT_TRUE(std::regex_search(content(source / (*found)[1].str()), definition)) << page << ": " << found->str();
    }
    const std::regex row(R"(\n\|[^\n]*\|)");
    for (std::sregex_iterator line(text.begin(), text.end(), row), end; line != end; ++line)
      EXPECT_TRUE(line->str().find("shown by") != std::string::npos || line->str().find("|---") != std::string::npos ||
                  std::regex_search(line->str(), named))
          << page << ": nothing shows" << line->str();
  }
  EXPECT_GT(count, 30U);
}

TEST(ApiReference, IsMadeWithoutWarnings) {
  const embedded::TemporaryFolder folder;
  const auto answer =
      shell("(cat framework/Doxyfile; echo OUTPUT_DIRECTORY=" + folder.path().string() + ") | doxygen -");
  EXPECT_EQ(answer.exit_code, 0);
  EXPECT_EQ(answer.output, "");
  EXPECT_NE(content(folder.path() / "html" / "classquadrille_1_1Step.html").find("semantic lock"), std::string::npos);
}

TEST(Reference, OfCommandsAndSettingsIsWhatTheProgramsSay) {
  expect_reference("quadrille.md", "Commands", shell("quadrille manual --format markdown").output);
  expect_reference("participant.md", "Settings of a participant", shell("shop-payment --manual markdown").output);
  expect_reference("tracker.md", "Settings of the tracker", shell("quadrille-tracker --manual markdown").output);
}

TEST(Reference, OfMetricsIsWhatAServiceDescribes) {
  expect_reference("metrics.md", "Metrics of a participant", telemetry::Metrics::reference());
}

/// A table of what `pattern` finds in a file of the sources: its two groups are the columns.
std::string table(const fs::path& file, const std::string& begin, const std::string& pattern,
                  const std::string& headings) {
  auto text = content(source / file);
  const auto from = text.find(begin);
  if (from == std::string::npos) return "nothing in " + file.string();
  text = text.substr(from, text.find("\n}", from) - from);
  auto rows = "| " + headings + " |\n|---|---|\n";
  std::set<std::string> seen;
  const std::regex row(pattern);
  for (std::sregex_iterator found(text.begin(), text.end(), row), end; found != end; ++found) {
    const auto line = "| `" + (*found)[1].str() + "` | " + (*found)[2].str() + " |\n";
    if (seen.insert(line).second) rows += line;
  }
  return rows;
}

TEST(Reference, OfErrorsIsWhatTheSourcesSay) {
  const std::string value = R"((\w+)(?: = [1-9])?, +///< ([^\n]+))";
  const std::string field = R"((\w+) = [1-9];\s+// ([^\n]+))";
  std::string problems = "| status | title |\n|---|---|\n";
  const auto edge = content(source / "framework/runtime/edge_service.cpp");
  const std::regex problem(R"x(problem\(\s*(\d+), "([^"]+?) ?")x");
  std::set<std::string> rows;
  for (std::sregex_iterator found(edge.begin(), edge.end(), problem), end; found != end; ++found)
    rows.insert("| " + (*found)[1].str() + " | " + (*found)[2].str() + " |\n");
  for (const auto& row : rows) problems += row;
  expect_reference(
      "errors.md", "Errors",
      "## Exit codes\n\n"
      "0 good; 1 findings, or something is wrong; 2 the program could not do it, and says which setting, "
      "value or file is to blame. Each command's page says what 1 means there.\n\n"
      "## What the thrower of a `quadrille::Error` asks for\n\n" +
          table("framework/include/quadrille/error.hpp", "enum class Disposition", value,
                "disposition | what happens") +
          "\n## Classes: who has to look\n\nIn lists of what is stuck, in metrics and in `StepStuck`.\n\n" +
          table("framework/include/quadrille/error.hpp", "enum class ReasonClass", value, "class | whose fault") +
          "\n## Answers of a participant that is asked or told to act\n\n" +
          table("contracts/quadrille/control/v1/control.proto", "enum Kind", field, "answer | meaning") +
          "\n## Problems of the edge\n\nBodies are RFC 9457; the field `detail` says what to do. 409 while the first "
          "is served and "
          "503 carry `Retry-After`.\n\n" +
          problems + "\nWhat the checker finds has codes of its own: [RULES.md](../../../tools/checker/RULES.md).\n");
}

}  // namespace
}  // namespace quadrille
