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
  // Read with every event, so without the C library, which takes a lock for the time zone.
  constexpr std::string_view form = "0000-00-00T00:00:00";
  if (text.size() <= form.size()) return std::nullopt;
  for (std::size_t i = 0; i < form.size(); ++i)
    if (form[i] == '0' ? text[i] < '0' || text[i] > '9' : text[i] != form[i]) return std::nullopt;
  const auto number = [&](std::size_t begin, std::size_t digits) {
    int value = 0;
    for (std::size_t i = begin; i < begin + digits; ++i) value = value * 10 + (text[i] - '0');
    return value;
  };
  const std::chrono::year_month_day day(std::chrono::year(number(0, 4)),
                                        std::chrono::month(static_cast<unsigned>(number(5, 2))),
                                        std::chrono::day(static_cast<unsigned>(number(8, 2))));
  const int hour = number(11, 2);
  const int minute = number(14, 2);
  const int second = number(17, 2);
  if (!day.ok() || hour > 23 || minute > 59 || second > 60) return std::nullopt;  // 60: a leap second
  auto rest = text.substr(form.size());
  std::int64_t micros = 0;
  if (rest.front() == '.') {
    rest.remove_prefix(1);
    for (std::int64_t unit = 100'000; !rest.empty() && rest.front() >= '0' && rest.front() <= '9'; unit /= 10) {
      if (unit == 0) return std::nullopt;
      micros += (rest.front() - '0') * unit;
      rest.remove_prefix(1);
    }
  }
  if (rest != "Z") return std::nullopt;
  return TimePoint(std::chrono::sys_days(day).time_since_epoch() + std::chrono::hours(hour) +
                   std::chrono::minutes(minute) + std::chrono::seconds(second) + std::chrono::microseconds(micros));
}

std::optional<std::chrono::milliseconds> duration_from(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, std::int64_t>, 4> units{
      {{"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}}};
  constexpr std::ptrdiff_t most_digits = 12;
  constexpr std::int64_t longest = 100LL * 365 * 24 * 3'600'000;  // so that it can be added to a time, and be taken off
  std::int64_t count = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc{} || count < 0 || rest - text.data() > most_digits) return std::nullopt;
  const std::string_view unit(rest, text.data() + text.size());
  for (const auto& [name, milliseconds] : units)
    if (unit == name && count <= longest / milliseconds) return std::chrono::milliseconds(count * milliseconds);
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
