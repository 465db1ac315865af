// Laws of limits and friction of joints.

#include <percussion/body/link_law.h>

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace link_law_tests {

using namespace percussion;

constexpr double not_held = std::numeric_limits<double>::quiet_NaN();

PosedBounds closed_lower_limit(double restitution, double u0, double theta) {
  LinkBounds bounds;
  bounds.lower = 1.;
  bounds.restitution = restitution;
  return pose_bounds(bounds, {1., 0., u0, {not_held, not_held, not_held, not_held}}, 0., 0.1,
                     theta);
}

TEST(LinkLaw, OfALimitHasNewtonsRestitution) {
  for (const double theta : {0.5, 0.6})
    for (const double e : {0., 0.3, 0.6}) {
      const PosedBounds posed = closed_lower_limit(e, -2., theta);
      const LinkLaw law = posed.law(0., 1.);
      ASSERT_EQ(law.rates.size(), 1u);
      EXPECT_EQ(law.impulses[1], 0.);
      EXPECT_TRUE(std::isinf(law.impulses[0]));
      const double final_rate = (law.rates[0] - (1. - theta) * -2.) / theta;
      EXPECT_NEAR(final_rate, 2. * e, 1e-15);
      EXPECT_EQ(posed.memory(1., 0., theta, 1.).lower, final_rate);
      EXPECT_TRUE(std::isnan(posed.memory(0., 0., theta, 1.).lower));
    }
}

/// Another restitution than (1 − θ)/θ would do positive work.
TEST(LinkLaw, OfALimitIsAtMostElastic) {
  EXPECT_EQ(closed_lower_limit(1., -2., 0.8).law(0., 1.).rates[0], 0.);
  EXPECT_EQ(closed_lower_limit(0.5, -2., 1.).law(0., 1.).rates[0], 0.);
}

/// A limit that has held its coordinate does not see rates that alternate.
TEST(LinkLaw, OfAClosedLimitTakesTheRateOfItsLaw) {
  LinkBounds bounds;
  bounds.upper = 1.;
  const PosedBounds posed =
      pose_bounds(bounds, {1. + 1e-9, 0., 1e-3, {not_held, 0., not_held, 1.}}, 0., 0.1, 0.5);
  EXPECT_EQ(posed.upper_rate, 0.);
  EXPECT_NEAR(posed.law(0., 1.).rates[0], -1e-8, 1e-15); // back to its position at rest
  EXPECT_EQ(posed.memory(-1., 0., 0.5, 1.).upper, 0.);
}

TEST(LinkLaw, WithoutRestitutionClosesAnOpenLimitExactly) {
  LinkBounds bounds;
  bounds.lower = 1.;
  const auto rate = [&](double value) {
    return pose_bounds(bounds, {value, 0., -2., {not_held, not_held, not_held, not_held}}, 0., 0.1,
                       0.5)
        .lower_rate;
  };
  EXPECT_DOUBLE_EQ(rate(1.15), -1.5); // 0.15 in 0.1
  EXPECT_EQ(rate(1.05), -1.);         // (1 − θ) u0: the velocity at the end is 0
  bounds.restitution = 0.1;
  EXPECT_TRUE(std::isinf(rate(1.05))); // open: no law
}

TEST(LinkLaw, OfFrictionHoldsAtRest) {
  LinkBounds bounds;
  const PosedBounds posed =
      pose_bounds(bounds, {0., 0., 4., {not_held, not_held, not_held, not_held}}, 3., 0.1, 0.5);
  const LinkLaw law = posed.law(0.3, 1.);
  EXPECT_EQ(law.rates, (std::vector<double>{0., 2.}));
  EXPECT_EQ(law.impulses, (std::vector<double>{0.3, 0., -0.3}));
  EXPECT_EQ(posed.memory(-0.1, 0.3, 0.5, 1.).friction, 0.); // at rest from 4
  EXPECT_TRUE(std::isnan(posed.memory(-0.3, 0.3, 0.5, 1.).friction));
}

TEST(LinkLaw, NeverDoesPositiveWork) {
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> signed_number(-1., 1.), fraction(0., 1.);
  unsigned int n_laws = 0;
  for (unsigned int k = 0; k < 2000; ++k) {
    LinkBounds bounds;
    if (k % 2 == 0)
      bounds.lower = 0.;
    if (k % 3 == 0)
      bounds.upper = 0.5;
    bounds.restitution = k % 5 == 0 ? 0. : fraction(generator);
    const double theta = 0.5 + 0.5 * fraction(generator), c = k % 7 == 0 ? 0. : fraction(generator);
    const auto remembered = [&] {
      return fraction(generator) < 0.3 ? signed_number(generator) : not_held;
    };
    const CoordinateStart start{0.5 * fraction(generator),
                                0.,
                                signed_number(generator),
                                {remembered(), remembered(), remembered(), not_held}};
    const LinkLaw law = pose_bounds(bounds, start, 1., 0.1, theta).law(c, 0.9);
    ASSERT_EQ(law.impulses.size(), law.rates.size() + 1);
    n_laws += !law.rates.empty();
    for (std::size_t i = 0; i < law.rates.size(); ++i) {
      ASSERT_GT(law.impulses[i], law.impulses[i + 1]);
      ASSERT_TRUE(i == 0 || law.rates[i] > law.rates[i - 1]);
      for (const double impulse : {law.impulses[i], law.impulses[i + 1]}) {
        ASSERT_FALSE(law.rates[i] != 0. && impulse * law.rates[i] > 0.) << k;
        ASSERT_EQ(law.defect(law.rates[i], impulse, 0.), 0.);
      }
      ASSERT_GT(law.defect(law.rates[i] + 10., law.impulses[i], 0.), 0.);
    }
  }
  EXPECT_GT(n_laws, 1500u);
}

TEST(LinkLaw, MeasuresRatesThatItForbids) {
  const LinkLaw friction{{0., 2.}, {1., 0., -1.}};
  EXPECT_EQ(friction.defect(0.5, 0.5, 0.), 0.5);
  EXPECT_EQ(friction.defect(1., 0., 0.), 0.);
  EXPECT_EQ(friction.defect(3., 0., 0.), 1.);
  EXPECT_EQ(friction.defect(3., -1., 0.), 0.);
  EXPECT_TRUE(std::isinf(friction.defect(0., 2., 0.)));
  EXPECT_EQ(friction.defect(-1., 1. + 1e-9, 1e-8), 0.);
  EXPECT_EQ(friction.snapped(1. + 1e-9, 1e-8), 1.);
  EXPECT_EQ(friction.snapped(0.5, 1e-8), 0.5);
}

} // namespace link_law_tests
