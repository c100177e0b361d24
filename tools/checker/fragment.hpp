#pragma once

#include "contract/model.hpp"

#include <map>
#include <string>

/// What one file declares, as bytes between runs (quadrille/cache/v1/model.proto).
namespace quadrille::checker {

/// What stands in each file of a model, by its name in locations; `keys`: of the files that are wanted, by that name.
[[nodiscard]] std::map<std::string, std::string> to_fragments(const contract::Model& model,
                                                              const std::map<std::string, std::string>& keys);

/// Adds a fragment's content to a model. False, and nothing added, where its key is another one or the bytes are none.
[[nodiscard]] bool add_fragment(const std::string& bytes, const std::string& key, contract::Model& model);

}  // namespace quadrille::checker
