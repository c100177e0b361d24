#pragma once

#include <span>
#include <string_view>

namespace quadrille::tracker {

/// A file of console/, as it was when this program was built.
struct ConsoleFile {
  std::string_view name;  ///< start.js
  std::string_view bytes;
};
[[nodiscard]] std::span<const ConsoleFile> console_files();

}  // namespace quadrille::tracker
