#include "core/backoff.hpp"

#include "core/random.hpp"

#include <algorithm>
#include <cstdint>

namespace quadrille {

std::chrono::milliseconds Backoff::delay(std::uint32_t attempt, double randomness) const {
  constexpr std::uint32_t doublings_that_reach_any_ceiling = 40;
  const auto doublings = std::min(attempt > 0 ? attempt - 1 : 0, doublings_that_reach_any_ceiling);
  const double longest =
      std::min(static_cast<double>(first.count()) * static_cast<double>(std::uint64_t{1} << doublings),
               static_cast<double>(ceiling.count()));
  return std::chrono::milliseconds(static_cast<std::int64_t>(longest / 2 + longest / 2 * randomness));
}

std::chrono::milliseconds Backoff::delay(std::uint32_t attempt) const { return delay(attempt, random_fraction()); }

}  // namespace quadrille
