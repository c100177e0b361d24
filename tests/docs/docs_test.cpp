// framework/docs: commands run, snippets are those of files that are compiled or run, links lead somewhere, and the
// reference is what the programs say.
#include "page_blocks.hpp"
#include "telemetry/metrics.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>

namespace quadrille {
namespace {

namespace fs = std::filesystem;

const fs::path source(QUADRILLE_SOURCE_DIR);
using docs::blocks;
using docs::content;
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

void expect_reference(const std::string& name, const std::string& heading, const std::string& text) {
  const auto file = pages() / "reference" / name;
  const auto page = "# " + heading + "\n\nWritten by the program itself; `tests/docs` compares it.\n\n" + text;
  if (std::getenv("QUADRILLE_WRITE_GOLDEN") != nullptr) std::ofstream(file) << page;
  EXPECT_EQ(content(file), page) << "QUADRILLE_WRITE_GOLDEN=1 accepts what the program says now";
}

TEST(Reference, OfCommandsAndSettingsIsWhatTheProgramsSay) {
  expect_reference("quadrille.md", "Commands", shell("quadrille manual --format markdown").output);
  expect_reference("participant.md", "Settings of a participant", shell("shop-payment --manual markdown").output);
  expect_reference("tracker.md", "Settings of the tracker", shell("quadrille-tracker --manual markdown").output);
}

TEST(Reference, OfMetricsIsWhatAServiceDescribes) {
  expect_reference("metrics.md", "Metrics of a participant", telemetry::Metrics::reference());
}

}  // namespace
}  // namespace quadrille
