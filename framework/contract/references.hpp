#pragma once

#include "contract/model.hpp"

#include <vector>

namespace quadrille::contract {

/// What the options of a participant's steps name and nothing is called, or say only half of.
[[nodiscard]] std::vector<Fault> unresolved(const Participant& participant);

}  // namespace quadrille::contract
