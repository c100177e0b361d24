#include "core/uuid.hpp"

#include <uuid/uuid.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace quadrille {
namespace {

constexpr std::size_t trace_id_begin = 3;  // after "00-"
constexpr std::size_t trace_id_length = 32;
constexpr std::size_t traceparent_length = 55;
constexpr std::size_t time_bytes = 6;  // of a version 7, RFC 9562

std::string random_hex() {
  std::string text = new_uuid();
  std::erase(text, '-');
  return text;
}

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

std::string trace_id(const std::string& traceparent) {
  if (traceparent.size() != traceparent_length || !traceparent.starts_with("00-")) return {};
  const std::string id = traceparent.substr(trace_id_begin, trace_id_length);
  const bool hexadecimal =
      std::ranges::all_of(id, [](unsigned char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
  return hexadecimal && id.find_first_not_of('0') != std::string::npos ? id : std::string{};
}

std::string next_traceparent(const std::string& parent) {
  std::string trace = trace_id(parent);
  if (trace.empty()) trace = random_hex();
  return "00-" + trace + "-" + random_hex().substr(0, 16) + "-01";
}

}  // namespace quadrille
