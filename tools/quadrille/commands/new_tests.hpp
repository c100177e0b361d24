#pragma once

#include <CLI/CLI.hpp>

namespace quadrille::tool {

/// `quadrille new tests`.
void add_new_tests(CLI::App& parent);

}  // namespace quadrille::tool
