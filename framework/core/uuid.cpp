#include "core/uuid.hpp"

#include "core/random.hpp"

#include <uuid/uuid.h>

#include <array>
#include <cstdint>
#include <iterator>

namespace quadrille {
namespace {

constexpr std::size_t time_bytes = 6;  // of a version 7, RFC 9562
constexpr std::size_t version_byte = 6;
constexpr std::size_t variant_byte = 8;

/// And the variant of RFC 9562.
void set_version(uuid_t& id, unsigned version) {
  id[version_byte] = static_cast<unsigned char>((id[version_byte] & 0x0FU) | version << 4U);
  id[variant_byte] = static_cast<unsigned char>((id[variant_byte] & 0x3FU) | 0x80U);
}

std::string text_of(const uuid_t& id) {
  std::array<char, 37> text{};
  uuid_unparse_lower(id, text.data());
  return text.data();
}

}  // namespace

std::string new_uuid() {
  uuid_t id;
  fill_random(id);
  set_version(id, 4);
  return text_of(id);
}

std::string new_time_uuid(TimePoint now) {
  uuid_t id;
  fill_random(id);
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count();
  for (std::size_t i = 0; i < time_bytes; ++i)
    id[i] = static_cast<unsigned char>(milliseconds >> (8 * (time_bytes - 1 - i)));
  set_version(id, 7);
  return text_of(id);
}

std::optional<TimePoint> time_of_uuid(std::string_view uuid) {
  uuid_t id;
  if (uuid_parse(std::string(uuid).c_str(), id) != 0 || id[time_bytes] >> 4U != 7) return std::nullopt;
  std::int64_t milliseconds = 0;
  for (std::size_t i = 0; i < time_bytes; ++i) milliseconds = milliseconds << 8 | id[i];
  return TimePoint(std::chrono::milliseconds(milliseconds));
}

}  // namespace quadrille
