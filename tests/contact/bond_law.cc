// The cohesive law of bonds: work, toughness, damage, tangent.

#include <percussion/contact/bond_law.h>

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace {

using namespace percussion;

BondLaw tension_law() {
  BondLaw law;
  law.strength = 1.;
  law.fracture_energy = 0.02;
  law.stiffness = 200.;
  return law;
}

BondLaw mixed_law() {
  BondLaw law = tension_law();
  law.shear_ratio = 0.6;
  law.shear_strength = 1.4;
  law.shear_fracture_energy = 0.05;
  law.mode_exponent = 1.7;
  return law;
}

BondLaw power_law() {
  BondLaw law = mixed_law();
  law.mixed_mode = MixedMode::power_law;
  return law;
}

BondLaw extrinsic_law() {
  BondLaw law = tension_law();
  law.stiffness = 0.;
  law.is_extrinsic = true;
  law.shear_ratio = 0.6;
  return law;
}

/// Rigid bonds with other strength and toughness in shear.
BondLaw extrinsic_mixed_law() {
  BondLaw law = extrinsic_law();
  law.shear_strength = 1.4;
  law.shear_ratio = 1.4 * 1.4;
  law.shear_fracture_energy = 0.05;
  law.mode_exponent = 1.7;
  return law;
}

/// Adhesion with a viscosity of w times 0.3 in steps of length 1.
BondLaw adhesion() {
  BondLaw law;
  law.adhesion_energy = 0.02;
  law.adhesion_viscosity = 0.006;
  law.stiffness = 200.;
  law.shear_ratio = 0.6;
  return law;
}

struct Two {
  static constexpr int dim = 2;
};
struct Three {
  static constexpr int dim = 3;
};
template <typename Dimension>
class BondSteps : public ::testing::Test {
public:
  static constexpr int dim = Dimension::dim;
  using Opening = BondOpening<dim>;

  /// Returns an opening of up to 1.5 times the final opening in each direction.
  Opening random_opening(const BondLaw &law) {
    Opening opening;
    for (double &w : opening)
      w = 1.5 * final_opening(law) * uniform(generator);
    return opening;
  }
  static double work(const BondStep<dim> &step, const Opening &w0, const Opening &w1) {
    double sum = 0;
    for (unsigned int r = 0; r < dim; ++r)
      sum += step.traction[r] * (w1[r] - w0[r]);
    return sum;
  }

  std::mt19937 generator{7};
  std::uniform_real_distribution<double> uniform{-1., 1.};
};
using Dimensions = ::testing::Types<Two, Three>;
TYPED_TEST_SUITE(BondSteps, Dimensions);

TYPED_TEST(BondSteps, WorkIsStoredEnergyAndALoss) {
  constexpr int dim = TestFixture::dim;
  for (const BondLaw &law : {tension_law(), extrinsic_law(), extrinsic_mixed_law(), mixed_law(),
                             power_law(), adhesion()}) {
    double least_loss = 0, largest_defect = 0, damage = 0;
    auto w0 = this->random_opening(law);
    for (unsigned int k = 0; k < 20000; ++k) {
      if (k % 20 == 0)
        damage = std::abs(this->uniform(this->generator));
      auto w1 = this->random_opening(law);
      const double fraction = std::pow(10., -3. * std::abs(this->uniform(this->generator)));
      for (unsigned int r = 0; r < dim; ++r)
        w1[r] = w0[r] + fraction * (w1[r] - w0[r]);
      const auto step = bond_step<dim>(law, damage, w0, w1, 1., BondTraction::mean);
      largest_defect =
          std::max(largest_defect,
                   std::abs(this->work(step, w0, w1) - (step.stored1 - step.stored0 + step.loss)));
      least_loss = std::min(least_loss, step.loss);
      ASSERT_GE(step.damage, damage);
      ASSERT_LE(step.damage, 1.);
      damage = step.damage;
      w0 = w1;
    }
    const double toughness = law.fracture_energy + law.adhesion_energy;
    EXPECT_LT(largest_defect, 1e-14 * toughness * 1e2); // stored energies reach 100 G
    EXPECT_GE(least_loss, -1e-17);
  }
}

TYPED_TEST(BondSteps, TangentIsTheDerivativeOfTheTraction) {
  constexpr int dim = TestFixture::dim;
  for (const BondLaw &law :
       {extrinsic_law(), extrinsic_mixed_law(), mixed_law(), power_law(), adhesion()})
    for (unsigned int k = 0; k < 600; ++k) {
      const BondTraction traction = k % 2 == 0 ? BondTraction::mean : BondTraction::end;
      const auto w0 = this->random_opening(law), w1 = this->random_opening(law);
      const double damage = 0.5 * std::abs(this->uniform(this->generator));
      const auto step = bond_step<dim>(law, damage, w0, w1, 1., traction);
      for (unsigned int c = 0; c < dim; ++c) {
        const double h = 1e-7 * final_opening(law);
        auto before = w1, after = w1;
        before[c] -= h;
        after[c] += h;
        const auto first = bond_step<dim>(law, damage, w0, before, 1., traction),
                   second = bond_step<dim>(law, damage, w0, after, 1., traction);
        for (unsigned int r = 0; r < dim; ++r)
          EXPECT_NEAR((second.traction[r] - first.traction[r]) / (2. * h),
                      step.tangent[dim * r + c], 2e-6 * 200.);
      }
    }
}

/// Returns the energy that a bond takes which is opened along a direction in n steps.
template <int dim>
double toughness(const BondLaw &law, const BondOpening<dim> &direction, unsigned int n) {
  double damage = 0, loss = 0;
  BondOpening<dim> last{};
  for (unsigned int k = 1; k <= n; ++k) {
    BondOpening<dim> next;
    for (unsigned int r = 0; r < dim; ++r)
      next[r] = direction[r] * k / n;
    const auto step = bond_step<dim>(law, damage, last, next, 1., BondTraction::mean);
    loss += step.loss;
    damage = step.damage;
    last = next;
  }
  return damage == 1. ? loss : 0.;
}

TEST(BondToughness, IsTheFractureEnergyForAnyNumberOfSteps) {
  const double far = 3. * final_opening(tension_law());
  for (const unsigned int n : {1u, 3u, 10u, 100u, 1000u}) {
    EXPECT_NEAR(toughness<2>(tension_law(), {far, 0.}, n), 0.02, 1e-12 * 0.02) << n;
    EXPECT_NEAR(toughness<3>(tension_law(), {far, far, -far}, n), 0.02, 1e-12 * 0.02) << n;
    EXPECT_NEAR(toughness<2>(extrinsic_law(), {far, 0.}, n), 0.02, 1e-12 * 0.02) << n;
    EXPECT_NEAR(toughness<3>(extrinsic_law(), {far, far, -far}, n), 0.02, 1e-12 * 0.02) << n;
  }
}

TEST(BondToughness, OfModesIsBenzeggaghAndKenanes) {
  const BondLaw law = mixed_law();
  const double far = 10. * final_opening(law);
  EXPECT_NEAR(toughness<2>(law, {far, 0.}, 200), law.fracture_energy, 1e-12);
  // The first of many steps still has the mode of no opening.
  EXPECT_NEAR(toughness<2>(law, {0., far}, 5000), law.shear_fracture_energy, 1e-12);
  const double ratio = law.shear_ratio / (1. + law.shear_ratio);
  EXPECT_NEAR(toughness<2>(law, {far, far}, 5000),
              law.fracture_energy + (law.shear_fracture_energy - law.fracture_energy) *
                                        std::pow(ratio, law.mode_exponent),
              1e-12);
}

TEST(BondToughness, OfModesFollowsAPowerLaw) {
  const BondLaw law = power_law();
  const double far = 10. * final_opening(law), shear = law.shear_ratio / (1. + law.shear_ratio);
  EXPECT_NEAR(toughness<2>(law, {far, 0.}, 200), law.fracture_energy, 1e-12);
  EXPECT_NEAR(toughness<2>(law, {0., far}, 5000), law.shear_fracture_energy, 1e-12);
  const double mixed = toughness<2>(law, {far, far}, 5000);
  EXPECT_NEAR(std::pow((1. - shear) * mixed / law.fracture_energy, law.mode_exponent) +
                  std::pow(shear * mixed / law.shear_fracture_energy, law.mode_exponent),
              1., 1e-9);
}

/// A step that opens a rigid bond has its own mode, so that one step takes the energy of many.
TEST(BondToughness, OfModesOfRigidBondsDoesNotDependOnSteps) {
  BondLaw law = extrinsic_mixed_law();
  const double far = 10. * final_opening(law), shear = law.shear_ratio / (1. + law.shear_ratio);
  for (const unsigned int n : {1u, 7u, 500u}) {
    law.mixed_mode = MixedMode::interpolation;
    EXPECT_NEAR(toughness<2>(law, {far, 0.}, n), law.fracture_energy, 1e-14) << n;
    EXPECT_NEAR(toughness<3>(law, {0., -far, 0.}, n), law.shear_fracture_energy, 1e-14) << n;
    EXPECT_NEAR(toughness<2>(law, {far, far}, n),
                law.fracture_energy + (law.shear_fracture_energy - law.fracture_energy) *
                                          std::pow(shear, law.mode_exponent),
                1e-14)
        << n;
    law.mixed_mode = MixedMode::power_law;
    const double mixed = toughness<2>(law, {far, far}, n);
    EXPECT_NEAR(std::pow((1. - shear) * mixed / law.fracture_energy, law.mode_exponent) +
                    std::pow(shear * mixed / law.shear_fracture_energy, law.mode_exponent),
                1., 1e-12)
        << n;
  }
}

/// The first opening, of any direction, has the mean of the strength and the traction it leaves.
TEST(ExtrinsicBond, OpensAtItsStrength) {
  const BondLaw law = extrinsic_law();
  const double final = final_opening(law);
  for (const double size : {1e-9, 0.3}) // over the final opening
    for (const double angle : {0., 0.4, 1.2}) {
      const double w = size * final;
      const BondOpening<2> opening = {w * std::cos(angle),
                                      w * std::sin(angle) / std::sqrt(law.shear_ratio)};
      const auto step = bond_step<2>(law, 0., {}, opening, 1., BondTraction::mean);
      EXPECT_NEAR(equivalent_traction<2>(law, step.traction), law.strength * (1. - 0.5 * size),
                  1e-14);
      EXPECT_NEAR(step.damage, size, 1e-15);
      EXPECT_NEAR(step.loss, 0.5 * law.strength * w, 1e-16);
      const auto end = bond_step<2>(law, 0., {}, opening, 1., BondTraction::end);
      EXPECT_NEAR(equivalent_traction<2>(law, end.traction), law.strength * (1. - size), 1e-14);
    }
}

/// Damage begins where the tractions meet the quadratic criterion.
TEST(BondDamage, BeginsAtTheStrengthsOfBothModes) {
  const BondLaw law = power_law();
  for (const double angle : {0., 0.3, 0.8, 1.2, 1.57}) {
    const BondOpening<2> direction = {std::cos(angle), std::sin(angle)};
    const double normal = law.stiffness * direction[0] / law.strength,
                 tangential = law.stiffness * law.shear_ratio * direction[1] / law.shear_strength;
    const double onset = 1. / std::hypot(normal, tangential);
    const auto damage_at = [&](double w) {
      const BondOpening<2> opening = {w * direction[0], w * direction[1]};
      return bond_step<2>(law, 0., opening, opening, 1., BondTraction::end).damage;
    };
    EXPECT_EQ(damage_at(onset * (1. - 1e-12)), 0.) << angle;
    EXPECT_GT(damage_at(onset * (1. + 1e-9)), 0.) << angle;
  }
}

/// Without viscosity the intensity of adhesion is w/(K s) beyond the largest traction, and losing
/// it takes w for any number of steps.
TEST(Adhesion, TakesItsEnergyIfPulledSlowly) {
  BondLaw law = adhesion();
  law.adhesion_viscosity = 0.;
  const double far = 100. * std::sqrt(law.adhesion_energy / law.stiffness);
  double damage = 0, loss = 0;
  for (unsigned int k = 0; k < 7; ++k) {
    const double last = far * k / 7., next = far * (k + 1) / 7.;
    const auto step = bond_step<2>(law, damage, {last, 0.}, {next, 0.}, 1., BondTraction::mean);
    loss += step.loss;
    damage = step.damage;
    const double intensity = law.adhesion_energy / (law.stiffness * next * next);
    EXPECT_NEAR(std::sqrt(1. - damage), intensity, 1e-11);
    EXPECT_NEAR(loss, law.adhesion_energy * (1. - intensity), 1e-12 * law.adhesion_energy);
  }
}

/// At a constant opening beyond the largest one of rest, b dβ/dt = w − β K s.
TEST(Adhesion, FallsAtTheRateOfItsViscosity) {
  const BondLaw law = adhesion();
  const double opening = 2. * std::sqrt(law.adhesion_energy / law.stiffness), s = opening * opening,
               end = 0.5;
  const double limit = law.adhesion_energy / (law.stiffness * s),
               exact = limit +
                       (1. - limit) * std::exp(-law.stiffness * s * end / law.adhesion_viscosity);
  double last_error = 0;
  for (const unsigned int n : {100u, 200u}) {
    double damage = 0, dissipated = 0;
    for (unsigned int k = 0; k < n; ++k) {
      const auto step =
          bond_step<2>(law, damage, {opening, 0.}, {opening, 0.}, end / n, BondTraction::mean);
      damage = step.damage;
      dissipated += step.loss;
    }
    const double error = std::abs(std::sqrt(1. - damage) - exact);
    EXPECT_LT(error, 0.01);
    if (last_error > 0.) {
      EXPECT_NEAR(last_error / error, 2., 0.1);
    }
    last_error = error;
    EXPECT_NEAR(dissipated,
                stored_energy<2>(law, 0., {opening, 0.}) -
                    stored_energy<2>(law, damage, {opening, 0.}),
                1e-15);
  }
}

TEST(BondToughness, IsNoPartOfCompression) {
  const auto step = bond_step<2>(tension_law(), 0.3, {0., 0.}, {-1., 0.}, 1., BondTraction::mean);
  EXPECT_EQ(step.traction[0], 0.);
  EXPECT_EQ(step.loss, 0.);
  EXPECT_EQ(step.damage, 0.3);
}

TEST(BondDamage, LeavesTheSecantStiffness) {
  const BondLaw law = tension_law();
  const auto opened = bond_step<2>(law, 0., {0., 0.}, {0.02, 0.}, 1., BondTraction::end);
  EXPECT_NEAR(opened.traction[0], law.strength * (0.04 - 0.02) / (0.04 - 0.005), 1e-15);
  const auto closed =
      bond_step<2>(law, opened.damage, {0.02, 0.}, {0.01, 0.}, 1., BondTraction::end);
  EXPECT_NEAR(closed.traction[0], 0.5 * opened.traction[0], 1e-15);
  EXPECT_EQ(closed.damage, opened.damage);
}

} // namespace
