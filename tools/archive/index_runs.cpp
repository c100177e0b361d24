#include "archive/index_runs.hpp"

#include <algorithm>
#include <queue>
#include <stdexcept>
#include <utility>

namespace quadrille::archive {
namespace {

[[noreturn]] void no_space() {
  throw std::runtime_error("the index does not fit into the temporary folder; set TMPDIR to where there is space");
}

}  // namespace

/// Reads one run in pieces.
struct IndexRuns::Run {
  std::FILE* file = nullptr;
  long at = 0;
  std::size_t left = 0;
  std::vector<IndexEntry> piece{};
  std::size_t next = 0;

  bool fill() {
    if (next < piece.size()) return true;
    constexpr std::size_t at_once = 4'096;
    piece.resize(std::min(left, at_once));
    next = 0;
    if (piece.empty()) return false;
    if (std::fseek(file, at, SEEK_SET) != 0 ||
        std::fread(piece.data(), sizeof(IndexEntry), piece.size(), file) != piece.size())
      no_space();
    at += static_cast<long>(piece.size() * sizeof(IndexEntry));
    left -= piece.size();
    return true;
  }
};

void IndexRuns::add(IndexEntry entry) {
  entries_.push_back(entry);
  if (entries_.size() == most_) spill();
}

void IndexRuns::spill() {
  std::ranges::sort(entries_);
  if (!file_) file_ = File(std::tmpfile());
  if (!file_) no_space();
  runs_.emplace_back(std::ftell(file_.get()), entries_.size());
  if (std::fwrite(entries_.data(), sizeof(IndexEntry), entries_.size(), file_.get()) != entries_.size()) no_space();
  entries_.clear();
}

void IndexRuns::merge(const std::function<void(const IndexEntry&)>& take) {
  std::ranges::sort(entries_);
  std::vector<Run> runs;
  for (const auto& [at, count] : runs_) runs.push_back({file_.get(), at, count});
  runs.push_back({nullptr, 0, 0, std::move(entries_), 0});
  if (file_ && std::fflush(file_.get()) != 0) no_space();
  const auto later = [&](std::size_t one, std::size_t other) {
    return runs[other].piece[runs[other].next] < runs[one].piece[runs[one].next];
  };
  std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(later)> heads(later);
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (runs[i].fill()) heads.push(i);
  bool any = false;
  IndexEntry last;
  while (!heads.empty()) {
    const auto run = heads.top();
    heads.pop();
    const auto entry = runs[run].piece[runs[run].next++];
    if (!any || entry != last) take(entry);
    any = true;
    last = entry;
    if (runs[run].fill()) heads.push(run);
  }
}

}  // namespace quadrille::archive
