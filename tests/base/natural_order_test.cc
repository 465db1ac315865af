#include <percussion/base/natural_order.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace {

using percussion::NaturalOrder;

TEST(NaturalOrder, SortsNumbersByTheirValue) {
  std::vector<std::string> names = {"face 10",  "face 2", "face 1",  "top", "bottom", "face",
                                    "face 2 b", "9",      "face 02", "",    "10"};
  std::sort(names.begin(), names.end(), NaturalOrder());
  EXPECT_EQ(names, (std::vector<std::string>{"", "9", "10", "bottom", "face", "face 1", "face 02",
                                             "face 2", "face 2 b", "face 10", "top"}));
}

TEST(NaturalOrder, ComparesNumbersOfAnyLength) {
  const std::string large(400, '9');
  EXPECT_TRUE(NaturalOrder()("a" + large, "a1" + large));
  EXPECT_FALSE(NaturalOrder()("a1" + large, "a" + large));
  EXPECT_FALSE(NaturalOrder()(large, large));
}

} // namespace
