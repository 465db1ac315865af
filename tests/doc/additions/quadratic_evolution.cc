// The friction law that friction.patch adds: the state of a contact follows its equation exactly.

#include <percussion/contact/rate_state.h>

#include <gtest/gtest.h>

#include "cases/stepped.h"
#include <algorithm>
#include <cmath>
#include <sstream>

namespace {

using namespace percussion;

RateStateLaw quadratic() {
  RateStateLaw law;
  law.direct = 0.01;
  law.length = 2.;
  law.kind = RateStateLaw::Evolution::quadratic;
  return law;
}

/// Returns the state by the classical Runge–Kutta method in n steps.
double integrated(double state, double speed, double time, unsigned int n) {
  const auto rate = [&](double s) { return 1. - std::pow(speed * s / 2., 2); };
  const double h = time / n;
  for (unsigned int k = 0; k < n; ++k) {
    const double a = rate(state), b = rate(state + 0.5 * h * a), c = rate(state + 0.5 * h * b),
                 d = rate(state + h * c);
    state += h / 6. * (a + 2. * b + 2. * c + d);
  }
  return state;
}

TEST(QuadraticEvolution, IsExact) {
  for (const double speed : {0., 1e-9, 0.5, 3.})
    for (const double state : {0.1, 1., 5.})
      EXPECT_NEAR(state_after(quadratic(), state, speed, 0.7), integrated(state, speed, 0.7, 2000),
                  1e-10)
          << speed << " " << state;
}

TEST(QuadraticEvolution, TendsToTheSteadyState) {
  EXPECT_NEAR(state_after(quadratic(), 0.1, 4., 20.), 0.5, 1e-14);
  EXPECT_NEAR(state_after(quadratic(), 7., 4., 20.), 0.5, 1e-14);
}

TEST(QuadraticEvolution, IsReadAndDescribed) {
  std::ostringstream reference;
  print_markdown(reference, declare_case(nullptr));
  std::string text = reference.str();
  std::replace(text.begin(), text.end(), '\n', ' '); // lines are wrapped
  EXPECT_NE(text.find("quadratic: 1 - (V theta/D)^2"), std::string::npos);
}

} // namespace
