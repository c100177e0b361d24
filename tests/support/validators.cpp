#include "support/validators.hpp"

#include "core/sha256.hpp"
#include "embedded/child_process.hpp"

#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <unistd.h>

namespace quadrille {
namespace {

namespace fs = std::filesystem;

std::set<fs::path> files_of(const fs::path& folder) {
  std::set<fs::path> names;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".mjs" || entry.path().extension() == ".json")
      names.insert(entry.path().filename());
  return names;
}

std::string content(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

/// Runs one of our scripts; its output, and whether it was content.
struct Said {
  bool good = false;
  std::string output;
};

Said node(std::vector<std::string> arguments) {
  const embedded::TemporaryFolder folder;
  const auto output = folder.path() / "said";
  arguments[0] = (validators() / arguments[0]).string();
  arguments.insert(arguments.begin(), "node");
  embedded::ChildProcess process({.arguments = std::move(arguments), .output = output});
  const bool good = process.wait(std::chrono::minutes(1)) == 0;
  return {good, content(output)};
}

}  // namespace

fs::path node_package(const std::string& name) {
  const auto source = fs::path(QUADRILLE_SOURCE_DIR) / "tests" / name;
  const auto files = files_of(source);
  std::string everything;
  for (const auto& file : files) everything += content(source / file);
  // Named by what is in it: a changed list of packages is installed anew.
  const auto folder =
      fs::canonical("/proc/self/exe").parent_path().parent_path() / (name + "-" + sha256(everything).substr(0, 12));
  if (fs::exists(folder)) return folder;
  // Beside other tests that may do the same: whoever is first is taken.
  const fs::path own = folder.string() + "-" + std::to_string(::getpid());
  fs::create_directories(own);
  for (const auto& file : files) fs::copy(source / file, own / file);
  embedded::ChildProcess npm({.arguments = {"npm", "install", "--no-audit", "--no-fund", "--no-package-lock"},
                              .output = own / "npm.log",
                              .directory = own});
  if (npm.wait(std::chrono::minutes(5)) != 0) {
    const auto log = content(own / "npm.log");
    fs::remove_all(own);
    throw std::runtime_error("npm install failed:\n" + log);
  }
  std::error_code taken;
  fs::rename(own, folder, taken);
  if (taken) fs::remove_all(own);
  return folder;
}

fs::path validators() { return node_package("validators"); }

std::string complaints(const std::string& kind, const std::vector<fs::path>& files) {
  std::vector<std::string> arguments{"validate.mjs", kind};
  for (const auto& file : files) arguments.push_back(file.string());
  const auto said = node(std::move(arguments));
  return said.good ? "" : said.output;
}

std::string yaml_to_json(const fs::path& file) {
  const auto said = node({"to_json.mjs", file.string()});
  if (!said.good) throw std::runtime_error(file.string() + ": " + said.output);
  return said.output;
}

}  // namespace quadrille
