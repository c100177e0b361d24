#pragma once

#include "embedded/child_process.hpp"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

/// The source tree, and built programs run in it as a user runs them.
namespace quadrille {

inline std::filesystem::path root() { return QUADRILLE_SOURCE_DIR; }
inline std::filesystem::path binaries() { return std::filesystem::canonical("/proc/self/exe").parent_path(); }

inline std::string content(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

struct Answer {
  int exit_code = -1;
  std::string output;
};

/// Runs a program in the root of the tree.
inline Answer run(std::vector<std::string> arguments, std::map<std::string, std::string> environment = {}) {
  const embedded::TemporaryFolder folder;
  const auto output = folder.path() / "output";
  embedded::ChildProcess process({.arguments = std::move(arguments),
                                  .environment = std::move(environment),
                                  .output = output,
                                  .directory = root()});
  const auto code = process.wait(std::chrono::minutes(4)).value_or(-1);
  return {code, content(output)};
}

/// Runs the tool.
inline Answer tool(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), (binaries() / "quadrille").string());
  return run(std::move(arguments));
}

}  // namespace quadrille
