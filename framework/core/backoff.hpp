#pragma once

#include <chrono>
#include <cstdint>

namespace quadrille {

/// Exponential delays with full jitter in their upper half: attempt 1 waits about `first`, each further one about twice
/// as long, never more than `ceiling`.
struct Backoff {
  std::chrono::milliseconds first{200};
  std::chrono::milliseconds ceiling{std::chrono::hours(1)};

  /// `randomness` from 0 to 1, so that a test knows the answer.
  [[nodiscard]] std::chrono::milliseconds delay(std::uint32_t attempt, double randomness) const;
  /// With randomness of this thread's own.
  [[nodiscard]] std::chrono::milliseconds delay(std::uint32_t attempt) const;
};

}  // namespace quadrille
