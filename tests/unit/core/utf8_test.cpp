#include "core/utf8.hpp"

#include <gtest/gtest.h>

namespace quadrille {
namespace {

TEST(Utf8, TakesWellFormedTextOfEveryLength) { EXPECT_TRUE(is_text("a é € 𝄞")); }

TEST(Utf8, RefusesWhatADatabaseWouldRefuse) {
  EXPECT_FALSE(is_text(std::string_view("a\0b", 3)));
  EXPECT_FALSE(is_text("\xff"));
  EXPECT_FALSE(is_text("\xc0\xaf"));          // overlong
  EXPECT_FALSE(is_text("\xed\xa0\x80"));      // surrogate
  EXPECT_FALSE(is_text("\xf4\x90\x80\x80"));  // beyond U+10FFFF
  EXPECT_FALSE(is_text("\xe2\x82"));          // cut off
}

TEST(Utf8, FindsOneWrongByteAnywhereInALongText) {
  const std::string text = "a text that is longer than what is looked at at once €";
  ASSERT_TRUE(is_text(text));
  for (std::size_t i = 0; i < text.size(); ++i)
    for (const char wrong : {'\0', '\x80', '\xff'}) {
      auto changed = text;
      if (changed[i] == wrong) continue;
      changed[i] = wrong;
      const bool still_a_character = wrong == '\x80' && i + 2 >= text.size();  // another one of three bytes
      EXPECT_EQ(is_text(changed), still_a_character) << i;
    }
}

TEST(Utf8, ReplacesOnlyWhatIsNotText) {
  EXPECT_EQ(to_text("a\xff€\xe2"), "a?€?");
  EXPECT_EQ(to_text(std::string_view("\0x", 2)), "?x");
}

}  // namespace
}  // namespace quadrille
