#include "graph/drawing.hpp"

#include <gtest/gtest.h>

namespace quadrille::graph {
namespace {

Drawing with_name(const std::string& name) {
  return {name,
          {{name, name, name, Kind::pivot}, {"other", "other", "", Kind::done}},
          {{name, "other", {name}, Line::failure}}};
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Svg, KeepsHostileNamesAsText) {
  const auto svg = as_svg(with_name("\"'<script>alert(1)</script>&]]>"));
  EXPECT_FALSE(has(svg, "<script"));
  EXPECT_FALSE(has(svg, "]]>"));
  EXPECT_TRUE(has(svg, ">&quot;'&lt;script&gt;alert(1)&lt;/script&gt;&amp;]]&gt;</text>"));
  EXPECT_TRUE(has(as_svg(with_name("Größe 注文 💶")), ">Größe 注文 💶</text>"));
  const auto broken = as_svg(with_name("a\xFF" + std::string("\x01\x1B") + "b"));
  EXPECT_TRUE(has(broken, ">a?\uFFFD\uFFFDb</text>")) << "no character of XML";
}

TEST(Svg, ShowsLongNamesShortAndTellsThemInFull) {
  const std::string name(60, 'x');
  const auto svg = as_svg(with_name(name));
  EXPECT_TRUE(has(svg, "<title>" + name + " (" + name + ")</title>"));
  EXPECT_TRUE(has(svg, ">" + name.substr(0, 43) + "\xE2\x80\xA6</text>"));
}

TEST(Svg, SaysInWordsWhatItShows) {
  const auto svg = as_svg(with_name("order.Place"));
  EXPECT_TRUE(has(svg, "role=\"img\" aria-labelledby=\"t d\""));
  EXPECT_TRUE(has(svg, "<title id=\"t\">order.Place</title>"));
  EXPECT_TRUE(has(svg, "2 nodes, 1 connections, from left to right. order.Place to other: order.Place (failure)."));
}

TEST(Svg, DiffersInShapeAndDashNotInColourAlone) {
  const auto svg = as_svg(with_name("order.Place"));
  EXPECT_TRUE(has(svg, "class=\"edge failure\""));
  EXPECT_TRUE(has(svg, "class=\"node pivot\""));
  EXPECT_TRUE(has(svg, ">failure</text>")) << "the legend";
  EXPECT_TRUE(has(svg, "prefers-color-scheme:dark"));
}

TEST(Svg, IsTheSameBytesForTheSameDrawing) {
  EXPECT_EQ(as_svg(with_name("order.Place")), as_svg(with_name("order.Place")));
}

TEST(Mermaid, IsRefusedAboveItsLimitsWithAWayOut) {
  Drawing drawing{"large", {{"a", "a", "", Kind::query}, {"b", "b", "", Kind::query}}, {}};
  for (int i = 0; i < 401; ++i) drawing.edges.push_back({"a", "b", {"e"}, Line::forward});
  try {
    static_cast<void>(as_mermaid(drawing));
    FAIL() << "Mermaid would show a syntax error";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("401 edges"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("--view saga:NAME"), std::string::npos);
  }
  drawing.edges.resize(2);
  drawing.edges[0].labels = {std::string(50'000, 'x')};
  EXPECT_THROW(static_cast<void>(as_mermaid(drawing)), std::runtime_error);
  drawing.edges[0].labels = {"x"};
  EXPECT_NO_THROW(static_cast<void>(as_mermaid(drawing)));
}

}  // namespace
}  // namespace quadrille::graph
