#pragma once

#include <filesystem>
#include <string>

namespace quadrille::data {

/// Where the files are that travel with the tool: `contracts` (the vocabulary), `migrations`, `rules` (examples of
/// `explain`), `templates` (of `new`). Beside an installed program it is ../share/quadrille/NAME; else it is the source
/// tree that the program was built from.
[[nodiscard]] std::filesystem::path folder(const std::string& name);

}  // namespace quadrille::data
