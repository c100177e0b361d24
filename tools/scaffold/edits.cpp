#include "scaffold/edits.hpp"

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace quadrille::scaffold {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void not_found(const fs::path& path, const std::string& what) {
  throw std::runtime_error(path.string() + ": no line '" + what +
                           "' is found, where this would be added; nothing was changed. Add it by hand");
}

std::string_view without_indent(std::string_view line) {
  const auto begin = line.find_first_not_of(' ');
  return begin == std::string_view::npos ? std::string_view() : line.substr(begin);
}

}  // namespace

bool Edits::exists(const fs::path& path) const { return contents_.contains(path) || fs::exists(root_ / path); }

void Edits::create(const fs::path& path, std::string content) {
  if (exists(path)) throw std::runtime_error((root_ / path).string() + " is there already");
  contents_[path] = std::move(content);
}

std::string& Edits::content(const fs::path& path) {
  if (const auto known = contents_.find(path); known != contents_.end()) return known->second;
  std::ifstream file(root_ / path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + (root_ / path).string());
  before_[path] = {std::istreambuf_iterator<char>(file), {}};
  return contents_[path] = before_[path];
}

const std::string& Edits::text(const fs::path& path) { return content(path); }

std::size_t Edits::line_with(const fs::path& path, const std::string& mark, bool last) {
  const auto& all = content(path);
  std::size_t found = std::string::npos;
  for (std::size_t at = 0; at < all.size();) {
    const auto end = std::min(all.find('\n', at), all.size());
    if (without_indent(std::string_view(all).substr(at, end - at)).starts_with(mark)) {
      found = at;
      if (!last) break;
    }
    at = end + 1;
  }
  if (found == std::string::npos) not_found(root_ / path, mark);
  return found;
}

void Edits::insert_before(const fs::path& path, const std::string& mark, const std::string& lines) {
  content(path).insert(line_with(path, mark, false), lines);
}

void Edits::insert_after_last(const fs::path& path, const std::string& mark, const std::string& lines) {
  auto& all = content(path);
  const auto end = all.find('\n', line_with(path, mark, true));
  if (end == std::string::npos)
    all += "\n" + lines;
  else
    all.insert(end + 1, lines);
}

void Edits::insert_at_end_of_block(const fs::path& path, const std::string& opening, const std::string& lines) {
  auto& all = content(path);
  auto at = all.find('{', line_with(path, opening, false));
  for (int depth = 0; at != std::string::npos; at = all.find_first_of("{}", at + 1)) {
    depth += all[at] == '{' ? 1 : -1;
    if (depth > 0) continue;
    const auto line = all.rfind('\n', at);
    all.insert(line == std::string::npos ? at : line + 1, lines);
    return;
  }
  not_found(root_ / path, "} that closes " + opening);
}

void Edits::insert_sorted(const fs::path& path, const std::string& mark, const std::string& line) {
  auto& all = content(path);
  if (all.find(line) != std::string::npos) return;
  for (auto at = line_with(path, mark, false); at < all.size();) {
    const auto end = std::min(all.find('\n', at), all.size());
    const auto here = std::string_view(all).substr(at, end - at);
    if (!here.starts_with(mark) || here > line) {
      all.insert(at, line + "\n");
      return;
    }
    at = end + 1;
  }
  all += line + "\n";
}

void Edits::append(const fs::path& path, const std::string& lines) { content(path) += lines; }

void Edits::replace(const fs::path& path, const std::string& old_text, const std::string& new_text) {
  auto& all = content(path);
  const auto at = all.find(old_text);
  if (at == std::string::npos) not_found(root_ / path, old_text);
  all.replace(at, old_text.size(), new_text);
}

std::vector<fs::path> Edits::write() {
  std::vector<fs::path> written;
  for (const auto& [path, text] : contents_) {
    if (const auto before = before_.find(path); before != before_.end() && before->second == text) continue;
    fs::create_directories((root_ / path).parent_path());
    std::ofstream file(root_ / path, std::ios::binary);
    file << text;
    if (!file.flush()) throw std::runtime_error("cannot write " + (root_ / path).string());
    written.push_back(path);
  }
  contents_.clear();
  before_.clear();
  return written;
}

}  // namespace quadrille::scaffold
