// Changes of the energy of the volume over a step, against numbers of 80 digits.

#include <percussion/material/volumetric_energy.h>

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <limits>

namespace volumetric_energy { // separates names from the other tests in unity builds

using namespace percussion;
using Precise = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<80>,
                                              boost::multiprecision::et_off>;
constexpr double round_off = std::numeric_limits<double>::epsilon();

/// Compares a change with the energy U(x) and its slope U'(x), all relative to their own size.
template <typename U, typename Energy, typename Slope>
void expect_change(const U &law, const Energy &energy, const Slope &slope) {
  for (const double x0 : {0., 1e-20, -3e-9, 1e-3, -0.2, 0.7, -0.9, 4.})
    for (const double change : {1e-25, 1e-12, -2e-6, 1e-2, 0.3, -0.05, 2., 9.}) {
      const double x1 = x0 + change;
      if (x1 == x0 || x1 <= -1.)
        continue;
      const FunctionChange<double> found = law.change(x0, x1);
      const Precise a = x0, b = x1, difference = energy(b) - energy(a),
                    quotient = difference / (b - a),
                    quotient_slope = (slope(b) - quotient) / (b - a);
      const auto expect_near = [&](double value, const Precise &exact, const char *name) {
        EXPECT_LE(abs(Precise(value) - exact), 32. * round_off * abs(exact))
            << name << ' ' << x0 << ' ' << x1;
      };
      expect_near(found.start, energy(a), "start");
      expect_near(found.end, energy(b), "end");
      // ln J₀ + ln J₁ may cancel
      EXPECT_LT(abs(Precise(found.quotient) - quotient),
                32. * round_off * (abs(slope(a)) + abs(slope(b))))
          << x0 << ' ' << x1;
      EXPECT_LT(abs(Precise(found.slope) - quotient_slope),
                64. * round_off * (1. + 1. / (1. + b) / (1. + a)))
          << x0 << ' ' << x1;
      expect_near(found.end_slope, slope(b), "slope");
    }
}

TEST(VolumetricEnergy, OfSquareHasExactQuotients) {
  expect_change(
      SquareOfVolumeChange{3.}, [](const Precise &x) { return Precise(1.5 * x * x); },
      [](const Precise &x) { return Precise(3. * x); });
}

TEST(VolumetricEnergy, OfLogarithmHasExactQuotients) {
  expect_change(
      SquareOfLogarithm{0.5},
      [](const Precise &x) { return Precise(0.25 * log(1 + x) * log(1 + x)); },
      [](const Precise &x) { return Precise(0.5 * log(1 + x) / (1 + x)); });
}

TEST(VolumetricEnergy, OfSquareLessLogarithmHasExactQuotients) {
  expect_change(
      SquareLessLogarithm{0.5},
      [](const Precise &x) { return Precise(0.5 * (x * x + 2 * x - 2 * log(1 + x))); },
      [](const Precise &x) { return Precise(1 + x - 1 / (1 + x)); });
}

} // namespace volumetric_energy
