#include "checker/proto_files.hpp"

#include "checker/file_keys.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace quadrille::checker {

namespace fs = std::filesystem;

std::vector<fs::path> proto_files(const std::vector<fs::path>& paths) {
  std::set<fs::path> files;
  for (const auto& path : paths) {
    if (!fs::exists(path)) throw std::runtime_error("there is no " + path.string());
    if (!fs::is_directory(path)) {
      if (path.extension() != ".proto")
        throw std::runtime_error(path.string() +
                                 " is neither a folder, a .proto file, nor a descriptor set (.binpb, .pb, .desc)");
      files.insert(fs::absolute(path).lexically_normal());
      continue;
    }
    for (const auto& entry : fs::recursive_directory_iterator(path))
      if (entry.path().extension() == ".proto") files.insert(fs::absolute(entry.path()).lexically_normal());
  }
  if (files.empty()) throw std::runtime_error("no .proto file in " + paths.front().string());
  return {files.begin(), files.end()};
}

void add_own_imports(std::string_view text, std::set<std::string>& imports) {
  for (auto& name : imports_of(text))
    if (!is_brought_along(name)) imports.insert(std::move(name));
}

fs::path guess_root(const std::set<std::string>& imports, const fs::path& first_path) {
  auto start = fs::absolute(first_path).lexically_normal();
  if (!fs::is_directory(start)) start = start.parent_path();
  for (auto root = start; root != root.root_path(); root = root.parent_path())
    if (std::ranges::all_of(imports, [&](const auto& name) { return fs::exists(root / name); })) return root;
  return start;
}

bool is_descriptor_set(const fs::path& path) {
  const auto extension = path.extension();
  return extension == ".binpb" || extension == ".pb" || extension == ".desc";
}

bool is_brought_along(const std::string& name) {
  return name.starts_with("google/protobuf/") || name.starts_with("quadrille/v1/");
}

std::string display_name(const fs::path& file) {
  const auto relative = file.lexically_relative(fs::current_path());
  return relative.empty() || *relative.begin() == ".." ? file.string() : relative.string();
}

std::string read_text(const fs::path& file) {
  std::ifstream input(file, std::ios::binary);
  if (!input || fs::is_directory(file)) throw std::runtime_error("cannot read " + file.string());
  std::ostringstream text;
  text << input.rdbuf();
  return text.str();
}

}  // namespace quadrille::checker
