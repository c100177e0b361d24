#include "terminal/table.hpp"

#include <algorithm>
#include <cstdint>

namespace quadrille::terminal {
namespace {

/// Signs that a terminal shows, as far as UTF-8 tells without tables of widths.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace

std::string table(std::vector<std::vector<std::string>> rows) {
  std::vector<std::size_t> widths;
  for (auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t c = 0; c < row.size(); ++c) {
      std::ranges::replace_if(
          row[c], [](char sign) { return (sign >= 0 && sign < ' ') || sign == '\x7f'; }, '?');
      widths[c] = std::max(widths[c], width(row[c]));
    }
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c)
      line += (c == 0 ? "" : "  ") + row[c] + std::string(widths[c] - width(row[c]), ' ');
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string age_text(std::chrono::microseconds age) {
  const auto seconds = std::max<std::int64_t>(0, std::chrono::duration_cast<std::chrono::seconds>(age).count());
  if (seconds < 120) return std::to_string(seconds) + " s";
  if (seconds < 2 * 3600) return std::to_string(seconds / 60) + " min";
  if (seconds < 2 * 86'400) return std::to_string(seconds / 3600) + " h";
  return std::to_string(seconds / 86'400) + " d";
}

}  // namespace quadrille::terminal
