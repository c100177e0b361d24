#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace quadrille::tool {

/// A script for bash that completes commands and long options; what else a command takes are files.
[[nodiscard]] std::string bash_completion(const CLI::App& app);

}  // namespace quadrille::tool
