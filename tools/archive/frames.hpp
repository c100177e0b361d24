#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace quadrille::archive {

/// A file that is no archive, ends too early, or was changed. Says at which byte, and what can still be done.
class BadArchive final : public std::runtime_error {
 public:
  BadArchive(const std::string& what, std::uint64_t offset) : std::runtime_error(what), offset_(offset) {}
  [[nodiscard]] std::uint64_t offset() const { return offset_; }

 private:
  std::uint64_t offset_;
};

/// A file as bytes, mapped, not read. Immutable; thread-safe. The file must not become shorter meanwhile.
class MappedFile {
 public:
  /// Throws std::runtime_error that names the file where it cannot be opened.
  explicit MappedFile(const std::filesystem::path& file);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  [[nodiscard]] std::string_view bytes() const { return bytes_; }

 private:
  std::string_view bytes_;
};

/// Where the frames of an archive are.
struct FrameTable {
  struct Frame {
    std::uint64_t offset = 0;
    std::uint32_t length = 0;
  };
  std::vector<Frame> frames;
};

/// From the seek table at the end. Throws BadArchive.
[[nodiscard]] FrameTable read_frame_table(std::string_view file, const std::string& name);

}  // namespace quadrille::archive
