// A bar of length 10 falls from a height of 5 with g = 10 and bounces; its wave speed is 30. The
// exact solution has contact in [1, 5/3] with the pressure 300 (1 + (t - 1)), and an impulse of
// 266.667; the energy above the ground is 500.

#include <gtest/gtest.h>

#include "support/scheme.h"
#include <map>

namespace {

using namespace percussion;
using test::Block;

/// Results of a bar up to the first apex of its centre.
struct Bounce {
  double impulse = 0, residual = 0;
  double lowest = 0, highest = 0,
         end = 0; ///< change of the energy, without the potential energy of gravity
  double first_force = 0, last_force = 0; ///< times of the first and last force of the ground
  double variation = 0;                   ///< variation of the force: 1 if it rises and falls once
  Works works;
};

constexpr double energy = 500, impulse = 800. / 3;

Bounce bounce(const Scheme &scheme, unsigned int n) {
  Block block(test::rectangle(CellShape::hypercube, 1, 10, 1, n),
              Material<2>{1., 1., LinearElastic<2>::from_young(900., 0., Plane::stress), {}},
              dealii::Tensor<1, 2>({0., -10.}));
  block.add_contact("bottom", Block::ground(-5.), ImpactLawKind::fremond, {}, 0.);
  take(scheme, block);
  block.choices.h = 0.77 * 10 / n / 30; // the impact occurs within a step
  block.start();
  Bounce result;
  // Velocities of paoli-schatzman are half a step old, and not zero at the start.
  const double start = block.state.energy();
  double before = 0, largest = 0;
  const auto account = [&](double force) {
    result.variation += std::abs(force - before);
    largest = std::max(largest, force);
    before = force;
  };
  while (block.state.time < 8. / 3) {
    const auto &record = block.advance();
    result.works += record.works;
    result.residual = std::max(result.residual, std::abs(record.balance_residual));
    const double percussion = test::total_percussion(record, 0);
    result.impulse += percussion;
    account(percussion / block.choices.h);
    if (percussion > 0.) {
      result.last_force = block.state.time;
      if (result.first_force == 0.)
        result.first_force = block.state.time;
    }
    result.end = block.state.energy() - start - result.works.external;
    result.lowest = std::min(result.lowest, result.end);
    result.highest = std::max(result.highest, result.end);
  }
  result.variation /= 2 * largest;
  return result;
}

/// Claims about a scheme for the bar of 80 elements, with margins on both sides: the change of the
/// energy at the end, its largest rise before, and the variation of the force, as fractions.
struct Claim {
  double least_end, most_end, highest, smoothest, roughest;
};
constexpr double zero = 1e-10;
const std::map<std::string, Claim> claims = {
    {"moreau-jean", {-0.012, -0.003, zero, 1., 1.2}},
    {"moreau-jean-fremond", {-0.012, -0.003, zero, 1., 1.2}},
    {"pdas-leapfrog", {-zero, zero, zero, 30., 130.}},
    {"fremond-gonzalez", {-0.012, -0.003, zero, 1., 1.2}},
    {"signorini-midpoint", {0.3, 1.5, 1.7, 20., 100.}},
    {"equivalent-mass", {-0.005, -2e-4, zero, 1., 1.5}},
    {"adapted-continuity", {-zero, zero, zero, 40., 170.}},
    {"penalty", {0.001, 0.02, 0.02, 20., 90.}},
    {"hauret", {-zero, zero, zero, 15., 60.}},
    {"newmark-signorini", {0.2, 1., 1.2, 20., 100.}},
    {"generalized-alpha", {-0.018, -0.004, zero, 1., 7.}},
    {"paoli-schatzman", {-0.014, -0.003, 0.004, 1., 1.2}},
    {"augmented-lagrangian", {-0.012, -0.003, zero, 1., 1.2}},
    {"nitsche-symmetric", {5e-4, 0.01, 0.02, 20., 90.}},
    {"nitsche-nonsymmetric", {0.001, 0.02, 0.03, 20., 90.}},
    {"nitsche-skew", {0.001, 0.02, 0.04, 20., 90.}}};

class BouncingBar : public ::testing::TestWithParam<Scheme> {};

TEST_P(BouncingBar, ClosesItsBalanceAndConverges) {
  double previous = 1;
  Bounce bar;
  for (const unsigned int n : {20u, 40u, 80u}) {
    bar = bounce(GetParam(), n);
    EXPECT_LT(bar.residual, 1e-12 * energy);
    EXPECT_NEAR(bar.end, bar.works.contact_normal + bar.works.numerical, 1e-10 * energy);
    EXPECT_NEAR(bar.first_force, 1., 0.02);
    EXPECT_NEAR(bar.last_force, 5. / 3, 0.05);
    if (GetParam().penalty != Penalty::none) { // the ground is flat
      EXPECT_NEAR(bar.works.numerical, 0., 1e-10 * energy);
    }
    const double error = std::abs(bar.impulse / impulse - 1);
    EXPECT_LT(error, std::max(0.9 * previous, 0.01)) << n;
    previous = error;
  }
  EXPECT_LT(previous, 0.01);
  const Claim &claim = claims.at(GetParam().name);
  EXPECT_GT(bar.end, claim.least_end * energy);
  EXPECT_LT(bar.end, claim.most_end * energy);
  EXPECT_LT(bar.highest, claim.highest * energy);
  EXPECT_GE(bar.variation, claim.smoothest);
  EXPECT_LT(bar.variation, claim.roughest);
}

INSTANTIATE_TEST_SUITE_P(Schemes, BouncingBar, ::testing::ValuesIn(schemes()), test::SchemeName());

} // namespace
