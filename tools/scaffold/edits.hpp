#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace quadrille::scaffold {

/// Changes of a project's files, all of them or none: they are made in memory, and written at the end. A place that is
/// not found is an error that names file and place, so a file that was rearranged by hand is never garbled.
class Edits {
 public:
  explicit Edits(std::filesystem::path root) : root_(std::move(root)) {}

  /// `path` is relative to the project. Throws std::runtime_error where there is such a file already.
  void create(const std::filesystem::path& path, std::string content);
  [[nodiscard]] const std::string& text(const std::filesystem::path& path);
  /// A line before the first, or after the last, line that begins with `mark` (blanks aside).
  void insert_before(const std::filesystem::path& path, const std::string& mark, const std::string& lines);
  void insert_after_last(const std::filesystem::path& path, const std::string& mark, const std::string& lines);
  /// Before the brace that closes the block which `opening` begins.
  void insert_at_end_of_block(const std::filesystem::path& path, const std::string& opening, const std::string& lines);
  /// `line` among those that begin as `mark` does, in their order; nothing where it is there already.
  void insert_sorted(const std::filesystem::path& path, const std::string& mark, const std::string& line);
  void append(const std::filesystem::path& path, const std::string& lines);
  void replace(const std::filesystem::path& path, const std::string& old_text, const std::string& new_text);

  [[nodiscard]] bool exists(const std::filesystem::path& path) const;
  /// What was created or changed, relative.
  std::vector<std::filesystem::path> write();

 private:
  std::string& content(const std::filesystem::path& path);
  [[nodiscard]] std::size_t line_with(const std::filesystem::path& path, const std::string& mark, bool last);

  std::filesystem::path root_;
  std::map<std::filesystem::path, std::string> contents_;
  std::map<std::filesystem::path, std::string> before_;  ///< of those that were there
};

}  // namespace quadrille::scaffold
