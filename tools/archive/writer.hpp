#pragma once

#include "archive/format.hpp"
#include "archive/index_runs.hpp"
#include "core/event.hpp"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <unordered_set>
#include <vector>

namespace quadrille::archive {

/// Writes an archive beside its name and gives it the name when it is whole. Memory does not grow with the events but
/// for twelve bytes a frame. Used by one thread.
class Writer {
 public:
  /// Throws std::runtime_error where the file cannot be written, and where it is there already.
  Writer(std::filesystem::path file, casefile::v1::ArchiveHeader header);
  /// What was not finished is removed.
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  void add(const Event& event);
  struct Written {
    std::uint64_t events = 0;
    std::uint64_t sagas = 0;
    std::uint64_t streams = 0;
    std::uint64_t bytes = 0;     ///< of the file
    std::uint64_t unpacked = 0;  ///< of the records in it
  };
  Written finish();

 private:
  void end_frame();
  void write_index();
  void write(const std::string& frame, std::size_t unpacked);

  const std::filesystem::path file_;
  const std::filesystem::path unfinished_;
  std::ofstream output_;
  Packer packer_;
  IndexRuns index_;
  casefile::v1::Directory directory_;
  std::string frame_;
  casefile::v1::Directory::Frame about_;
  std::unordered_set<std::uint64_t> in_frame_;
  std::string seek_table_;
  std::uint32_t frames_ = 0;
  Written written_;
};

}  // namespace quadrille::archive
