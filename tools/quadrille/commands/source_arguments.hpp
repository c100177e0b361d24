#pragma once

#include "traffic/sources.hpp"

#include <CLI/CLI.hpp>

#include <string>

namespace quadrille::tool {

/// Where recorded events are, as commands that read them take it.
void add_source(CLI::App& command, traffic::Source& source);

/// Takes QUADRILLE_NATS_URL where nothing was given; false where that is not set either.
[[nodiscard]] bool find_source(traffic::Source& source);
/// Throws CLI::RequiredError that names what may be given.
void need_source(traffic::Source& source);

/// `--from` and `--to`; `what` was recorded, or began. The window outlives the command.
void add_window(CLI::App& command, archive::Window& window, const std::string& what);

}  // namespace quadrille::tool
