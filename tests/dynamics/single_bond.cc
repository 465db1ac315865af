// A rigid bond with its contact, alone.

#include "../../src/dynamics/single_bond.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

namespace {

using namespace percussion;

BondLaw rigid_law(double shear_strength) {
  BondLaw law;
  law.strength = 2.;
  law.fracture_energy = 0.02;
  law.is_extrinsic = true;
  law.shear_ratio = 0.6;
  if (shear_strength > 0.) {
    law.shear_strength = shear_strength;
    law.shear_ratio = std::pow(shear_strength / law.strength, 2);
    law.shear_fracture_energy = 0.05;
  }
  return law;
}

struct Two {
  static constexpr int dim = 2;
};
struct Three {
  static constexpr int dim = 3;
};
template <typename Dimension>
class SingleBonds : public ::testing::Test {
public:
  static constexpr int dim = Dimension::dim;
  using Vector = dealii::Tensor<1, dim>;

  double random() { return uniform(generator); }
  Vector random_opening(double size) {
    Vector opening;
    for (unsigned int r = 0; r < dim; ++r)
      opening[r] = size * random();
    return opening;
  }
  /// Returns a compliance by which tractions of the strength cause openings below the final one.
  dealii::Tensor<2, dim> random_compliance() {
    dealii::Tensor<2, dim> root;
    for (unsigned int r = 0; r < dim; ++r)
      for (unsigned int c = 0; c < dim; ++c)
        root[r][c] = 0.01 * ((r == c ? 1. : 0.) + 0.4 * random());
    return root * dealii::transpose(root);
  }

  std::mt19937 generator{58};
  std::uniform_real_distribution<double> uniform{-1., 1.};
};
using Dimensions = ::testing::Types<Two, Three>;
TYPED_TEST_SUITE(SingleBonds, Dimensions);

/// Bonds hold within their strength; others have the traction of the law, no side enters the other,
/// and only pressure on closed sides acts beside the bond.
TYPED_TEST(SingleBonds, ObeyTheirLawAndSignorinis) {
  constexpr int dim = TestFixture::dim;
  std::array<unsigned int, 3> n{};
  for (const double shear_strength : {0., 3.}) {
    const BondLaw law = rigid_law(shear_strength);
    for (unsigned int trial = 0; trial < 2000; ++trial) {
      PosedBond<dim> bond{0, &law, 0.7, 0., {}, 0., BondTraction::mean};
      const auto B = this->random_compliance();
      const auto free = this->random_opening(std::pow(10., -1. + 3. * this->random()) * 1e-3);
      const SingleBond<dim> solution = solve_single_bond<dim>(bond, B, free, 0.1);
      auto total = solution.traction;
      total[0] -= solution.pressure;
      EXPECT_LT((free - B * total - solution.opening).norm(), 1e-12 * free.norm());
      std::array<double, dim> traction;
      std::copy_n(solution.traction.begin_raw(), dim, traction.begin());
      if (solution.holds) {
        ++n[0];
        EXPECT_LE(equivalent_traction<dim>(law, traction), law.strength * (1. + 1e-14));
        EXPECT_EQ(solution.opening.norm(), 0.);
        EXPECT_EQ(solution.pressure, 0.);
        continue;
      }
      ++n[solution.pressure > 0. ? 1 : 2];
      EXPECT_GE(solution.opening[0], 0.);
      EXPECT_GE(solution.pressure, 0.);
      EXPECT_EQ(solution.opening[0] * solution.pressure, 0.);
      BondOpening<dim> opening;
      std::copy_n(solution.opening.begin_raw(), dim, opening.begin());
      const auto step = bond_step<dim>(law, 0., {}, opening, 0.1, BondTraction::mean);
      for (unsigned int r = 0; r < dim; ++r)
        EXPECT_NEAR(solution.traction[r], step.traction[r], 1e-12 * law.strength);
    }
  }
  for (const unsigned int count : n)
    EXPECT_GT(count, 300u);
}

} // namespace
