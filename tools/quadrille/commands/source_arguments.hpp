#pragma once

#include "traffic/sources.hpp"

#include <CLI/CLI.hpp>

namespace quadrille::tool {

/// Where recorded events are, as commands that read them take it. `required`: one of them has to be given.
void add_source(CLI::App& command, traffic::Source& source, bool required);

}  // namespace quadrille::tool
