#include <percussion/output/log.h>

#include <gtest/gtest.h>

namespace {

using percussion::whole_items;

TEST(ProgressLines, LeaveItemsOutAndCutNone) {
  const std::string items = "energy 1.25  balance +4.5e-13  contacts 12 (3 sliding)";
  EXPECT_EQ(whole_items(items, 80), items);
  EXPECT_EQ(whole_items(items, items.size()), items);
  EXPECT_EQ(whole_items(items, items.size() - 1), "energy 1.25  balance +4.5e-13");
  EXPECT_EQ(whole_items(items, 29), "energy 1.25  balance +4.5e-13");
  EXPECT_EQ(whole_items(items, 28), "energy 1.25"); // not "balance +4.5e-1"
  EXPECT_EQ(whole_items(items, 11), "energy 1.25");
  EXPECT_EQ(whole_items(items, 10), "");
  EXPECT_EQ(whole_items(items, 0), "");
}

} // namespace
