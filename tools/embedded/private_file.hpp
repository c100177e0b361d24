#pragma once

#include <filesystem>
#include <string>

namespace quadrille::embedded {

/// A file that only its owner can read, from its first byte on. Throws std::runtime_error that names it.
void write_private(const std::filesystem::path& path, const std::string& content);

}  // namespace quadrille::embedded
