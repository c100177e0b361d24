#include "postgres/replication/bytes.hpp"

#include "quadrille/error.hpp"

namespace quadrille::postgres {
namespace {

[[noreturn]] void malformed(const std::string& how) {
  throw Error(Disposition::retry, "PostgreSQL's replication stream: a message " + how);
}

template <class Number>
Number number(std::string_view bytes) {
  Number value = 0;
  for (const char byte : bytes) value = static_cast<Number>(value << 8U | static_cast<unsigned char>(byte));
  return value;
}

}  // namespace

std::string_view ByteReader::bytes(std::size_t count) {
  if (count > rest_.size()) malformed("ends too early");
  const auto taken = rest_.substr(0, count);
  rest_.remove_prefix(count);
  return taken;
}

std::uint8_t ByteReader::u8() { return static_cast<std::uint8_t>(bytes(1).front()); }
std::uint16_t ByteReader::u16() { return number<std::uint16_t>(bytes(2)); }
std::uint32_t ByteReader::u32() { return number<std::uint32_t>(bytes(4)); }
std::uint64_t ByteReader::u64() { return number<std::uint64_t>(bytes(8)); }

std::string_view ByteReader::text() {
  const auto end = rest_.find('\0');
  if (end == std::string_view::npos) malformed("ends within a name");
  const auto taken = bytes(end);
  rest_.remove_prefix(1);
  return taken;
}

void ByteReader::expect_end() const {
  if (!rest_.empty()) malformed("is longer than it should be");
}

void put_u64(std::string& bytes, std::uint64_t value) {
  for (int shift = 56; shift >= 0; shift -= 8)
    bytes += static_cast<char>(value >> static_cast<unsigned>(shift) & 0xffU);
}

}  // namespace quadrille::postgres
