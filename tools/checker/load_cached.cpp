#include "checker/load_cached.hpp"

#include "checker/file_keys.hpp"
#include "checker/fragment.hpp"
#include "checker/load.hpp"
#include "checker/proto_files.hpp"
#include "quadrille/cache/v1/model.pb.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <stdexcept>

namespace quadrille::checker {
namespace {

namespace fs = std::filesystem;

struct File {
  fs::path path;
  std::string text;
  std::string name;  ///< as imports name it
};

std::string name_of(const fs::path& file, const std::vector<fs::path>& roots) {
  const auto root = std::ranges::find_if(
      roots, [&](const fs::path& candidate) { return *file.lexically_relative(candidate).begin() != ".."; });
  if (root == roots.end())
    throw std::runtime_error(file.string() + " is below none of the import roots; add one with -I");
  return file.lexically_relative(*root).string();
}

cache::v1::Cache read_cache(const fs::path& file, const std::string& tool) {
  cache::v1::Cache cache;
  std::ifstream input(file, std::ios::binary);
  if (!input || !cache.ParseFromIstream(&input) || cache.tool() != tool) cache.Clear();
  cache.set_tool(tool);
  return cache;
}

/// In one step, so that a run beside this one never reads half a file.
void write_cache(const cache::v1::Cache& cache, const fs::path& file) {
  const auto beside = file.string() + ".new";
  std::ofstream output(beside, std::ios::binary);
  if (!cache.SerializeToOstream(&output) || !output.flush())
    throw std::runtime_error("--cache: cannot write " + file.string());
  output.close();
  fs::rename(beside, file);
}

}  // namespace

contract::Reading read_cached(const std::vector<fs::path>& paths, const std::vector<fs::path>& import_roots,
                              const fs::path& cache_file) {
  std::vector<File> all;
  std::set<std::string> imports;
  for (const auto& path : proto_files(paths)) {
    all.push_back({path, read_text(path), ""});
    add_own_imports(all.back().text, imports);
  }
  std::vector<fs::path> roots;
  for (const auto& root : import_roots) roots.push_back(fs::absolute(root).lexically_normal());
  if (roots.empty()) roots.push_back(guess_root(imports, paths.front()));
  auto tool = std::string(QUADRILLE_VERSION) + " " + fs::current_path().string();
  for (const auto& root : roots) tool += " " + root.string();
  auto cache = read_cache(cache_file, tool);

  std::map<std::string, std::string> texts;
  for (auto& file : all) {
    file.name = name_of(file.path, roots);
    texts[file.name] = std::move(file.text);
  }
  // What stands outside of what was asked for has no fragment, and could change unseen.
  for (const auto& name : imports)
    if (!texts.contains(name)) return Contracts(paths, import_roots).reading();
  const auto keys = keys_of(texts);
  contract::Reading reading;
  std::vector<fs::path> changed;
  for (const auto& file : all) {
    const auto known = cache.fragment().find(file.name);
    if (known == cache.fragment().end() || !add_fragment(known->second, keys.at(file.name), reading.model))
      changed.push_back(file.path);
  }
  if (!changed.empty()) {
    const Contracts fresh(changed, roots);
    if (!fresh.reading().faults.empty()) return fresh.reading();
    std::map<std::string, std::string> wanted;
    std::map<std::string, std::string> name_by_display;
    for (const auto& path : changed) {
      const auto display = display_name(path);
      const auto name = name_of(path, roots);
      wanted[display] = keys.at(name);
      name_by_display[display] = name;
    }
    for (auto& [display, fragment] : to_fragments(fresh.reading().model, wanted)) {
      static_cast<void>(add_fragment(fragment, wanted.at(display), reading.model));
      (*cache.mutable_fragment())[name_by_display.at(display)] = std::move(fragment);
    }
  }
  const auto gone = cache.fragment_size() != static_cast<int>(all.size());
  if (gone)
    for (auto entry = cache.mutable_fragment()->begin(); entry != cache.mutable_fragment()->end();)
      texts.contains(entry->first) ? void(++entry) : void(entry = cache.mutable_fragment()->erase(entry));
  if (gone || !changed.empty()) write_cache(cache, cache_file);
  std::ranges::sort(reading.model.participants, {}, &contract::Participant::name);
  // Faults between files are seen by whoever reads them together.
  if (std::ranges::adjacent_find(reading.model.participants, {}, &contract::Participant::name) !=
      reading.model.participants.end())
    return Contracts(paths, import_roots).reading();
  std::ranges::sort(reading.model.sagas, {}, &contract::Saga::name);
  std::ranges::sort(reading.model.streams, {}, &contract::BrokerStream::name);
  return reading;
}

}  // namespace quadrille::checker
