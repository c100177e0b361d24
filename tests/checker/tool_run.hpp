#pragma once

#include "embedded/child_process.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

/// The built tool, as a user runs it.
namespace quadrille {

struct Answer {
  int exit_code = -1;
  std::string output;
};

inline std::string content(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

/// Runs the tool in the source folder.
inline Answer tool(std::vector<std::string> arguments) {
  const embedded::TemporaryFolder folder;
  const auto output = folder.path() / "output";
  arguments.insert(arguments.begin(),
                   (std::filesystem::canonical("/proc/self/exe").parent_path() / "quadrille").string());
  embedded::ChildProcess process(
      {.arguments = std::move(arguments), .output = output, .directory = QUADRILLE_SOURCE_DIR});
  return {process.wait(std::chrono::seconds(60)).value_or(-1), content(output)};
}

}  // namespace quadrille
