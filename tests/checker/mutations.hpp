#pragma once

#include "contract/model.hpp"
#include "estate/estate.hpp"

#include <string>
#include <vector>

namespace quadrille::mutation {

/// A fault that can be planted into a well-formed saga.
struct Mutation {
  std::string code;  ///< of the rule that has to find it
  /// False, and nothing done, where the saga has no place for it.
  bool (*plant)(contract::Model& model, const estate::SagaPlan& plan);
  bool note = false;  ///< the rule only tells
};

[[nodiscard]] std::vector<Mutation> all();

}  // namespace quadrille::mutation
