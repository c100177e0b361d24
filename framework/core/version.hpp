#pragma once

#include <string>
#include <string_view>

/// What this is: the version is that of the CMake project, and is written nowhere else.
namespace quadrille {

/// Semantic version, such as 0.1.0.
[[nodiscard]] std::string_view version();
/// Of the commit it was built from, ISO 8601; empty where it was built outside of a repository.
[[nodiscard]] std::string_view commit_date();

/// What `--version` of a program prints: first line `PROGRAM 0.1.0 (commit ...)`, then the libraries it was built with.
[[nodiscard]] std::string version_text(std::string_view program);

}  // namespace quadrille
