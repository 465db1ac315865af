// Curves of the isochoric laws from the literature, the switch of fibres, and the rules of discrete
// gradients.

#include <percussion/material/discrete_gradient.h>
#include <percussion/material/hyperelastic.h>

#include <deal.II/base/numbers.h>
#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>

namespace isochoric_curves { // separates names from the other tests in unity builds

using namespace percussion;
using Precise = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<80>,
                                              boost::multiprecision::et_off>;
constexpr double round_off = std::numeric_limits<double>::epsilon();

/// Cauchy stresses along the first two axes at principal stretches λ₁, λ₂, 1/(λ₁ λ₂), if the third
/// surface is free. The volume is kept, so that a pressure may be added.
struct PrincipalStresses {
  double first, second;
};
template <typename Law>
PrincipalStresses stresses(const Law &law, double l1, double l2) {
  const double l3 = 1. / (l1 * l2);
  const SpaceTensor S = law.stress(symmetric(l1 * l1 - 1., l2 * l2 - 1., l3 * l3 - 1., 0., 0., 0.));
  const double free = l3 * l3 * S[2][2];
  return {l1 * l1 * S[0][0] - free, l2 * l2 * S[1][1] - free};
}

/// Returns the uniaxial stress σ = 2 (λ² − 1/λ) (∂W/∂I₁ + ∂W/∂I₂ / λ) of an incompressible body.
double uniaxial(double stretch, double derivative_I1, double derivative_I2) {
  return 2. * (stretch * stretch - 1. / stretch) * (derivative_I1 + derivative_I2 / stretch);
}

const std::vector<double> stretches = {0.4, 0.8, 1.01, 1.5, 2., 4.};

double lateral(double stretch) { return 1. / std::sqrt(stretch); }
double first_invariant(double stretch) { return stretch * stretch + 2. / stretch; }

TEST(MooneyRivlinLaw, HasTheUniaxialCurveOfAnIncompressibleBody) {
  const MooneyRivlin law{{0.3, 0.07, 1e3}};
  for (const double stretch : stretches) {
    const auto sigma = stresses(law, stretch, lateral(stretch));
    const double exact = uniaxial(stretch, 0.3, 0.07);
    EXPECT_NEAR(sigma.first, exact, 1e-11 * std::abs(exact)) << stretch;
    EXPECT_NEAR(sigma.second, 0., 1e-11 * std::abs(exact)) << stretch;
  }
}

TEST(YeohLaw, HasTheUniaxialCurveOfAnIncompressibleBody) {
  const Yeoh law{{{0.5, -0.05, 0.01}, 1e3}};
  for (const double stretch : stretches) {
    const double x = first_invariant(stretch) - 3.;
    const auto sigma = stresses(law, stretch, lateral(stretch));
    const double exact = uniaxial(stretch, 0.5 - 0.1 * x + 0.03 * x * x, 0.);
    EXPECT_NEAR(sigma.first, exact, 1e-11 * std::abs(exact)) << stretch;
  }
}

/// The energy increases for all stretches exactly if the slope C₁₀ + 2 C₂₀ x + 3 C₃₀ x² has no
/// root.
TEST(YeohLaw, IsAcceptedIfItsEnergyIncreases) {
  EXPECT_TRUE(is_increasing(1., 0., 0.));
  EXPECT_TRUE(is_increasing(1., 2., 0.));
  EXPECT_TRUE(is_increasing(1., -1.7, 1.));
  EXPECT_FALSE(is_increasing(1., -1.8, 1.));
  EXPECT_FALSE(is_increasing(1., -0.01, 0.));
  EXPECT_FALSE(is_increasing(1., 0., -0.01));
}

/// The curve, and the shear modulus µ (1 + 3/(5 λ²) + 99/(175 λ⁴) + 513/(875 λ⁶) + 42039/(67375
/// λ⁸)) at small strain.
TEST(ArrudaBoyceLaw, HasTheUniaxialCurveOfTheFiveTerms) {
  const double locking = 2.5, mu = 0.4, s = 1. / (locking * locking);
  const double shear =
      mu * (1. + s * (3. / 5. + s * (99. / 175. + s * (513. / 875. + s * 42039. / 67375.))));
  const ArrudaBoyce law = eight_chains(shear, locking, 1e3);
  EXPECT_NEAR(small_strain_limit<3>(law).mu, shear, 4. * round_off);
  for (const double stretch : stretches) {
    const double I = first_invariant(stretch) * s;
    const double slope =
        mu * (0.5 + I * (0.1 + I * (11. / 350. + I * (19. / 1750. + I * 519. / 134750.))));
    const double exact = uniaxial(stretch, slope, 0.);
    EXPECT_NEAR(stresses(law, stretch, lateral(stretch)).first, exact, 1e-11 * std::abs(exact))
        << stretch;
  }
}

/// Adventitia of T. C. Gasser, R. W. Ogden, G. A. Holzapfel (2006), in kPa: two families at ±49.98°
/// to axis 1.
HolzapfelGasserOgden adventitia(double dispersion) {
  const double angle = 49.98 / 180. * dealii::numbers::PI;
  const double c = std::cos(angle), s = std::sin(angle);
  return {{7.64,
           996.6,
           524.6,
           dispersion,
           {FibreDirection({c, s, 0.}), FibreDirection({c, -s, 0.})},
           1e5}};
}

/// Numbers of an independent program, which differentiates W(λ₁, λ₂) of the incompressible material
/// numerically; correct to the digits printed.
TEST(HolzapfelGasserOgdenLaw, HasTheBiaxialStressesOfTheAdventitia) {
  struct Row {
    double l1, l2, first, second;
  };
  const auto compare = [](double dispersion, const std::vector<Row> &rows) {
    for (const auto &[l1, l2, first, second] : rows) {
      const auto sigma = stresses(adventitia(dispersion), l1, l2);
      const auto last_digit = [](double x) { return std::max(6e-7, 1.1e-9 * x); };
      EXPECT_NEAR(sigma.first, first, last_digit(first)) << l1 << ' ' << l2;
      EXPECT_NEAR(sigma.second, second, last_digit(second)) << l1 << ' ' << l2;
    }
  };
  compare(0.226, {{1.02, 1.02, 11.140085, 14.742206},
                  {1.05, 1.05, 75.954897, 97.534635},
                  {1.1, 1., 74.038667, 66.772866},
                  {1., 1.1, 110.965395, 203.404294}});
  compare(0., {{1.02, 1.02, 164.013492, 232.242058},
               {1.05, 1.05, 46115.6045, 65403.2308},
               {1.1, 1., 9053.14205, 10609.25488},
               {1., 1.1, 579997.339, 995334.116}});
}

/// Lateral stretch and stress of a strip that is pulled along axis 1, by bisection of σ₂ = 0.
TEST(HolzapfelGasserOgdenLaw, HasTheUniaxialCurveOfTheAdventitia) {
  struct Row {
    double dispersion, stretch, lateral, stress;
  };
  for (const auto &[dispersion, stretch, exact, stress] :
       {Row{0.226, 1.05, 0.960087, 1.42114}, Row{0.226, 1.1, 0.907416, 4.06979},
        Row{0.226, 1.15, 0.845852, 12.65576}, Row{0., 1.05, 0.963340, 1.27178},
        Row{0., 1.1, 0.923414, 2.73031}, Row{0., 1.15, 0.879812, 4.50705}}) {
    const auto law = adventitia(dispersion);
    double low = 0.7, high = 1.02;
    for (int k = 0; k < 60; ++k) {
      const double middle = 0.5 * (low + high);
      (stresses(law, stretch, middle).second < 0. ? low : high) = middle;
    }
    EXPECT_NEAR(low, exact, 6e-7) << dispersion << ' ' << stretch;
    EXPECT_NEAR(stresses(law, stretch, low).first, stress, 6e-6) << dispersion << ' ' << stretch;
  }
}

/// Pressed along their bisector, fibres are slack, and the law is that of the matrix.
TEST(HolzapfelGasserOgdenLaw, HasSlackFibresThatBearNothing) {
  const auto law = adventitia(0.);
  auto matrix = law;
  matrix.k1 = 0.;
  const SpaceTensor pressed = symmetric(-0.2, -0.1, 0.4, 0.05, 0., 0.),
                    pulled = symmetric(0.05, 0.02, -0.06, 0., 0., 0.);
  EXPECT_EQ(law.energy(pressed), matrix.energy(pressed));
  EXPECT_EQ((law.stress(pressed) - matrix.stress(pressed)).norm(), 0.);
  EXPECT_GT(law.energy(pulled),
            10. * matrix.energy(pulled) - 9. * 0.5 * law.bulk); // fibres are taut
  EXPECT_GT((law.stress(pulled) - matrix.stress(pulled)).norm(), 10.);
}

/// A step in which fibres become taut or slack keeps the energy identity, wherever the change is.
TEST(HolzapfelGasserOgdenLaw, KeepsTheEnergyIdentityAcrossTheSwitch) {
  for (const double dispersion : {0., 0.2}) {
    const auto law = adventitia(dispersion);
    unsigned int n_switches = 0;
    for (const double slack : {-1e-2, -1e-5, -1e-9})
      for (const double taut : {2e-2, 1e-5, 1e-9}) {
        const SpaceTensor direction = symmetric(1., 0.9, -0.5, 0.3, 0.1, -0.2);
        const SpaceTensor A0 = slack * direction, A1 = taut * direction;
        const double W0 = law.energy(A0), W1 = law.energy(A1);
        auto matrix = law;
        matrix.k1 = 0.;
        n_switches += law.energy(A0) == matrix.energy(A0) && W1 > matrix.energy(A1);
        const double forward = 0.5 * (algorithmic_stress(law, A0, A1) * (A1 - A0)),
                     backward = 0.5 * (algorithmic_stress(law, A1, A0) * (A0 - A1));
        EXPECT_NEAR(forward, W1 - W0, 40. * round_off * std::max(W0, W1));
        EXPECT_NEAR(backward, W0 - W1, 40. * round_off * std::max(W0, W1));
      }
    EXPECT_EQ(n_switches, 9u);
  }
}

/// The exponent is k₂ E² ≤ 300: beyond, energies stay finite, and FiniteStrain refuses the step.
TEST(HolzapfelGasserOgdenLaw, RefusesExponentsThatOverflow) {
  const auto law = adventitia(0.);
  EXPECT_TRUE(law.admits(symmetric(0.5, 0.5, -0.55, 0., 0., 0.)));
  const SpaceTensor torn = symmetric(2., 2., -0.85, 0., 0., 0.);
  EXPECT_FALSE(law.admits(torn));
  EXPECT_TRUE(std::isfinite(law.energy(torn)));
  EXPECT_TRUE(std::isfinite(law.stress(torn).norm()));
}

/// Quotients and their slopes are compared with subtractions in 80 digits, from equal ends to ends
/// far apart.
template <typename Function, typename Exact>
void expect_quotients(const Function &function, const Exact &exact,
                      const std::vector<double> &arguments) {
  const auto quotient = [&](const Precise &x0, const Precise &x1) {
    return Precise((exact(x1) - exact(x0)) / (x1 - x0));
  };
  for (const double x0 : arguments)
    for (const double x : arguments)
      for (const double size : {1., 1e-3, 1e-8, 0.}) {
        const double x1 = x0 + size * (x - x0);
        const auto change = function(x0, x1);
        const Precise at0 = x0, at1 = x1 == x0 ? Precise(at0 + Precise("1e-25")) : Precise(x1);
        const Precise step("1e-26");
        const auto value = static_cast<double>(quotient(at0, at1)),
                   slope = static_cast<double>(
                       (quotient(at0, at1 + step) - quotient(at0, at1 - step)) / (2 * step));
        EXPECT_NEAR(change.start, static_cast<double>(exact(Precise(x0))),
                    8. * round_off * std::abs(change.start));
        EXPECT_NEAR(change.end, static_cast<double>(exact(Precise(x1))),
                    8. * round_off * std::abs(change.end));
        EXPECT_NEAR(change.quotient, value, 40. * round_off * std::abs(value)) << x0 << ' ' << x1;
        EXPECT_NEAR(change.slope, slope, 400. * round_off * (std::abs(slope) + std::abs(value)))
            << x0 << ' ' << x1;
      }
}

TEST(FunctionChange, HasQuotientsThatKeepTheirDigits) {
  const std::vector<double> above_minus_1 = {-0.9, -0.2, -1e-3, 1e-6, 0.3, 5.};
  expect_quotients([](double a, double b) { return square(a, b); },
                   [](const Precise &x) { return Precise(x * x); }, {0.1, 0.7, 2., 5.});
  expect_quotients([](double a, double b) { return reciprocal_of_1_plus(a, b); },
                   [](const Precise &x) { return Precise(1 / (1 + x)); }, above_minus_1);
  expect_quotients([](double a, double b) { return root_minus_1(a, b); },
                   [](const Precise &x) { return Precise(sqrt(1 + x) - 1); }, above_minus_1);
  expect_quotients([](double a, double b) { return cube_root_minus_1(a, b); },
                   [](const Precise &x) { return Precise(pow(1 + x, Precise(1) / 3) - 1); },
                   above_minus_1);
  const std::array<double, 3> c = {0.5, 0.25, 0.125};
  expect_quotients([&](double a, double b) { return polynomial(c, a, b); },
                   [](const Precise &x) { return Precise(x * (0.5 + x * (0.25 + x * 0.125))); },
                   {0., 1e-3, 0.5, 3.});
  expect_quotients([](double a, double b) { return exponential_minus_1(2., a, b); },
                   [](const Precise &x) { return Precise(exp(2 * x) - 1); },
                   {0., 1e-6, 0.1, 0.4, 1., 3., 8.});
}

/// The quotient of the positive part is 0, 1, or the positive fraction of the step.
TEST(FunctionChange, HasThePositiveFractionAsQuotient) {
  EXPECT_EQ(positive_part(-2., -1.).quotient, 0.);
  EXPECT_EQ(positive_part(1., 3.).quotient, 1.);
  EXPECT_EQ(positive_part(-1., 3.).quotient, 0.75);
  EXPECT_EQ(positive_part(3., -1.).quotient, 0.75);
  EXPECT_EQ(positive_part(-1., 3.).slope, 0.0625);
  EXPECT_EQ(positive_part(3., -1.).slope, 0.1875);
}

} // namespace isochoric_curves
