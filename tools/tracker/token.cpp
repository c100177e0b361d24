#include "tracker/token.hpp"

#include "quadrille/error.hpp"

#include <openssl/crypto.h>

#include <fstream>

namespace quadrille::tracker {

bool same_secret(std::string_view one, std::string_view other) {
  return one.size() == other.size() && CRYPTO_memcmp(one.data(), other.data(), one.size()) == 0;
}

std::string read_token(const std::string& file) {
  std::string token;
  std::ifstream input(file);
  if (!input || !std::getline(input, token) || token.size() < 16)
    throw Error(Disposition::stop, "setting token-file: " + file +
                                       " holds no token of at least 16 signs; make one with: openssl rand -hex 24");
  return token;
}

}  // namespace quadrille::tracker
