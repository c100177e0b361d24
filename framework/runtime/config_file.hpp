#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace quadrille::runtime {

/// Settings from a file (TOML or INI) that neither flags nor the environment have said. (CLI11's own config option
/// would let the file win over the environment.) Throws CLI::ConfigError that names a setting which does not exist.
void apply_config_file(CLI::App& app, const std::string& file);

}  // namespace quadrille::runtime
