#include <percussion/base/format.h>

#include <gtest/gtest.h>

namespace {

TEST(Format, KeepsTextsOfAnyLength) {
  const std::string text(10000, 'x');
  EXPECT_EQ(percussion::format("<%s> %d", text.c_str(), 7), "<" + text + "> 7");
  EXPECT_EQ(percussion::format("%s", ""), "");
  EXPECT_EQ(percussion::format("%.17g", 0.1), "0.10000000000000001");
}

} // namespace
