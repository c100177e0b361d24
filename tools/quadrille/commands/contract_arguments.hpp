#pragma once

#include "checker/load.hpp"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace quadrille::tool {

/// The contracts a command works on, as every command takes them.
struct ContractArguments {
  std::vector<std::filesystem::path> paths;
  std::vector<std::filesystem::path> import_roots;
  std::string nats_credentials;  ///< for the registry of a running system
  std::string tls_ca;

  void add_to(CLI::App& command);
  /// Reads them. Throws std::runtime_error when there is nothing to read or no participant in it.
  [[nodiscard]] checker::Contracts load() const;
  /// Where the contracts are what runs at a server: older versions that still run beside the newest, one a participant
  /// and version. Empty otherwise.
  [[nodiscard]] std::vector<checker::Contracts> load_older() const;
};

/// Tells on standard error what could not be read; true when that was anything.
[[nodiscard]] bool report_faults(const checker::Contracts& contracts);

/// Colour is for people: standard output is a terminal, and NO_COLOR is not set.
[[nodiscard]] bool colour_on_output();

/// To a file, or to standard output where `file` is empty. Throws std::runtime_error when it cannot be written.
void write_output(const std::filesystem::path& file, const std::string& content);

}  // namespace quadrille::tool
