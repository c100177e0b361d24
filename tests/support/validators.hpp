#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace quadrille {

/// The folder tests/`name` with the packages of its package.json, installed once into the build folder. Throws
/// std::runtime_error where npm cannot install them.
[[nodiscard]] std::filesystem::path node_package(const std::string& name);

/// That of tests/validators: the real readers of formats that others define.
[[nodiscard]] std::filesystem::path validators();

/// What the real reader of a kind of file (tests/validators/validate.mjs) says of the files; empty when it takes them.
[[nodiscard]] std::string complaints(const std::string& kind, const std::vector<std::filesystem::path>& files);

/// A YAML file as JSON, by a real reader of YAML. Throws std::runtime_error with what it says.
[[nodiscard]] std::string yaml_to_json(const std::filesystem::path& file);

}  // namespace quadrille
