// Shapes that would never end if cycles were enumerated or functions recursed.
#include "checker/rules.hpp"
#include "model_builder.hpp"

#include <gtest/gtest.h>

namespace quadrille::checker {
namespace {

TEST(Scale, AFullyConnectedGraphOfTwoHundredStepsIsAnsweredByOneFinding) {
  ModelBuilder builder("p");
  std::vector<std::string> all;
  for (int i = 0; i < 200; ++i) all.push_back("e" + std::to_string(i));
  for (int i = 0; i < 200; ++i) builder.step("S" + std::to_string(i), all, {all[static_cast<std::size_t>(i)]});
  const Graph graph(builder.model);
  std::vector<Finding> findings;
  check_cycles({graph, {}, findings});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].witness.size(), 3U);
}

TEST(Scale, AChainOfAHundredThousandStepsFitsTheStack) {
  ModelBuilder builder("p");
  for (int i = 0; i < 100'000; ++i)
    builder.step("S" + std::to_string(i), {"e" + std::to_string(i)}, {"e" + std::to_string(i + 1)});
  const Graph graph(builder.model);
  std::vector<Finding> findings;
  check_cycles({graph, {}, findings});
  EXPECT_TRUE(findings.empty());
}

}  // namespace
}  // namespace quadrille::checker
