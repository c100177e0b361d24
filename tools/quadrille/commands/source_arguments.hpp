#pragma once

#include "traffic/sources.hpp"

#include <CLI/CLI.hpp>

#include <string>

namespace quadrille::tool {

/// Where recorded events are, as commands that read them take it. `required`: one of them has to be given.
void add_source(CLI::App& command, traffic::Source& source, bool required);

/// `--from` and `--to`; `what` was recorded, or began. The window outlives the command.
void add_window(CLI::App& command, archive::Window& window, const std::string& what);

}  // namespace quadrille::tool
