#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace quadrille::postgres {

/// A position in the server's log (pg_lsn).
using Lsn = std::uint64_t;

/// Reads the big-endian fields of a message of the replication protocol. Throws Error(retry) where the message ends too
/// early.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  [[nodiscard]] std::uint8_t u8();
  [[nodiscard]] std::uint16_t u16();
  [[nodiscard]] std::uint32_t u32();
  [[nodiscard]] std::uint64_t u64();
  [[nodiscard]] std::string_view bytes(std::size_t count);
  /// Up to a zero byte, which is taken too.
  [[nodiscard]] std::string_view text();
  [[nodiscard]] std::string_view rest() const { return rest_; }
  /// Throws Error(retry) where anything is left.
  void expect_end() const;

 private:
  std::string_view rest_;
};

/// Appends a number, big-endian.
void put_u64(std::string& bytes, std::uint64_t value);

}  // namespace quadrille::postgres
