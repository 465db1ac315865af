// Without contact the step is the θ-method: order, conservation, dissipation.

#include <gtest/gtest.h>

#include "support/block.h"

namespace {

using namespace percussion;
using test::Block;

Material<2> viscous(LinearViscosity viscosity = {}) {
  return {1., 1., LinearElastic<2>::from_young(1., 0.3, Plane::strain), viscosity};
}

/// Returns a cantilever pulled at its tip by a smooth load without resonance.
Block cantilever(CellShape shape, double h, double theta, LinearViscosity viscosity = {}) {
  Block block(test::rectangle(shape, 2, 1, 4, 2, 0.1), viscous(viscosity));
  for (unsigned int d = 0; d < 2; ++d)
    block.prescribe("left", d, PrescribedMotion<2>::Kind::displacement, "0");
  block.add_traction("right", 1, "0.1*sin(t)^2");
  block.choices.h = h;
  block.choices.theta = theta;
  block.start();
  return block;
}

Vector displacement_at(double time, double h, double theta, LinearViscosity viscosity) {
  Block block = cantilever(CellShape::simplex, h, theta, viscosity);
  const auto n = static_cast<unsigned int>(std::lround(time / h));
  for (unsigned int k = 0; k < n; ++k)
    block.advance();
  return block.state.q;
}

class TemporalOrder : public ::testing::TestWithParam<std::pair<double, double>> {};

TEST_P(TemporalOrder, IsTwoForTheMidpointAndOneOtherwise) {
  const auto [theta, order] = GetParam();
  const LinearViscosity viscosity{0.02, 0.01, 0.01};
  std::vector<double> errors;
  const Vector reference = displacement_at(2., 0.1 / 512, 0.5, viscosity);
  for (const double h : {0.1 / 8, 0.1 / 16, 0.1 / 32}) {
    Vector q = displacement_at(2., h, theta, viscosity);
    q -= reference;
    errors.push_back(q.l2_norm());
  }
  for (std::size_t i = 1; i < errors.size(); ++i)
    EXPECT_NEAR(std::log2(errors[i - 1] / errors[i]), order, 0.1) << "theta " << theta;
}

INSTANTIATE_TEST_SUITE_P(Theta, TemporalOrder,
                         ::testing::Values(std::pair{0.5, 2.}, std::pair{0.7, 1.},
                                           std::pair{1., 1.}));

Block vibrating(double theta) {
  Block block(test::rectangle(CellShape::hypercube, 2, 1, 3, 2), viscous());
  block.set(block.state.q, [](const auto &x) -> std::array<double, 2> {
    return {{0.05 * x[0] * x[1], -0.02 * x[0] * x[0]}};
  });
  block.choices.h = 0.05;
  block.choices.theta = theta;
  block.start();
  return block;
}

TEST(FreeVibration, KeepsItsEnergyForAHundredThousandStepsAtTheMidpoint) {
  Block block = vibrating(0.5);
  const double initial = block.state.energy();
  double drift = 0;
  for (unsigned int k = 0; k < 100000; ++k) {
    block.advance();
    drift = std::max(drift, std::abs(block.state.energy() - initial));
  }
  EXPECT_GT(initial, 1e-5);
  EXPECT_LT(drift, 1e-11 * initial);
}

TEST(FreeVibration, NeverGainsEnergyAboveTheMidpoint) {
  for (const double theta : {0.505, 0.6, 1.}) {
    Block block = vibrating(theta);
    const double initial = block.state.energy();
    for (unsigned int k = 0; k < 2000; ++k) {
      const double before = block.state.energy();
      const auto &record = block.advance();
      ASSERT_LE(block.state.energy(), before * (1 + 1e-14));
      ASSERT_LE(record.works.numerical, 0.);
      ASSERT_NEAR(record.balance_residual, 0., 1e-14 * initial);
    }
    EXPECT_LT(block.state.energy(), 0.9 * initial);
  }
}

/// The balance closes to round-off also far from the origin, although K times a translation is not
/// exactly zero.
TEST(FreeVibration, BalanceDoesNotSufferFromALongFlight) {
  Block block = vibrating(0.5);
  block.set(block.state.v, [](const auto &) -> std::array<double, 2> { return {{1., 2.}}; });
  for (auto &entry : block.space().node_dofs)
    for (unsigned int d = 0; d < 2; ++d)
      block.state.q[entry[d]] += 1e4 * (d + 1.);
  block.step->initialise(block.state);
  const double energy = block.state.energy();
  for (unsigned int k = 0; k < 1000; ++k)
    ASSERT_LT(std::abs(block.advance().balance_residual), 1e-12 * energy);
}

TEST(FreeFall, IsExactForConstantGravity) {
  Block block(test::rectangle(CellShape::simplex, 2, 1, 4, 2, 0.2), viscous(),
              dealii::Tensor<1, 2>({0., -9.81}));
  block.choices.h = 0.01;
  block.start();
  for (unsigned int k = 0; k < 100; ++k)
    block.advance();
  for (const auto &dofs : block.space().node_dofs) {
    EXPECT_NEAR(block.state.q[dofs[1]], -0.5 * 9.81, 1e-12);
    EXPECT_NEAR(block.state.v[dofs[1]], -9.81, 1e-12);
    EXPECT_NEAR(block.state.q[dofs[0]], 0., 1e-12);
  }
}

/// Moved ends do work; with viscosity and θ > ½ every term of the ledger is present.
TEST(Ledger, ClosesWithPrescribedMotionViscosityAndLoads) {
  for (const double theta : {0.5, 0.8}) {
    Block block(test::rectangle(CellShape::simplex, 2, 1, 6, 3, 0.2), viscous({0.03, 0.02, 0.01}),
                dealii::Tensor<1, 2>({0., -0.5}));
    using Kind = PrescribedMotion<2>::Kind;
    block.prescribe("left", 0, Kind::displacement, "0.1*sin(3*t)*(1+y)");
    block.prescribe("right", 1, Kind::velocity, "0.2*cos(2*t)");
    block.add_traction("top", 1, "0.1*x*cos(t)");
    block.choices.h = 0.02;
    block.choices.theta = theta;
    block.start();
    double scale = 0, prescribed = 0;
    for (unsigned int k = 0; k < 500; ++k) {
      const auto &record = block.advance();
      scale = std::max(scale, block.state.energy());
      prescribed += std::abs(record.works.prescribed);
      ASSERT_LT(std::abs(record.balance_residual), 1e-13 * scale);
      ASSERT_LE(record.works.viscous, 0.);
    }
    EXPECT_GT(prescribed, 0.05 * scale); // the prescribed motion is significant
  }
}

} // namespace
