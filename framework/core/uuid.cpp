#include "core/uuid.hpp"

#include <uuid/uuid.h>

#include <array>
#include <cstdint>

namespace quadrille {
namespace {

constexpr std::size_t time_bytes = 6;  // of a version 7, RFC 9562

}  // namespace

std::string new_uuid() {
  uuid_t id;
  uuid_generate_random(id);
  std::array<char, 37> text{};
  uuid_unparse_lower(id, text.data());
  return text.data();
}

std::string new_time_uuid(TimePoint now) {
  uuid_t id;
  uuid_generate_random(id);
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count();
  for (std::size_t i = 0; i < time_bytes; ++i)
    id[i] = static_cast<unsigned char>(milliseconds >> (8 * (time_bytes - 1 - i)));
  id[time_bytes] = static_cast<unsigned char>((id[time_bytes] & 0x0FU) | 0x70U);
  std::array<char, 37> text{};
  uuid_unparse_lower(id, text.data());
  return text.data();
}

std::optional<TimePoint> time_of_uuid(std::string_view uuid) {
  uuid_t id;
  if (uuid_parse(std::string(uuid).c_str(), id) != 0 || id[time_bytes] >> 4U != 7) return std::nullopt;
  std::int64_t milliseconds = 0;
  for (std::size_t i = 0; i < time_bytes; ++i) milliseconds = milliseconds << 8 | id[i];
  return TimePoint(std::chrono::milliseconds(milliseconds));
}

}  // namespace quadrille
