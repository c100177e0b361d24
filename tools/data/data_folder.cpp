#include "data/data_folder.hpp"

#include <map>

namespace quadrille::data {
namespace {

namespace fs = std::filesystem;

fs::path in_source_tree(const std::string& name) {
  static const std::map<std::string, const char*> folders{{"contracts", "contracts"},
                                                          {"migrations", "migrations"},
                                                          {"rules", "tests/checker/rules"},
                                                          {"templates", "tools/scaffold/templates"}};
  return fs::path(QUADRILLE_SOURCE_TREE) / folders.at(name);
}

}  // namespace

fs::path folder(const std::string& name) {
  std::error_code none;
  const auto program = fs::canonical("/proc/self/exe", none);
  const auto installed = program.parent_path().parent_path() / "share" / "quadrille" / name;
  return fs::is_directory(installed, none) ? installed : in_source_tree(name);
}

}  // namespace quadrille::data
