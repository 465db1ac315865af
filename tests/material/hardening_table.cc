#include <percussion/material/hardening_table.h>

#include <gtest/gtest.h>

namespace percussion {
namespace {

const HardeningTable &concave() {
  static const HardeningTable table({0.02, 0.1, 0.5}, {4., 10., 15.});
  return table;
}

TEST(HardeningTable, IsLinearBetweenItsPointsAndConstantBehindThem) {
  EXPECT_EQ(concave().value(0.), 0.);
  EXPECT_DOUBLE_EQ(concave().value(0.01), 2.);
  EXPECT_DOUBLE_EQ(concave().value(0.02), 4.);
  EXPECT_DOUBLE_EQ(concave().value(0.06), 7.);
  EXPECT_DOUBLE_EQ(concave().value(0.5), 15.);
  EXPECT_EQ(concave().value(3.), 15.);
  EXPECT_DOUBLE_EQ(concave().slope(0.), 200.);
  EXPECT_DOUBLE_EQ(concave().slope(0.02), 75.);
  EXPECT_DOUBLE_EQ(concave().slope(0.3), 12.5);
  EXPECT_EQ(concave().slope(0.5), 0.);
}

TEST(HardeningTable, WithoutPointsIsZero) {
  const HardeningTable none;
  EXPECT_EQ(none.value(0.3), 0.);
  EXPECT_EQ(none.slope(0.), 0.);
  EXPECT_EQ(none.integral(0.1, 0.2), 0.);
}

/// Areas of the trapezia between 0, 0.02, 0.1, 0.5 and 0.7.
TEST(HardeningTable, IntegratesOverItsPoints) {
  EXPECT_DOUBLE_EQ(concave().integral(0., 0.02), 0.04);
  EXPECT_DOUBLE_EQ(concave().integral(0., 0.7), 0.04 + 0.56 + 5. + 3.);
  EXPECT_DOUBLE_EQ(concave().integral(0.06, 0.24), 0.04 * 8.5 + 0.2 * 11.25);
  EXPECT_DOUBLE_EQ(concave().integral(0.6, 0.1), 1.5);
}

TEST(HardeningTable, IntegratesShortIncrementsToRoundOff) {
  for (const double alpha : {0., 0.01, 0.02, 0.3, 0.5, 2.})
    for (const double increment : {1e-6, 1e-12, 1e-300}) {
      const double expected =
          increment * (concave().value(alpha) + 0.5 * concave().slope(alpha) * increment);
      EXPECT_DOUBLE_EQ(concave().integral(alpha, increment), expected) << alpha;
    }
}

} // namespace
} // namespace percussion
