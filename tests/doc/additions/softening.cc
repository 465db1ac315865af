// The interface law that interface_law.patch adds: its work is stored energy and a loss, and it
// takes its fracture energy in any number of steps.

#include <percussion/contact/bond_law.h>

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace {

using namespace percussion;

BondLaw exponential() {
  BondLaw law;
  law.strength = 1.;
  law.fracture_energy = 0.02;
  law.stiffness = 200.;
  law.softening = Softening::exponential;
  return law;
}

TEST(ExponentialSoftening, TakesItsEnergyInAnyNumberOfSteps) {
  const BondLaw law = exponential();
  const double onset = law.strength / law.stiffness,
               length = law.fracture_energy / law.strength - 0.5 * onset, end = onset + 8. * length;
  for (const unsigned int n : {1u, 7u, 1000u}) {
    double work = 0, damage = 0;
    for (unsigned int k = 0; k < n; ++k) {
      const BondOpening<2> from{end * k / n, 0.}, to{end * (k + 1) / n, 0.};
      const auto step = bond_step<2>(law, damage, from, to, 1., BondTraction::mean);
      work += step.traction[0] * (to[0] - from[0]);
      damage = step.damage;
    }
    EXPECT_NEAR(work, law.fracture_energy - law.strength * length * std::exp(-8.), 1e-15);
  }
}

TEST(ExponentialSoftening, HasWorkOfStoredEnergyAndLoss) {
  const BondLaw law = exponential();
  std::mt19937 generator(1);
  std::uniform_real_distribution<double> uniform(-0.02, 0.06);
  for (unsigned int path = 0; path < 100; ++path) {
    BondOpening<3> from{};
    double damage = 0;
    for (unsigned int k = 0; k < 10; ++k) {
      const BondOpening<3> to{uniform(generator), uniform(generator), uniform(generator)};
      const auto step = bond_step<3>(law, damage, from, to, 1., BondTraction::mean);
      double work = 0;
      for (unsigned int r = 0; r < 3; ++r)
        work += step.traction[r] * (to[r] - from[r]);
      EXPECT_NEAR(work, step.stored1 - step.stored0 + step.loss, 1e-16);
      EXPECT_GE(step.loss, -1e-18);
      EXPECT_GE(step.damage, damage);
      damage = step.damage;
      from = to;
    }
  }
}

} // namespace
