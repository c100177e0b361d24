#include "graph/layout.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <random>

namespace quadrille::graph {
namespace {

Drawing chain(int nodes) {
  Drawing drawing{"chain", {}, {}};
  for (int i = 0; i < nodes; ++i) {
    drawing.nodes.push_back({std::to_string(i), "step " + std::to_string(i), "retriable", Kind::retriable});
    if (i > 0) drawing.edges.push_back({std::to_string(i - 1), std::to_string(i), {"Event"}, Line::forward});
  }
  return drawing;
}

/// Everybody talks to a few: cycles, long edges, self-loops, every kind of node.
Drawing tangle(int nodes, int edges) {
  Drawing drawing = chain(nodes);
  drawing.edges.clear();
  std::mt19937 random(7);  // the engine is specified: the same drawing everywhere
  for (int i = 0; i < nodes; ++i) drawing.nodes[static_cast<std::size_t>(i)].kind = static_cast<Kind>(i % 10);
  const auto any = [&] { return std::to_string(random() % static_cast<unsigned>(nodes)); };
  for (int i = 0; i < edges; ++i) {
    std::vector<std::string> labels;
    for (unsigned label = random() % 7; label > 0; --label) labels.push_back("Event" + std::to_string(random() % 1000));
    drawing.edges.push_back({any(), any(), labels, static_cast<Line>(random() % 3)});
  }
  return drawing;
}

bool overlap(const Box& a, const Box& b) {
  constexpr double touch = 0.01;
  return a.x + a.width > b.x + touch && b.x + b.width > a.x + touch && a.y + a.height > b.y + touch &&
         b.y + b.height > a.y + touch;
}

std::size_t index_of(const Drawing& drawing, const std::string& id) {
  return static_cast<std::size_t>(std::ranges::find(drawing.nodes, id, &Node::id) - drawing.nodes.begin());
}

void expect_on_border(const Drawing& drawing, const Layout& layout, const std::string& id, const Point& point) {
  const auto index = index_of(drawing, id);
  const auto kind = drawing.nodes[index].kind;
  const auto& box = layout.nodes[index].box;
  const double inset = side_inset(kind, box, point.y);
  const bool on_side =
      std::abs(point.x - (box.x + inset)) < 0.01 || std::abs(point.x - (box.x + box.width - inset)) < 0.01;
  const bool on_top = std::abs(point.y - (box.y + top_inset(kind, box, point.x - box.middle_x()))) < 0.01;
  EXPECT_TRUE((on_side && point.y >= box.y && point.y <= box.y + box.height) || on_top)
      << id << ": " << point.x << ", " << point.y;
}

void expect_well_drawn(const Drawing& drawing) {
  const auto layout = lay_out(drawing);
  ASSERT_EQ(layout.nodes.size(), drawing.nodes.size());
  ASSERT_EQ(layout.edges.size(), drawing.edges.size());
  std::vector<Box> boxes;
  for (const auto& node : layout.nodes) boxes.push_back(node.box);
  for (std::size_t i = 0; i < drawing.edges.size(); ++i) {
    const auto& edge = layout.edges[i];
    if (!edge.lines.empty()) boxes.push_back(edge.label);
    ASSERT_GE(edge.curve.size(), 4U);
    ASSERT_EQ(edge.curve.size() % 3, 1U);
    expect_on_border(drawing, layout, drawing.edges[i].from, edge.curve.front());
    expect_on_border(drawing, layout, drawing.edges[i].to, edge.curve.back());
  }
  for (std::size_t a = 0; a < boxes.size(); ++a) {
    EXPECT_GE(boxes[a].x, -0.01);
    EXPECT_GE(boxes[a].y, -0.01);
    EXPECT_LE(boxes[a].x + boxes[a].width, layout.width + 0.01);
    EXPECT_LE(boxes[a].y + boxes[a].height, layout.height + 0.01);
    for (std::size_t b = a + 1; b < boxes.size(); ++b) EXPECT_FALSE(overlap(boxes[a], boxes[b])) << a << " on " << b;
  }
}

TEST(Layout, PutsNoNodeOrLabelOnAnotherAndJoinsEdgesToBorders) {
  expect_well_drawn(chain(12));
  expect_well_drawn(tangle(6, 20));
  expect_well_drawn(tangle(40, 90));
}

TEST(Layout, GoesFromLeftToRight) {
  const auto layout = lay_out(chain(5));
  for (std::size_t i = 1; i < layout.nodes.size(); ++i)
    EXPECT_GT(layout.nodes[i].box.x, layout.nodes[i - 1].box.x + layout.nodes[i - 1].box.width);
  for (std::size_t i = 1; i < layout.nodes.size(); ++i)
    EXPECT_NEAR(layout.nodes[i].box.middle_y(), layout.nodes[0].box.middle_y(), 1) << "a chain is a straight line";
}

TEST(Layout, DrawsACycleAndLoopsToOneself) {
  auto drawing = chain(3);
  drawing.edges.push_back({"2", "0", {"Again"}, Line::failure});
  drawing.edges.push_back({"1", "1", {"Retried"}, Line::timer});
  drawing.edges.push_back({"1", "1", {"Retried", "otherwise"}, Line::forward});
  expect_well_drawn(drawing);
  const auto layout = lay_out(drawing);
  EXPECT_GT(layout.edges[2].curve.front().x, layout.edges[2].curve.back().x) << "the way back runs to the left";
}

TEST(Layout, DrawsWhatIsEmptyOrJoinedByNothing) {
  EXPECT_TRUE(lay_out({}).nodes.empty());
  auto drawing = chain(100);
  drawing.edges.clear();
  expect_well_drawn(drawing);
  const auto layout = lay_out(drawing);
  EXPECT_LT(layout.height, 2000) << "not all in one column";
}

TEST(Layout, CountsTheLabelsThatAreTooMany) {
  auto drawing = chain(2);
  drawing.edges[0].labels = {"A", "B", "C", "D", "E", "F"};
  EXPECT_EQ(lay_out(drawing).edges[0].lines, (std::vector<std::string>{"A", "B", "C", "and 3 more"}));
}

/// A long chain in which everybody hears the first, too: the longest edges there can be.
Drawing hub() {
  auto drawing = chain(300);
  for (int i = 2; i < 300; ++i) drawing.edges.push_back({"0", std::to_string(i), {"Hub"}, Line::forward});
  return drawing;
}

TEST(Layout, AnswersForThreeHundredNodesWhileTheReaderWaits) {
  for (const auto& drawing : {tangle(300, 299), tangle(300, 1500), hub()}) {
    const auto start = std::chrono::steady_clock::now();
    const auto layout = lay_out(drawing);
    EXPECT_EQ(layout.nodes.size(), 300U);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5)) << drawing.edges.size() << " edges";
  }
  EXPECT_EQ(lay_out(chain(300)).nodes.size(), 300U);
}

TEST(Layout, RefusesMoreThanAnybodyCanReadAndSaysWhatToDo) {
  try {
    static_cast<void>(lay_out(chain(301)));
    FAIL() << "drawn";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("301 nodes"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("draw one saga"), std::string::npos);
  }
}

}  // namespace
}  // namespace quadrille::graph
