#pragma once

#include <cstdint>
#include <random>
#include <span>

/// Where ids and jitter come from: the system's random numbers, or, while a SeededRandom lives, its.
namespace quadrille {

void fill_random(std::span<unsigned char> bytes);
/// From 0 to 1.
[[nodiscard]] double random_fraction();

/// Makes what its thread does repeatable: the same seed, the same numbers. For tests; one at a time, used by one
/// thread.
class SeededRandom {
 public:
  explicit SeededRandom(std::uint64_t seed);
  ~SeededRandom();
  SeededRandom(const SeededRandom&) = delete;
  SeededRandom& operator=(const SeededRandom&) = delete;

 private:
  friend void fill_random(std::span<unsigned char> bytes);
  friend double random_fraction();
  static thread_local SeededRandom* current;

  std::mt19937_64 numbers_;
  SeededRandom* const before_;
};

}  // namespace quadrille
