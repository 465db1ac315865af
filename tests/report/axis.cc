#include <percussion/report/axis.h>
#include <percussion/report/polyline.h>

#include <gtest/gtest.h>

#include <cmath>

using namespace percussion::report;

TEST(ReportAxis, RoundsToOneTwoFive) {
  EXPECT_DOUBLE_EQ(round_1_2_5(1), 1);
  EXPECT_DOUBLE_EQ(round_1_2_5(1.3), 1);
  EXPECT_DOUBLE_EQ(round_1_2_5(1.6), 2);
  EXPECT_DOUBLE_EQ(round_1_2_5(40), 50);
  EXPECT_DOUBLE_EQ(round_1_2_5(8e-7), 1e-6);
}

TEST(ReportAxis, TicksAreRoundAndInside) {
  const Axis axis = linear_axis(-0.013, 0.047, 6);
  ASSERT_FALSE(axis.ticks.empty());
  EXPECT_EQ(axis.ticks.front().label, "-0.01");
  EXPECT_EQ(axis.ticks[1].label, "0");
  for (const Tick &tick : axis.ticks) {
    EXPECT_GE(axis.at(tick.value), 0);
    EXPECT_LE(axis.at(tick.value), 1);
  }
}

TEST(ReportAxis, CountsHaveWholeTicks) {
  for (const Tick &tick : linear_axis(0, 2, 8, true).ticks)
    EXPECT_EQ(tick.value, std::round(tick.value));
}

TEST(ReportAxis, ConstantValuesStillGetARange) {
  for (const double value : {0., 3., -1e-18, 1e20}) {
    const Axis axis = linear_axis(value, value, 6);
    EXPECT_LT(axis.low, axis.high);
    EXPECT_LT(axis.ticks.size(), 30u);
  }
}

TEST(ReportAxis, SmallNumbersAreWrittenShortly) {
  EXPECT_EQ(linear_axis(0, 3.5e-18, 6).ticks[1].label, "5e-19");
  EXPECT_EQ(short_number(1e-5), "1e-5");
  EXPECT_EQ(short_number(1.5e-12), "1.5e-12");
  EXPECT_EQ(short_number(-1234.5), "-1230");
  EXPECT_EQ(short_number(1e5), "1e5");
  EXPECT_EQ(number_with_unit(0.5, "ms"), "0.5 ms");
  EXPECT_EQ(number_with_unit(0.5, ""), "0.5");
}

TEST(ReportAxis, LogarithmicAxisHasWholeDecades) {
  const Axis axis = logarithmic_axis(-15.3, -2.1, 7);
  EXPECT_EQ(axis.low, -16);
  EXPECT_EQ(axis.high, -2);
  EXPECT_LE(axis.ticks.size(), 8u);
  EXPECT_EQ(axis.ticks.front().label, "1e-16");
}

TEST(ReportPolyline, ThinningKeepsExtremes) {
  Polyline line;
  for (int i = 0; i < 100000; ++i)
    line.push_back({static_cast<float>(i) / 1000, i == 51234 ? 9.f : i % 2 == 0 ? 0.f : 1.f});
  const Polyline thin = thinned(line);
  EXPECT_LE(thin.size(), 400u);
  float highest = 0;
  for (const Pixel &pixel : thin)
    highest = std::max(highest, pixel[1]);
  EXPECT_EQ(highest, 9.f);
  EXPECT_EQ(thin.front(), line.front());
  EXPECT_EQ(thin.back(), line.back());
}

TEST(ReportPolyline, DashesHaveTheLengthsOfThePattern) {
  const auto dashes = dashed({{0, 0}, {7, 0}, {30, 0}}, {10, 5});
  ASSERT_EQ(dashes.size(), 2u);
  EXPECT_EQ(dashes[0].front()[0], 0);
  EXPECT_EQ(dashes[0].back()[0], 10);
  EXPECT_EQ(dashes[1].front()[0], 15);
  EXPECT_EQ(dashes[1].back()[0], 25);
  EXPECT_EQ(dashed({{0, 0}, {30, 0}}, {}).size(), 1u);
}
