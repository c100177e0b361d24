#include "core/time_text.hpp"

#include <array>
#include <cstdint>
#include <cstdio>
#include <ctime>

namespace quadrille {

std::string to_rfc3339(TimePoint time) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  const auto micros = (time - seconds).count();
  const std::time_t unix_time = seconds.time_since_epoch().count();
  std::tm parts{};
  gmtime_r(&unix_time, &parts);
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02d-%02dT%02d:%02d:%02d.%06lldZ", parts.tm_year + 1900,
                parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                static_cast<long long>(micros));
  return text.data();
}

std::optional<TimePoint> from_rfc3339(std::string_view text) {
  const std::string whole(text);
  std::tm parts{};
  const char* rest = strptime(whole.c_str(), "%Y-%m-%dT%H:%M:%S", &parts);
  if (rest == nullptr) return std::nullopt;
  std::int64_t micros = 0;
  if (*rest == '.') {
    std::int64_t unit = 100'000;
    for (++rest; *rest >= '0' && *rest <= '9'; ++rest, unit /= 10) {
      if (unit == 0) return std::nullopt;
      micros += (*rest - '0') * unit;
    }
  }
  if (rest[0] != 'Z' || rest[1] != '\0') return std::nullopt;
  return TimePoint(std::chrono::seconds(timegm(&parts)) + std::chrono::microseconds(micros));
}

std::string duration_text(std::chrono::milliseconds duration) {
  const auto count = duration.count();
  if (count % 3'600'000 == 0) return std::to_string(count / 3'600'000) + " h";
  if (count % 60'000 == 0) return std::to_string(count / 60'000) + " min";
  if (count % 1'000 == 0) return std::to_string(count / 1'000) + " s";
  return std::to_string(count) + " ms";
}

}  // namespace quadrille
