#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

/// Where .proto files are and what they are called.
namespace quadrille::checker {

/// Every .proto file of folders and files, absolute, each once, in order. Throws std::runtime_error when a path is not
/// there or none of them holds any.
[[nodiscard]] std::vector<std::filesystem::path> proto_files(const std::vector<std::filesystem::path>& paths);

/// The nearest folder from `first_path` upwards below which everything is that is imported.
[[nodiscard]] std::filesystem::path guess_root(const std::set<std::string>& imports,
                                               const std::filesystem::path& first_path);

/// What a file imports, but for what we and protobuf bring along.
void add_own_imports(std::string_view text, std::set<std::string>& imports);

[[nodiscard]] bool is_descriptor_set(const std::filesystem::path& path);

/// An import that we or protobuf bring along.
[[nodiscard]] bool is_brought_along(const std::string& name);

/// As a person in the current folder would name the file.
[[nodiscard]] std::string display_name(const std::filesystem::path& file);

[[nodiscard]] std::string read_text(const std::filesystem::path& file);

}  // namespace quadrille::checker
