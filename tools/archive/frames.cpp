#include "archive/frames.hpp"

#include "archive/format.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace quadrille::archive {

MappedFile::MappedFile(const std::filesystem::path& file) {
  const auto fail = [&](int error) {
    throw std::runtime_error("cannot read " + file.string() + ": " + std::strerror(error));
  };
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) fail(errno);
  struct stat about {};
  const bool known = ::fstat(descriptor, &about) == 0;
  const auto length = known ? static_cast<std::size_t>(about.st_size) : 0;
  void* mapped = length == 0 ? nullptr : ::mmap(nullptr, length, PROT_READ, MAP_SHARED, descriptor, 0);
  const int error = errno;
  ::close(descriptor);
  if (!known || mapped == MAP_FAILED) fail(error);
  bytes_ = {static_cast<const char*>(mapped), length};
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

FrameTable read_frame_table(std::string_view file, const std::string& name) {
  const auto fail = [&](const std::string& what, std::uint64_t at) -> void {
    throw BadArchive(name + ": " + what + " at byte " + std::to_string(at), at);
  };
  const auto size = file.size();
  if (size < sizeof(std::uint32_t) || get_32(file.data()) != zstd_magic) fail("is no archive: no Zstandard frame", 0);
  constexpr std::size_t footer = 9;
  constexpr std::size_t row = 8;
  if (size < skippable_header + footer || get_32(file.data() + size - sizeof(std::uint32_t)) != seekable_magic)
    fail("is cut, or was never finished: it has no seek table", size);
  const std::uint64_t count = get_32(file.data() + size - footer);
  const auto length = count * row + footer;
  if (size < skippable_header + length) fail("is damaged: its seek table is larger than the file", size - footer);
  const auto begin = size - length - skippable_header;
  if (get_32(file.data() + begin) != seek_table_magic || get_32(file.data() + begin + sizeof(std::uint32_t)) != length)
    fail("is damaged: no seek table begins", begin);
  FrameTable table;
  std::uint64_t offset = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto frame = get_32(file.data() + begin + skippable_header + i * row);
    table.frames.push_back({offset, frame});
    offset += frame;
  }
  if (offset != begin)
    fail("is damaged: the seek table tells of " + std::to_string(offset) + " bytes before itself, there are " +
             std::to_string(begin) + ",",
         begin);
  return table;
}

}  // namespace quadrille::archive
