#pragma once

#include <CLI/CLI.hpp>

namespace quadrille::tool {

/// Lets only the subcommand that is called read the environment. CLI11 reads it for all of them, and checks it: a
/// variable meant for one would be refused by another, or be put where the called one has its flags.
void read_environment_of_called_only(CLI::App& app);

}  // namespace quadrille::tool
