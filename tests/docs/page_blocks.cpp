#include "page_blocks.hpp"

#include "embedded/child_process.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>

namespace quadrille::docs {
namespace {

namespace fs = std::filesystem;

/// What differs from run to run, and blanks, made the same.
std::string usual(std::string line) {
  static const std::vector<std::pair<std::regex, std::string>> varying{
      {std::regex("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"), "ID"},
      {std::regex(R"((\d{4}-\d\d-\d\dT)?\d\d:\d\d:\d\d\.\d+Z?)"), "TIME"},
      {std::regex(R"(\+?\d+(\.\d+)? (ms|s|min|h)\b)"), "AGE"},
      {std::regex(R"(\b[0-9a-f]{12}\b)"), "FINGERPRINT"},
      {std::regex(R"(message \d+)"), "message N"},
      {std::regex(R"(^\s+|\s+$)"), ""},
      {std::regex(R"(\s+)"), " "}};
  for (const auto& [what, name] : varying) line = std::regex_replace(line, what, name);
  return line;
}

}  // namespace

bool Block::is(const std::string& word) const { return (" " + kind + " ").find(" " + word + " ") != std::string::npos; }

fs::path pages() { return fs::path(QUADRILLE_SOURCE_DIR) / "framework" / "docs"; }

std::string content(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

Answer shell(const std::string& script, const std::map<std::string, std::string>& environment) {
  const embedded::TemporaryFolder folder;
  const auto output = folder.path() / "output";
  auto all = environment;
  all["PATH"] = fs::canonical("/proc/self/exe").parent_path().string() + ":" + std::getenv("PATH");
  embedded::ChildProcess child(
      {.arguments = {"bash", "-ec", script}, .environment = all, .output = output, .directory = QUADRILLE_SOURCE_DIR});
  const auto code = child.wait(std::chrono::seconds(60)).value_or(-1);
  return {code, content(output)};
}

std::vector<Block> blocks() {
  std::vector<Block> all;
  std::set<fs::path> files;
  for (const auto& entry : fs::directory_iterator(pages()))
    if (entry.path().extension() == ".md") files.insert(entry.path());
  for (const auto& page : files) {
    std::ifstream stream(page);
    std::string file;
    bool inside = false;
    for (std::string line; std::getline(stream, line);) {
      if (line.starts_with("```")) {
        inside = !inside;
        if (inside) all.push_back({page, line.substr(3), file, ""});
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

std::string missing_line(const std::string& shown, const std::string& said) {
  std::istringstream have(said);
  std::istringstream want(shown);
  for (std::string wanted; std::getline(want, wanted);) {
    bool found = false;
    for (std::string line; !found && std::getline(have, line);) found = usual(line) == usual(wanted);
    if (!found) return wanted;
  }
  return {};
}

void expect_reference(const std::string& name, const std::string& heading, const std::string& text) {
  const auto file = pages() / "reference" / name;
  const auto page = "# " + heading + "\n\nWritten by the program itself; `tests/docs` compares it.\n\n" + text;
  if (std::getenv("QUADRILLE_WRITE_GOLDEN") != nullptr) std::ofstream(file) << page;
  EXPECT_EQ(content(file), page) << "QUADRILLE_WRITE_GOLDEN=1 accepts what the program says now";
}

}  // namespace quadrille::docs
