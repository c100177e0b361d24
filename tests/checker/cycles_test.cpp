// The six cases of loops with counters. (A check that merely removes every bounded step gets the third and fifth
// wrong.)
#include "checker/check.hpp"
#include "checker/rules.hpp"
#include "model_builder.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace quadrille::checker {
namespace {

std::vector<Finding> livelocks(const contract::Model& model) {
  const Graph graph(model);
  std::vector<Finding> findings;
  check_cycles({graph, {}, findings});
  std::erase_if(findings, [](const Finding& finding) { return finding.code != "QDR140"; });
  return findings;
}

std::vector<std::string> labels(const Finding& finding) {
  std::vector<std::string> texts;
  for (const auto& station : finding.witness) texts.push_back(station.label);
  return texts;
}

TEST(Cycles, APlainOneIsALivelockWithItsShortestWitness) {
  ModelBuilder builder("p");
  builder.step("A", {"x"}, {"y"}).step("B", {"y"}, {"x", "z"}).step("C", {"z"}, {"y"});
  const auto found = livelocks(builder.model);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(labels(found[0]), (std::vector<std::string>{"p.A", "y", "p.B", "x", "p.A"}));
}

TEST(Cycles, ABoundedRetryEnds) {
  ModelBuilder builder("p");
  builder.step("A", {"x"}, {"y"}).step("B", {"y"}, {"x"}).bound("tries");
  EXPECT_TRUE(livelocks(builder.model).empty());
}

TEST(Cycles, ABoundThatIsResetOnTheWayBoundsNothing) {
  ModelBuilder builder("p");
  builder.step("A", {"x"}, {"y"}).resets("tries").step("B", {"y"}, {"x"}).bound("tries");
  EXPECT_EQ(livelocks(builder.model).size(), 1U);
}

TEST(Cycles, NestedOnesEndWhenBothAreBounded) {
  ModelBuilder builder("p");
  // inner: B -> y2 -> B; outer: A -> y -> B -> x -> A, which sets the inner counter back
  builder.step("A", {"x"}, {"y"})
      .bound("outer", {"inner"})
      .step("B", {"y", "y2"}, {"x", "y2"})
      .step("C", {"y2"}, {"y"})
      .bound("inner");
  builder.model.participants.back().steps[1].triggers = {"y"};
  builder.model.participants.back().steps[1].trigger_fields = {"f"};
  EXPECT_TRUE(livelocks(builder.model).empty());
}

TEST(Cycles, NestedOnesAreALivelockWhenTheOuterIsUnbounded) {
  ModelBuilder builder("p");
  builder.step("A", {"x"}, {"y"}).resets("inner").step("B", {"y"}, {"x", "y2"}).step("C", {"y2"}, {"y"}).bound("inner");
  EXPECT_EQ(livelocks(builder.model).size(), 1U);
}

TEST(Cycles, ASecondWayRoundTheBoundIsALivelock) {
  ModelBuilder builder("p");
  builder.step("A", {"x"}, {"y", "side"}).step("B", {"y"}, {"x"}).bound("tries").step("Side", {"side"}, {"x"});
  const auto found = livelocks(builder.model);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(std::ranges::count(labels(found[0]), "p.Side") == 1);
}

TEST(Cycles, TwoBoundedLoopsMayFollowEachOther) {
  // A -> B or back to A; B -> C or back to B: the exit of the first leads into the second, and through it back.
  ModelBuilder builder("p");
  builder.step("A", {"x", "again1"}, {"y"})
      .step("B", {"y", "again2"}, {"z", "again1"})
      .bound("first")
      .step("C", {"z"}, {"end", "again2"})
      .bound("second");
  auto& steps = builder.model.participants.back().steps;
  steps[1].bound->exit = "z";
  steps[2].bound->exit = "end";
  const Graph graph(builder.model);
  std::vector<Finding> findings;
  check_cycles({graph, {}, findings});
  EXPECT_TRUE(findings.empty()) << findings.front().message;
}

TEST(Cycles, TwoBoundedLoopsWhoseExitsLeadIntoEachOtherNeverEnd) {
  ModelBuilder builder("p");
  builder.step("A", {"x", "again1"}, {"y"})
      .step("B", {"y", "again2"}, {"z", "again1"})
      .bound("first")
      .step("C", {"z"}, {"x", "again2"})
      .bound("second");
  auto& steps = builder.model.participants.back().steps;
  steps[1].bound->exit = "z";
  steps[2].bound->exit = "x";
  const Graph graph(builder.model);
  std::vector<Finding> findings;
  check_cycles({graph, {}, findings});
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].code, "QDR144");
  EXPECT_EQ(findings[1].code, "QDR144");
}

TEST(Cycles, AnEventThatStartsItsOwnStepIsOne) {
  ModelBuilder builder("p");
  builder.step("A", {"x"}, {"x"});
  EXPECT_EQ(livelocks(builder.model).size(), 1U);
}

}  // namespace
}  // namespace quadrille::checker
