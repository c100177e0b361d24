#pragma once

#include "graph/drawing.hpp"

#include <string>
#include <string_view>
#include <utility>

/// What nodes look like and how much room text takes, for every format that draws by itself.
namespace quadrille::graph {

struct Box {
  double x = 0;  ///< left
  double y = 0;  ///< top
  double width = 0;
  double height = 0;

  [[nodiscard]] double middle_x() const { return x + width / 2; }
  [[nodiscard]] double middle_y() const { return y + height / 2; }
};

inline constexpr double title_size = 13;
inline constexpr double small_size = 11;
inline constexpr double line_height = 15;

/// Estimated, rather too wide than too narrow: which font there is, only the reader's machine knows.
[[nodiscard]] double text_width(std::string_view text, double size);
/// At most `most` characters, with an ellipsis where something is left out. Valid UTF-8.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t most);

/// Room for the title and the subtitle inside the kind's shape, for at least so many edges on one side.
[[nodiscard]] Box size_of(const Node& node, std::size_t edges);
/// Where its text is centred.
[[nodiscard]] std::pair<double, double> middle_of_text(Kind kind, const Box& box);
/// How far inside the box's left or right side the border is, at this height.
[[nodiscard]] double side_inset(Kind kind, const Box& box, double y);
/// The same for the top, this far from the middle.
[[nodiscard]] double top_inset(Kind kind, const Box& box, double from_middle);
/// As the data of an SVG path: the border, and lines inside it where the kind has some.
[[nodiscard]] std::string border(Kind kind, const Box& box);
[[nodiscard]] std::string inner_lines(Kind kind, const Box& box);

/// One decimal, always with a point.
[[nodiscard]] std::string number(double value);
/// The word for the kind in style sheets.
[[nodiscard]] const char* name_of(Kind kind);
[[nodiscard]] const char* name_of(Line line);

}  // namespace quadrille::graph
