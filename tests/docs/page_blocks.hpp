#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace quadrille::docs {

/// A fenced block of a page.
struct Block {
  std::filesystem::path page;
  std::string kind;  ///< what stands behind the fence, such as "sh", "sh running fails" or "text output"
  std::string file;  ///< what the comment before it names
  std::string text;

  /// Whether `word` is part of the kind.
  [[nodiscard]] bool is(const std::string& word) const;
};

/// The pages of framework/docs, without those that programs write.
std::filesystem::path pages();
/// Their blocks, in the order of a page.
std::vector<Block> blocks();

std::string content(const std::filesystem::path& file);

struct Answer {
  int exit_code = -1;
  std::string output;
};
/// Runs it with the programs of this build in the folder of the sources.
Answer shell(const std::string& script, const std::map<std::string, std::string>& environment = {});

/// The first line of `shown` that `said` does not have, in this order; empty where it has all. Ids, times, ages and the
/// width of columns may differ.
std::string missing_line(const std::string& shown, const std::string& said);

/// Compares a page of framework/docs/reference; QUADRILLE_WRITE_GOLDEN writes it.
void expect_reference(const std::string& name, const std::string& heading, const std::string& text);

}  // namespace quadrille::docs
