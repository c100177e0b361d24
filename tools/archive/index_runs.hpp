#pragma once

#include <compare>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <vector>

namespace quadrille::archive {

/// Where to look for a saga or a stream.
struct IndexEntry {
  std::uint64_t hash = 0;
  std::uint32_t frame = 0;

  auto operator<=>(const IndexEntry&) const = default;
};

/// Sorts entries that do not fit into memory: runs in a temporary file, then merged. Used by one thread.
class IndexRuns {
 public:
  /// `most`: so many are kept in memory.
  explicit IndexRuns(std::size_t most = 1U << 20U) : most_(most) {}

  /// Throws std::runtime_error where the temporary folder is full.
  void add(IndexEntry entry);
  /// Each entry once, in order. Nothing can be added afterwards.
  void merge(const std::function<void(const IndexEntry&)>& take);

 private:
  struct Close {
    void operator()(std::FILE* file) const { static_cast<void>(std::fclose(file)); }
  };
  using File = std::unique_ptr<std::FILE, Close>;
  struct Run;
  void spill();

  const std::size_t most_;
  std::vector<IndexEntry> entries_;
  File file_;
  std::vector<std::pair<long, std::size_t>> runs_;  ///< where each begins, and how many there are
};

}  // namespace quadrille::archive
