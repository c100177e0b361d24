#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace quadrille {

/// tests/validators with its packages, installed once into the build folder: the real readers of formats that others
/// define. Throws std::runtime_error where npm cannot install them.
[[nodiscard]] std::filesystem::path validators();

/// What the real reader of a kind of file (tests/validators/validate.mjs) says of the files; empty when it takes them.
[[nodiscard]] std::string complaints(const std::string& kind, const std::vector<std::filesystem::path>& files);

/// A YAML file as JSON, by a real reader of YAML. Throws std::runtime_error with what it says.
[[nodiscard]] std::string yaml_to_json(const std::filesystem::path& file);

}  // namespace quadrille
