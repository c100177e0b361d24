#include "core/utf8.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace quadrille {
namespace {

/// Length of the well-formed sequence at the start of `bytes` (Unicode 15, table 3-7); 0 when there is none.
std::size_t sequence_length(std::string_view bytes) {
  const auto at = [&](std::size_t i) { return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0U; };
  const auto continuation = [&](std::size_t i) { return (at(i) & 0xC0U) == 0x80U; };
  const unsigned first = at(0);
  if (first != 0 && first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return continuation(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const unsigned lowest = first == 0xE0 ? 0xA0 : 0x80;   // shorter forms are not allowed
    const unsigned highest = first == 0xED ? 0x9F : 0xBF;  // nor are surrogates
    return at(1) >= lowest && at(1) <= highest && continuation(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const unsigned lowest = first == 0xF0 ? 0x90 : 0x80;
    const unsigned highest = first == 0xF4 ? 0x8F : 0xBF;
    return at(1) >= lowest && at(1) <= highest && continuation(2) && continuation(3) ? 4 : 0;
  }
  return 0;
}

}  // namespace

bool is_text(std::string_view bytes) {
  while (!bytes.empty()) {
    // Nearly all of it is ASCII: eight bytes at once that are neither above it nor zero.
    if (std::uint64_t word = 0; bytes.size() >= sizeof word) {
      std::memcpy(&word, bytes.data(), sizeof word);
      constexpr std::uint64_t ones = 0x0101010101010101ULL;
      constexpr std::uint64_t highest = 0x8080808080808080ULL;
      if ((word & highest) == 0 && ((word - ones) & highest) == 0) {
        bytes.remove_prefix(sizeof word);
        continue;
      }
    }
    const auto length = sequence_length(bytes);
    if (length == 0) return false;
    bytes.remove_prefix(length);
  }
  return true;
}

std::string to_text(std::string_view bytes) {
  if (is_text(bytes)) return std::string(bytes);
  std::string text;
  while (!bytes.empty()) {
    const auto length = sequence_length(bytes);
    text += length == 0 ? std::string_view("?") : bytes.substr(0, length);
    bytes.remove_prefix(length == 0 ? 1 : length);
  }
  return text;
}

}  // namespace quadrille
