#include "checker/file_keys.hpp"

#include "core/sha256.hpp"

#include <set>

namespace quadrille::checker {
namespace {

/// Visits imports first; a circle, which protoc refuses, ends where it closes.
class Keys {
 public:
  explicit Keys(const std::map<std::string, std::string>& texts) : texts_(texts) {}

  std::map<std::string, std::string> run() {
    for (const auto& [name, text] : texts_) static_cast<void>(key(name));
    return std::move(keys_);
  }

 private:
  std::string key(const std::string& name) {
    if (const auto known = keys_.find(name); known != keys_.end()) return known->second;
    const auto text = texts_.find(name);
    if (text == texts_.end() || !open_.insert(name).second) return {};
    std::string all;
    for (const auto& import : imports_of(text->second)) all += key(import);
    open_.erase(name);
    return keys_[name] = sha256(all + text->second);
  }

  const std::map<std::string, std::string>& texts_;
  std::map<std::string, std::string> keys_;
  std::set<std::string> open_;
};

}  // namespace

std::vector<std::string> imports_of(std::string_view text) {
  std::vector<std::string> imports;
  for (std::size_t start = 0; start < text.size();) {
    const auto end = std::min(text.find('\n', start), text.size());
    auto line = text.substr(start, end - start);
    start = end + 1;
    // Several statements may share a line; what does not begin one, such as a comment, is skipped.
    for (auto rest = line; !rest.empty(); rest.remove_prefix(std::min(rest.find(';'), rest.size() - 1) + 1)) {
      rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r"), rest.size()));
      if (rest.starts_with("//")) break;
      if (!rest.starts_with("import")) continue;
      const auto open = rest.find_first_of("\"'");
      const auto close = open == std::string_view::npos ? open : rest.find(rest[open], open + 1);
      if (close != std::string_view::npos) imports.emplace_back(rest.substr(open + 1, close - open - 1));
    }
  }
  return imports;
}

std::map<std::string, std::string> keys_of(const std::map<std::string, std::string>& texts) {
  return Keys(texts).run();
}

}  // namespace quadrille::checker
