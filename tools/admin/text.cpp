#include "admin/text.hpp"

#include <google/protobuf/util/time_util.h>

#include <algorithm>

namespace quadrille::admin {

std::string as_columns(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const auto& row : rows)
    for (std::size_t column = 0; column < row.size(); ++column)
      widths[column] = std::max(widths[column], row[column].size());
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t column = 0; column + 1 < row.size(); ++column)
      line += row[column] + std::string(widths[column] - row[column].size() + 2, ' ');
    line += row.back();
    std::ranges::replace_if(
        line, [](unsigned char c) { return c < ' ' || c == 0x7F; }, ' ');
    text += line + "\n";
  }
  return text;
}

TimePoint to_time(const google::protobuf::Timestamp& time) {
  return TimePoint(std::chrono::microseconds(google::protobuf::util::TimeUtil::TimestampToMicroseconds(time)));
}

std::int64_t seconds_since(const google::protobuf::Timestamp& time, TimePoint now) {
  return std::chrono::duration_cast<std::chrono::seconds>(now - to_time(time)).count();
}

std::string age_text(std::int64_t seconds) {
  if (seconds < 120) return std::to_string(seconds) + " s";
  if (seconds < 2 * 3600) return std::to_string(seconds / 60) + " min";
  if (seconds < 2 * 86'400) return std::to_string(seconds / 3600) + " h";
  return std::to_string(seconds / 86'400) + " d";
}

}  // namespace quadrille::admin
