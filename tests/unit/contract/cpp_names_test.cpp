#include "contract/cpp_names.hpp"

#include <gtest/gtest.h>

namespace quadrille::contract {
namespace {

TEST(CppNames, WriteAnyTextAsALiteralOfOneLine) {
  EXPECT_EQ(cpp_literal("account/ada"), R"("account/ada")");
  EXPECT_EQ(cpp_literal(R"(x", 1); system("rm"); //\)"), R"("x\", 1); system(\"rm\"); //\\")");
  EXPECT_EQ(cpp_literal("\n7\r\t"), R"("\0127\015\011")");
  EXPECT_EQ(cpp_literal("?\?/"), R"("\?\?/")");
  EXPECT_EQ(cpp_literal("中"), "\"中\"");
  // What C++ reads of it is what was written.
  EXPECT_EQ(std::string("\0127\015\011\?\?/\\\""), "\n7\r\t?\?/\\\"");
}

TEST(CppNames, WritePackagesAsScopes) {
  EXPECT_EQ(cpp_scope("shop.order.v1.OrderPlaced"), "shop::order::v1::OrderPlaced");
}

}  // namespace
}  // namespace quadrille::contract
