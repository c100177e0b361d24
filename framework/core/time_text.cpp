#include "core/time_text.hpp"

#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <utility>

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

std::optional<std::chrono::milliseconds> duration_from(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, std::int64_t>, 4> units{
      {{"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}}};
  constexpr std::ptrdiff_t most_digits = 12;
  std::int64_t count = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc{} || count < 0 || rest - text.data() > most_digits) return std::nullopt;
  const std::string_view unit(rest, text.data() + text.size());
  for (const auto& [name, milliseconds] : units)
    if (unit == name) return std::chrono::milliseconds(count * milliseconds);
  return std::nullopt;
}

std::string duration_text(std::chrono::milliseconds duration) {
  const auto count = duration.count();
  if (count % 3'600'000 == 0) return std::to_string(count / 3'600'000) + " h";
  if (count % 60'000 == 0) return std::to_string(count / 60'000) + " min";
  if (count % 1'000 == 0) return std::to_string(count / 1'000) + " s";
  return std::to_string(count) + " ms";
}

}  // namespace quadrille
