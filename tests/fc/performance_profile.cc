#include <percussion/fc/comparison.h>

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

using percussion::fc::performance_profile;

namespace {
constexpr double unsolved = std::numeric_limits<double>::infinity();
using Row = std::vector<double>;
} // namespace

TEST(PerformanceProfile, ByHand) {
  // Ratios of the first solver: 1, 2, -, -; of the second: 3, 1, 1, -; of the third: 1, -, 4, -.
  const auto profile = performance_profile(
      {{1, 3, 1}, {8, 4, unsolved}, {unsolved, 0.5, 2}, {unsolved, unsolved, unsolved}});
  EXPECT_EQ(profile.ratio, (Row{1, 2, 3, 4}));
  ASSERT_EQ(profile.solved_fraction.size(), 3u);
  EXPECT_EQ(profile.solved_fraction[0], (Row{0.25, 0.5, 0.5, 0.5}));
  EXPECT_EQ(profile.solved_fraction[1], (Row{0.5, 0.5, 0.75, 0.75}));
  EXPECT_EQ(profile.solved_fraction[2], (Row{0.25, 0.25, 0.25, 0.5}));
}

TEST(PerformanceProfile, OneSolverIsTheFastestWhereItSolves) {
  const auto profile = performance_profile({{5}, {unsolved}, {7}, {9}});
  EXPECT_EQ(profile.ratio, Row{1});
  EXPECT_EQ(profile.solved_fraction, std::vector<Row>{{0.75}});
}

TEST(PerformanceProfile, NoProblems) {
  const auto profile = performance_profile({});
  EXPECT_EQ(profile.ratio, Row{1});
  EXPECT_TRUE(profile.solved_fraction.empty());
}

TEST(PerformanceProfile, UnitsOfTimeDoNotMatter) {
  const auto a = performance_profile({{1, 3}, {8, 4}}), b = performance_profile({{2, 6}, {16, 8}});
  EXPECT_EQ(a.ratio, b.ratio);
  EXPECT_EQ(a.solved_fraction, b.solved_fraction);
}

TEST(PerformanceProfile, RefusesWhatIsNoTime) {
  EXPECT_THROW(performance_profile({{1, 0}}), std::invalid_argument);
  EXPECT_THROW(performance_profile({{1, -2}}), std::invalid_argument);
  EXPECT_THROW(performance_profile({{std::numeric_limits<double>::quiet_NaN()}}),
               std::invalid_argument);
  EXPECT_THROW(performance_profile({{1, 2}, {1}}), std::invalid_argument);
}
