#include "core/sha256.hpp"

#include <gtest/gtest.h>

namespace quadrille {
namespace {

TEST(Sha256, GivesTheDigestOfTheStandardsExample) {
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

}  // namespace
}  // namespace quadrille
