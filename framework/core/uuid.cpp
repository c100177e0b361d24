#include "core/uuid.hpp"

#include <uuid/uuid.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <sys/random.h>
#include <unistd.h>

namespace quadrille {
namespace {

constexpr std::size_t time_bytes = 6;  // of a version 7, RFC 9562
constexpr std::size_t version_byte = 6;
constexpr std::size_t variant_byte = 8;

/// From the kernel, many at once: libuuid makes half a dozen system calls for each.
void fill_randomly(uuid_t& id) {
  thread_local std::array<unsigned char, 4096> store{};
  thread_local std::size_t used = store.size();
  thread_local pid_t filled_by = 0;  // a fork must not repeat its parent
  if (used == store.size() || filled_by != ::getpid()) {
    for (std::size_t filled = 0; filled < store.size();) {
      const auto got = ::getrandom(store.data() + filled, store.size() - filled, 0);
      if (got > 0) filled += static_cast<std::size_t>(got);
    }
    used = 0;
    filled_by = ::getpid();
  }
  std::copy_n(store.begin() + static_cast<std::ptrdiff_t>(used), sizeof(uuid_t), std::begin(id));
  used += sizeof(uuid_t);
  id[variant_byte] = static_cast<unsigned char>((id[variant_byte] & 0x3FU) | 0x80U);
}

void set_version(uuid_t& id, unsigned version) {
  id[version_byte] = static_cast<unsigned char>((id[version_byte] & 0x0FU) | version << 4U);
}

std::string text_of(const uuid_t& id) {
  std::array<char, 37> text{};
  uuid_unparse_lower(id, text.data());
  return text.data();
}

}  // namespace

std::string new_uuid() {
  uuid_t id;
  fill_randomly(id);
  set_version(id, 4);
  return text_of(id);
}

std::string new_time_uuid(TimePoint now) {
  uuid_t id;
  fill_randomly(id);
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
