#include "core/redact.hpp"

#include <gtest/gtest.h>

namespace quadrille {
namespace {

TEST(Redact, HidesPasswordsAndTokensWhereverTheyStand) {
  EXPECT_EQ(without_password("nats://alice:s3cret@host:4222"), "nats://alice:***@host:4222");
  EXPECT_EQ(without_password("nats://s3cret@host:4222"), "nats://***@host:4222");
  EXPECT_EQ(without_password("nats://a:s1@h1,nats://b:s2@h2"), "nats://a:***@h1,nats://b:***@h2");
  EXPECT_EQ(without_password("postgresql://shop:s3cret@host/db?sslmode=require"),
            "postgresql://shop:***@host/db?sslmode=require");
  EXPECT_EQ(without_password("postgresql://host/db?user=shop&password=s3cret&x=1"),
            "postgresql://host/db?user=shop&password=***&x=1");
  EXPECT_EQ(without_password("host=h password=s3cret dbname=d"), "host=h password=*** dbname=d");
  EXPECT_EQ(without_password("host=h password = 's3 \\' cret' dbname=d"), "host=h password = *** dbname=d");
}

TEST(Redact, LeavesTheRestAlone) {
  EXPECT_EQ(without_password("nats://host:4222"), "nats://host:4222");
  EXPECT_EQ(without_password("host=h dbname=d"), "host=h dbname=d");
}

}  // namespace
}  // namespace quadrille
