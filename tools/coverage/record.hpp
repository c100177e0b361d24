#pragma once

#include "coverage/branches.hpp"

#include <filesystem>
#include <span>
#include <vector>

namespace quadrille::coverage {

/// Counts what tests wrote to the files that QUADRILLE_COVERAGE named. Returns how many lines speak of steps, or of
/// events of steps, that the branches do not have: of other contracts, or of older ones. Throws std::runtime_error for
/// what is no such file, with the line.
[[nodiscard]] std::size_t count_taken(std::span<const std::filesystem::path> records, std::vector<Branch>& branches);

}  // namespace quadrille::coverage
