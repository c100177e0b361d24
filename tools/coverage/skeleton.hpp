#pragma once

#include "coverage/branches.hpp"

#include <span>
#include <string>
#include <vector>

namespace quadrille::coverage {

/// A given/when/then test that takes a branch once a person has filled it in; until then it is skipped. Compiles where
/// the participant's service is declared and `using quadrille::testing::Scenario` stands.
struct Skeleton {
  std::string participant;
  std::string opening;  ///< its first line: where a file has it, the test is there already
  std::string text;
};

/// For each branch that no test takes.
[[nodiscard]] std::vector<Skeleton> skeletons(const contract::Model& model, std::span<const Branch> branches);

}  // namespace quadrille::coverage
