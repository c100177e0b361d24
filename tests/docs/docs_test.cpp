// framework/docs: commands run, snippets are those of files that are compiled or run, links lead somewhere, and the
// reference is what the programs say.
#include "embedded/child_process.hpp"
#include "telemetry/metrics.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>

namespace quadrille {
namespace {

namespace fs = std::filesystem;

const fs::path source(QUADRILLE_SOURCE_DIR);
const fs::path pages = source / "framework" / "docs";
fs::path binaries() { return fs::canonical("/proc/self/exe").parent_path(); }

std::string content(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

struct Answer {
  int exit_code = -1;
  std::string output;
};
Answer shell(const std::string& script) {
  const embedded::TemporaryFolder folder;
  const auto output = folder.path() / "output";
  embedded::ChildProcess child({.arguments = {"bash", "-ec", script},
                                .environment = {{"PATH", binaries().string() + ":" + std::getenv("PATH")}},
                                .output = output,
                                .directory = source});
  const auto code = child.wait(std::chrono::seconds(60)).value_or(-1);
  return {code, content(output)};
}

/// A fenced block, what stands behind its fence, and the file that the comment before it names.
struct Block {
  fs::path page;
  std::string kind;
  std::string file;
  std::string text;
};

std::vector<Block> blocks() {
  std::vector<Block> all;
  for (const auto& entry : fs::directory_iterator(pages)) {
    if (entry.path().extension() != ".md") continue;
    std::ifstream stream(entry.path());
    std::string file;
    bool inside = false;
    for (std::string line; std::getline(stream, line);) {
      if (line.starts_with("```")) {
        inside = !inside;
        if (inside) all.push_back({entry.path(), line.substr(3), file, ""});
        file.clear();
      } else if (inside) {
        all.back().text += line + "\n";
      } else if (line.starts_with("<!-- ")) {
        file = line.substr(5, line.size() - 9);
      }
    }
  }
  return all;
}

TEST(Pages, HaveSnippetsOfFilesThatAreBuiltOrRun) {
  std::size_t count = 0;
  for (const auto& block : blocks()) {
    if (block.kind.starts_with("sh")) continue;
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
    if (!block.kind.starts_with("sh")) continue;
    const auto answer = shell(block.text);
    EXPECT_EQ(answer.exit_code, block.kind == "sh fails" ? 1 : 0) << block.page << "\n" << block.text << answer.output;
    ++count;
  }
  EXPECT_GT(count, 0U);
}

TEST(Pages, LinkToWhatIsThere) {
  const std::regex link(R"(\]\(([^)#:]+)\))");
  for (const auto& entry : fs::recursive_directory_iterator(pages)) {
    if (entry.path().extension() != ".md" || entry.path().parent_path() != pages) continue;
    const auto text = content(entry.path());
    for (std::sregex_iterator found(text.begin(), text.end(), link), end; found != end; ++found)
      EXPECT_TRUE(fs::exists(entry.path().parent_path() / (*found)[1].str())) << entry.path() << ": " << (*found)[1];
  }
}

void expect_reference(const std::string& name, const std::string& heading, const std::string& text) {
  const auto file = pages / "reference" / name;
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
