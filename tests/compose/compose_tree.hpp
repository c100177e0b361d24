#pragma once

#include "embedded/child_process.hpp"

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

/// The tree that compose/ is part of, and programs run in it.
namespace quadrille {

inline std::filesystem::path root() { return QUADRILLE_SOURCE_DIR; }
inline std::filesystem::path compose(const std::string& path) { return root() / "compose" / path; }
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

}  // namespace quadrille
