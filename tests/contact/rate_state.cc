// Friction that depends on rate and state: the coefficient, its slope, the evolution of the state.

#include <percussion/contact/rate_state.h>

#include <gtest/gtest.h>

#include <cmath>

namespace {

percussion::RateStateLaw rate_state_law() {
  percussion::RateStateLaw law;
  law.base = 0.6;
  law.direct = 0.010;
  law.evolution = 0.015;
  law.length = 1e-5;
  law.speed = 1e-6;
  return law;
}

TEST(RateState, FrictionIsTheLogarithmicLawAwayFromZeroSpeed) {
  const auto law = rate_state_law();
  for (const double speed : {1e-8, 1e-6, 1e-3, 1.})
    for (const double state : {1e-3, 10., 1e4})
      EXPECT_NEAR(percussion::rate_friction(law, speed, state).friction,
                  law.base + law.direct * std::log(speed / law.speed) +
                      law.evolution * std::log(law.speed * state / law.length),
                  1e-14);
  EXPECT_EQ(percussion::rate_friction(law, 0., 1.).friction, 0.);
}

/// With a small base the regularisation is visible.
TEST(RateState, SlopeIsTheDerivativeAndFrictionIsConcave) {
  auto law = rate_state_law();
  law.base = 0.02;
  double last_slope = 1e300;
  for (double speed = 1e-9; speed < 1e-3; speed *= 1.5) {
    const auto at = percussion::rate_friction(law, speed, 5.);
    const double h = 1e-5 * speed;
    const double difference = (percussion::rate_friction(law, speed + h, 5.).friction -
                               percussion::rate_friction(law, speed - h, 5.).friction) /
                              (2. * h);
    EXPECT_NEAR(at.slope, difference, 1e-8 * at.slope);
    EXPECT_LT(at.slope, last_slope);
    EXPECT_GE(at.friction - at.slope * speed, 0.);
    last_slope = at.slope;
  }
}

TEST(RateState, StateEvolvesExactlyAtConstantSpeed) {
  auto law = rate_state_law();
  using Evolution = percussion::RateStateLaw::Evolution;
  for (const Evolution kind : {Evolution::ageing, Evolution::slip})
    for (const double speed : {1e-7, 1e-5}) {
      law.kind = kind;
      // Runge and Kutta's method of order 4.
      constexpr unsigned int n = 2000;
      const double h = 2. / n;
      const auto rate = [&](double state) {
        const double x = speed * state / law.length;
        return kind == Evolution::ageing ? 1. - x : -x * std::log(x);
      };
      double state = 3.;
      for (unsigned int k = 0; k < n; ++k) {
        const double a = rate(state), b = rate(state + 0.5 * h * a), c = rate(state + 0.5 * h * b),
                     d = rate(state + h * c);
        state += h / 6. * (a + 2. * b + 2. * c + d);
      }
      EXPECT_NEAR(percussion::state_after(law, 3., speed, 2.), state, 1e-11 * state);
      EXPECT_NEAR(
          percussion::state_after(law, percussion::state_after(law, 3., speed, 0.7), speed, 1.3),
          percussion::state_after(law, 3., speed, 2.), 1e-13 * state);
    }
  law.kind = Evolution::ageing;
  EXPECT_EQ(percussion::state_after(law, 3., 0., 2.), 5.);
  law.kind = Evolution::slip;
  EXPECT_EQ(percussion::state_after(law, 3., 0., 2.), 3.);
}

} // namespace
