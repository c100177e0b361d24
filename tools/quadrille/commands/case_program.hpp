#pragma once

#include "cases/program.hpp"
#include "quadrille/casefile/v1/case.pb.h"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace quadrille::tool {

/// The participants' programs that a command runs, as every such command takes them.
struct ProgramOptions {
  std::vector<std::string> participants;
  std::vector<std::string> timeouts;

  void add_to(CLI::App& command);
  /// The one that a command which runs one was given.
  [[nodiscard]] cases::Program program() const;
  /// Throws CLI::ValidationError where one is named twice.
  [[nodiscard]] std::vector<cases::Program> programs() const;
};

/// What `PROGRAM case run` does itself.
struct FuzzArguments {
  std::uint32_t tries = 0;
  std::uint64_t seed = 1;
  std::string tolerate;
  std::string latest;
  std::filesystem::path save;

  void add_to(CLI::App& command);
  /// For the program; none where nothing is to be disturbed.
  [[nodiscard]] std::vector<std::string> options() const;
  /// Writes the first case of which a report found something, where a file for it was named. Whether it did.
  bool save_smallest(const std::vector<casefile::v1::Case>& all,
                     const std::vector<casefile::v1::Report>& reports) const;
};

}  // namespace quadrille::tool
