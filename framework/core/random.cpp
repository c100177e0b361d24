#include "core/random.hpp"

#include "quadrille/error.hpp"

#include <openssl/rand.h>

namespace quadrille {

thread_local SeededRandom* SeededRandom::current = nullptr;

SeededRandom::SeededRandom(std::uint64_t seed) : numbers_(seed), before_(current) { current = this; }
SeededRandom::~SeededRandom() { current = before_; }

void fill_random(std::span<unsigned char> bytes) {
  if (SeededRandom::current != nullptr) {
    for (auto& byte : bytes) byte = static_cast<unsigned char>(SeededRandom::current->numbers_() >> 32U);
    return;
  }
  // OpenSSL's generator asks the kernel once in a while, also after a fork; libuuid makes half a dozen system calls for
  // each id.
  if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1)
    throw Error(Disposition::stop, "OpenSSL has no randomness; is its configuration restricted?");
}

double random_fraction() {
  std::uniform_real_distribution<double> fraction(0, 1);
  if (SeededRandom::current != nullptr) return fraction(SeededRandom::current->numbers_);
  thread_local std::minstd_rand generator{std::random_device{}()};
  return fraction(generator);
}

}  // namespace quadrille
