#pragma once

#include "coverage/branches.hpp"

#include <cstddef>
#include <span>
#include <string>

namespace quadrille::coverage {

struct Share {
  std::size_t taken = 0;
  std::size_t all = 0;
  /// Rounded down: 100 only where nothing is left.
  [[nodiscard]] std::size_t percent() const { return all == 0 ? 100 : taken * 100 / all; }
};

[[nodiscard]] Share share_of(std::span<const Branch> branches);
[[nodiscard]] Share share_of(std::span<const Branch> branches, Kind kind);

/// Step by step, and what is not taken marked; then a line that sums it up.
[[nodiscard]] std::string as_text(std::span<const Branch> branches, bool colour);
/// One file that needs nothing else.
[[nodiscard]] std::string as_html(std::span<const Branch> branches);
/// A test case a branch, skipped where no test takes it, and one for the threshold.
[[nodiscard]] std::string as_junit(std::span<const Branch> branches, std::size_t threshold);

}  // namespace quadrille::coverage
