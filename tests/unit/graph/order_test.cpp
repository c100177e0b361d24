#include "graph/layers.hpp"

#include <gtest/gtest.h>

namespace quadrille::graph {
namespace {

TEST(Order, TakesOutCrossingsThatNeedNotBe) {
  Drawing drawing{"crossed", {}, {}};
  constexpr int pairs = 8;
  for (int i = 0; i < pairs; ++i) drawing.nodes.push_back({"from" + std::to_string(i), "", "", Kind::participant});
  for (int i = 0; i < pairs; ++i) drawing.nodes.push_back({"to" + std::to_string(i), "", "", Kind::participant});
  for (int i = 0; i < pairs; ++i)
    drawing.edges.push_back({"from" + std::to_string(i), "to" + std::to_string(pairs - 1 - i), {}, Line::forward});
  auto columns = arrange(drawing);
  EXPECT_EQ(crossings(columns), pairs * (pairs - 1) / 2);
  reduce_crossings(columns);
  EXPECT_EQ(crossings(columns), 0);
}

TEST(Order, LeavesTheOneCrossingThatHasToBe) {
  Drawing drawing{"all", {}, {}};
  for (int i = 0; i < 2; ++i) drawing.nodes.push_back({"a" + std::to_string(i), "", "", Kind::participant});
  for (int i = 0; i < 2; ++i) drawing.nodes.push_back({"b" + std::to_string(i), "", "", Kind::participant});
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      drawing.edges.push_back({"a" + std::to_string(i), "b" + std::to_string(j), {}, Line::forward});
  auto columns = arrange(drawing);
  reduce_crossings(columns);
  EXPECT_EQ(crossings(columns), 1) << "two with two cannot be drawn without one";
}

}  // namespace
}  // namespace quadrille::graph
