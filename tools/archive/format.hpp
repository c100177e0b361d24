#pragma once

#include "quadrille/casefile/v1/archive.pb.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

/// The bytes of an archive; framework/casefile/proto/quadrille/casefile/v1/archive.proto says what is where.
namespace quadrille::archive {

constexpr std::uint32_t zstd_magic = 0xFD2FB528;
constexpr std::uint32_t page_magic = 0x184D2A51;
constexpr std::uint32_t directory_magic = 0x184D2A52;
constexpr std::uint32_t seek_table_magic = 0x184D2A5E;
constexpr std::uint32_t seekable_magic = 0x8F92EAB1;  ///< the last four bytes of the file
constexpr std::size_t frame_bytes = 256U << 10U;      ///< of data, unpacked, or one record more
constexpr std::size_t page_entries = 4'096;
constexpr std::size_t entry_bytes = 12;
constexpr std::size_t skippable_header = 8;

[[nodiscard]] std::uint64_t saga_hash(std::string_view saga_id);
[[nodiscard]] std::uint64_t stream_hash(std::string_view stream);
[[nodiscard]] inline bool is_saga(std::uint64_t hash) { return (hash & 1U) == 0; }

void put_32(std::string& bytes, std::uint32_t value);
void put_64(std::string& bytes, std::uint64_t value);
[[nodiscard]] std::uint32_t get_32(const char* bytes);
[[nodiscard]] std::uint64_t get_64(const char* bytes);
[[nodiscard]] std::uint32_t crc(std::string_view bytes);

/// Packs into one frame with length and checksum. Not thread-safe.
class Packer {
 public:
  Packer();
  ~Packer();
  Packer(const Packer&) = delete;
  Packer& operator=(const Packer&) = delete;
  [[nodiscard]] std::string pack(std::string_view bytes);

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

/// Unpacks one frame. Throws std::runtime_error that says what is wrong with it: cut, changed (its checksum does not
/// match), or no frame.
[[nodiscard]] std::string unpack(std::string_view frame);
/// The length of the frame that begins here, data or skippable; 0 where none does, or where it is cut.
[[nodiscard]] std::size_t length_of_frame(std::string_view bytes);

[[nodiscard]] std::string skippable(std::uint32_t magic, std::string_view content);

void put_record(std::string& bytes, const casefile::v1::Entry& entry);
/// The next record, which is taken off the bytes. Throws std::runtime_error for bytes that are none.
void take_record(std::string_view& bytes, casefile::v1::Entry& entry);

}  // namespace quadrille::archive
