#include "graph/shape.hpp"

#include "core/utf8.hpp"

#include <algorithm>
#include <cmath>

namespace quadrille::graph {
namespace {

constexpr std::size_t longest_title = 44;
constexpr double bold = 1.1;
constexpr double point_of_hexagon = 14;
constexpr double depth_of_box = 6;
constexpr double corner = 12;
constexpr double ring = 4;  // between the two lines of an end
constexpr double bracket = 6;

/// In units of the font's size, for a common sans-serif font.
double width_of(unsigned char lead) {
  if (lead >= 0xE0) return 1.05;  // three and four bytes: mostly wide scripts
  if (lead >= 0xC0) return 0.68;
  const std::string_view narrow = "iljtfrI.,:;'|!()[]{} /\\\"`-";
  const std::string_view wide = "mwMW@%&";
  if (narrow.find(static_cast<char>(lead)) != std::string_view::npos) return 0.40;
  if (wide.find(static_cast<char>(lead)) != std::string_view::npos) return 0.95;
  return lead >= 'A' && lead <= 'Z' ? 0.72 : 0.60;
}

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

std::string point(double x, double y) { return number(x) + " " + number(y); }

std::string polygon(std::initializer_list<std::pair<double, double>> corners) {
  std::string text;
  for (const auto& [x, y] : corners) text += (text.empty() ? "M" : "L") + point(x, y);
  return text + "Z";
}

std::string rounded(const Box& box, double radius) {
  const auto arc = [&](double x, double y) { return "A" + point(radius, radius) + " 0 0 1 " + point(x, y); };
  const double right = box.x + box.width;
  const double bottom = box.y + box.height;
  return "M" + point(box.x + radius, box.y) + "H" + number(right - radius) + arc(right, box.y + radius) + "V" +
         number(bottom - radius) + arc(right - radius, bottom) + "H" + number(box.x + radius) +
         arc(box.x, bottom - radius) + "V" + number(box.y + radius) + arc(box.x + radius, box.y) + "Z";
}

std::string ellipse(const Box& box) {
  const auto radii = point(box.width / 2, box.height / 2);
  return "M" + point(box.x, box.middle_y()) + "A" + radii + " 0 1 1 " + point(box.x + box.width, box.middle_y()) + "A" +
         radii + " 0 1 1 " + point(box.x, box.middle_y()) + "Z";
}

double round_inset(double radius, double beyond) {
  if (beyond <= 0) return 0;
  return radius - std::sqrt(std::max(0.0, radius * radius - beyond * beyond));
}

/// The border of an ellipse, as a part of its half axis.
double bulge(double part) { return std::sqrt(std::max(0.0, 1 - part * part)); }

}  // namespace

double text_width(std::string_view text, double size) {
  double width = 0;
  for (const char byte : text)
    if (!is_continuation(byte)) width += width_of(static_cast<unsigned char>(byte));
  return width * size;
}

std::string shortened(std::string_view text, std::size_t most) {
  std::string valid = to_text(text);
  std::size_t characters = 0;
  std::size_t cut = 0;  // where the last character that stays begins
  for (std::size_t i = 0; i < valid.size(); ++i) {
    if (is_continuation(valid[i])) continue;
    if (++characters == most) cut = i;
    if (characters > most) return valid.substr(0, cut) + "\xE2\x80\xA6";
  }
  return valid;
}

Box size_of(const Node& node, std::size_t edges) {
  const double text = std::max(text_width(shortened(node.title, longest_title), title_size) * bold,
                               text_width(shortened(node.subtitle, longest_title), small_size));
  const double lines = node.subtitle.empty() ? line_height : 2 * line_height;
  Box box{0, 0, text + 24, lines + 14};
  switch (node.kind) {
    case Kind::query:
      return {0, 0, text * 1.5 + 24, lines * 2.4 + 10};
    case Kind::observer:
      return {0, 0, text * 1.25 + 24, lines * 1.3 + 16};
    case Kind::done:
    case Kind::undone:
      return {0, 0, text + 40, lines + 22};
    case Kind::pivot:
      box.width += 2 * point_of_hexagon;
      break;
    case Kind::participant:
      box.width += depth_of_box;
      box.height += depth_of_box;
      break;
    default:
      break;
  }
  constexpr double apart = 7;
  constexpr double tallest = 220;
  box.height = std::max(box.height, std::min(tallest, apart * static_cast<double>(edges + 2)));
  return box;
}

std::pair<double, double> middle_of_text(Kind kind, const Box& box) {
  const double aside = kind == Kind::participant ? depth_of_box / 2 : 0;  // on its front
  return {box.middle_x() - aside, box.middle_y() + aside};
}

double side_inset(Kind kind, const Box& box, double y) {
  const double half = box.height / 2;
  const double away = std::min(half, std::abs(y - box.middle_y()));
  switch (kind) {
    case Kind::pivot:
      return point_of_hexagon * away / half;
    case Kind::query:
      return box.width / 2 * away / half;
    case Kind::observer:
      return box.width / 2 * (1 - bulge(away / half));
    case Kind::done:
    case Kind::undone:
      return round_inset(half, away);
    case Kind::retriable:
      return round_inset(corner, away - (half - corner));
    default:
      return 0;
  }
}

double top_inset(Kind kind, const Box& box, double from_middle) {
  const double part = std::min(1.0, std::abs(from_middle) / (box.width / 2));
  if (kind == Kind::query) return box.height / 2 * part;
  return kind == Kind::observer ? box.height / 2 * (1 - bulge(part)) : 0;
}

std::string border(Kind kind, const Box& box) {
  const double right = box.x + box.width;
  const double bottom = box.y + box.height;
  switch (kind) {
    case Kind::participant:
      return polygon({{box.x, box.y + depth_of_box},
                      {box.x + depth_of_box, box.y},
                      {right, box.y},
                      {right, bottom - depth_of_box},
                      {right - depth_of_box, bottom},
                      {box.x, bottom}});
    case Kind::pivot:
      return polygon({{box.x, box.middle_y()},
                      {box.x + point_of_hexagon, box.y},
                      {right - point_of_hexagon, box.y},
                      {right, box.middle_y()},
                      {right - point_of_hexagon, bottom},
                      {box.x + point_of_hexagon, bottom}});
    case Kind::query:
      return polygon(
          {{box.x, box.middle_y()}, {box.middle_x(), box.y}, {right, box.middle_y()}, {box.middle_x(), bottom}});
    case Kind::observer:
      return ellipse(box);
    case Kind::done:
    case Kind::undone:
      return rounded(box, box.height / 2);
    case Kind::retriable:
      return rounded(box, corner);
    case Kind::outside:
    case Kind::compensatable:
    case Kind::compensation:
      return polygon({{box.x, box.y}, {right, box.y}, {right, bottom}, {box.x, bottom}});
  }
  return {};
}

std::string inner_lines(Kind kind, const Box& box) {
  const double right = box.x + box.width;
  const double bottom = box.y + box.height;
  if (kind == Kind::done || kind == Kind::undone)
    return rounded({box.x + ring, box.y + ring, box.width - 2 * ring, box.height - 2 * ring}, box.height / 2 - ring);
  if (kind == Kind::participant)
    return "M" + point(box.x, box.y + depth_of_box) + "H" + number(right - depth_of_box) + "V" + number(bottom) + "M" +
           point(right - depth_of_box, box.y + depth_of_box) + "L" + point(right, box.y);
  if (kind == Kind::outside)
    return "M" + point(box.x + bracket, box.y) + "H" + number(box.x) + "V" + number(bottom) + "H" +
           number(box.x + bracket) + "M" + point(right - bracket, box.y) + "H" + number(right) + "V" + number(bottom) +
           "H" + number(right - bracket);
  return {};
}

std::string number(double value) {
  const long tenths = std::lround(value * 10);
  const long whole = std::labs(tenths);
  return (tenths < 0 ? "-" : "") + std::to_string(whole / 10) + "." + std::to_string(whole % 10);
}

const char* name_of(Kind kind) {
  constexpr const char* names[] = {"participant", "compensatable", "pivot", "retriable", "compensation",
                                   "query",       "observer",      "done",  "undone",    "outside"};
  return names[static_cast<std::size_t>(kind)];
}

const char* name_of(Line line) {
  constexpr const char* names[] = {"forward", "failure", "timer"};
  return names[static_cast<std::size_t>(line)];
}

}  // namespace quadrille::graph
