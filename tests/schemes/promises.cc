// The statements of the table of schemes on the energy hold for each contact and each step.

#include <gtest/gtest.h>

#include "schemes/two_blocks.h"
#include <map>

namespace {

using namespace percussion;
using test::Block;

/// Returns a block that falls obliquely on a surface.
Block oblique(const Scheme &scheme, bool is_linear, double friction,
              const Surface<2> &surface = Block::ground(-0.05)) {
  Block block(test::rectangle(CellShape::hypercube, 2, 1, 8, 4),
              is_linear
                  ? Material<2>{1., 1., LinearElastic<2>::from_young(5., 0.3, Plane::strain), {}}
                  : test::hyperelastic<2>(test::ogden));
  block.add_contact("bottom", surface, scheme.law, {}, friction);
  block.set(block.state.v, [](const auto &x) -> std::array<double, 2> {
    return {{0.1 - 0.1 * x[1], -0.4 + 0.1 * x[0]}};
  });
  block.choices.h = 0.02;
  take(scheme, block);
  return block;
}

/// Advances bodies until they have bounced, and expects that the promises are kept.
template <typename Bodies>
void expect_kept(const EnergyPromise &promised, bool has_friction, double least_percussion,
                 Bodies &bodies) {
  const double initial = bodies.state.energy();
  double normal = 0, change = 0, largest = initial;
  for (unsigned int k = 0; k < 200; ++k) {
    const auto &record = bodies.advance();
    largest = std::max(largest, bodies.state.energy());
    ASSERT_LT(std::abs(record.balance_residual), 2e-13 * largest) << k;
    if (promised.normal_dissipates) {
      ASSERT_LT(record.normal_work_max, 1e-13 * largest) << k;
    }
    if (promised.friction_dissipates) {
      ASSERT_LT(record.tangential_work_max, 1e-13 * largest) << k;
    }
    normal += test::total_percussion(record, 0);
    change = std::max(change, std::abs(bodies.state.energy() - initial));
  }
  EXPECT_GT(normal, least_percussion); // the bodies have bounced
  if (promised.conserves && !has_friction) {
    EXPECT_LT(change, 1e-9 * initial);
  }
  if (!promised.conserves) { // otherwise the scheme could promise it
    EXPECT_GT(change, 1e-5 * initial);
  }
}

bool bears_finite_strain(const Scheme &scheme) {
  return scheme.integrator == Integrator::theta && scheme.formulation != Formulation::nitsche;
}

class Promises : public ::testing::TestWithParam<Scheme> {};

TEST_P(Promises, AreKept) {
  const Scheme &scheme = GetParam();
  for (const bool is_linear : {true, false})
    for (const double friction : {0., 0.3}) {
      if (!is_linear && !bears_finite_strain(scheme))
        continue;
      Block block = oblique(scheme, is_linear, friction);
      EXPECT_TRUE(block.pairs.front().has_linear_gaps());
      block.start();
      expect_kept(promise(scheme, GapKinematics::linear), friction > 0., 0.3, block);
    }
}

/// The gap of a node above a circle is not linear in its displacement.
TEST_P(Promises, AreKeptOnACurvedSurface) {
  const Scheme &scheme = GetParam();
  Surface<2> circle;
  circle.shape = Ball<2>{dealii::Point<2>(0.8, -1.55), 1.5, false};
  for (const double friction : {0., 0.3}) {
    Block block = oblique(scheme, true, friction, circle);
    EXPECT_FALSE(block.pairs.front().has_linear_gaps());
    block.start();
    expect_kept(promise(scheme, GapKinematics::nonlinear), friction > 0., 0.1, block);
  }
}

class PromisesBetweenBodies : public ::testing::TestWithParam<Scheme> {};

/// Faces turn, and when the blocks slide, another face is opposite to a node.
TEST_P(PromisesBetweenBodies, AreKept) {
  const Scheme &scheme = GetParam();
  for (const auto discretisation : {Discretisation::mortar, Discretisation::nodes})
    for (const double friction : {0., 0.3}) {
      if (scheme.formulation != Formulation::collocated && discretisation == Discretisation::nodes)
        continue; // the law is integrated over faces
      test::TwoBlocks blocks(scheme, discretisation, friction);
      blocks.system.start();
      const GapKinematics kinematics = discretisation == Discretisation::mortar
                                           ? GapKinematics::averaged
                                           : GapKinematics::nonlinear;
      expect_kept(promise(scheme, kinematics), friction > 0., 0.1, blocks.system);
    }
}

/// Hyperelastic bodies, with the schemes that integrate contact over faces. Nitsche's method needs
/// the stress of the upper block, which carries the multipliers, and accepts a hyperelastic lower
/// one.
class PromisesOverFaces : public ::testing::TestWithParam<Scheme> {};

TEST_P(PromisesOverFaces, AreKeptByHyperelasticBodies) {
  const Scheme &scheme = GetParam();
  const Materials<2> rubber = test::hyperelastic<2>(test::ogden),
                     upper = bears_finite_strain(scheme) ? rubber : test::TwoBlocks::elastic(50.);
  for (const double friction : {0., 0.3}) {
    test::TwoBlocks blocks(scheme, Discretisation::mortar_of_region, friction, {rubber, upper});
    blocks.system.start();
    expect_kept(promise(scheme, GapKinematics::averaged), friction > 0., 0.1, blocks.system);
  }
}

std::vector<Scheme> schemes_over_faces() {
  std::vector<Scheme> all;
  for (const Scheme &scheme : schemes())
    if (scheme.formulation != Formulation::collocated)
      all.push_back(scheme);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Schemes, PromisesOverFaces, ::testing::ValuesIn(schemes_over_faces()),
                         test::SchemeName());
INSTANTIATE_TEST_SUITE_P(Schemes, PromisesBetweenBodies, ::testing::ValuesIn(schemes()),
                         test::SchemeName());
INSTANTIATE_TEST_SUITE_P(Schemes, Promises, ::testing::ValuesIn(schemes()), test::SchemeName());

/// The reason why signorini-midpoint does not conserve: gaps alternate about zero, d1 = −d0, for
/// any step. A penetration d is removed with the velocity 2 d/h, which is the larger the shorter
/// the step, and its normal work −2 p d0/h has the sign of its penetration. If elements cannot
/// follow, as on the ring with short steps, a step fails, and its substeps fail all the more.
TEST(SignoriniMidpoint, ThrowsOutWhatHasPenetrated) {
  for (const bool is_linear : {true, false}) {
    Block block = oblique(scheme("signorini-midpoint"), is_linear, 0.);
    block.start();
    unsigned int n_inside = 0, n_outside = 0;
    for (unsigned int k = 0; k < 100; ++k) {
      std::map<unsigned int, double> before;
      for (const auto &contact : block.state.found.contacts)
        before[contact.point] = contact.gap;
      for (const auto &contact : block.advance().contacts) {
        if (!(contact.percussion[0] > 1e-6))
          continue;
        const double d0 = before.at(contact.point);
        EXPECT_NEAR(block.state.found.find(contact.key)->gap, -d0, 1e-12);
        EXPECT_NEAR(contact.velocity[0], -2. * d0 / block.choices.h, 1e-10);
        (d0 < 0. ? n_inside : n_outside) += 1;
      }
    }
    EXPECT_GT(n_inside, 10u);
    EXPECT_GT(n_outside, 10u);
  }
}

} // namespace
