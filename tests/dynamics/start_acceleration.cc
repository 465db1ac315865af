// Accelerations at the start: prescribed motions, contacts, bodies that are held, and the orders of
// schemes that depend on them.

#include <percussion/body/static_equilibrium.h>

#include <gtest/gtest.h>

#include "support/scheme.h"
#include <utility>

namespace start_acceleration_tests {

using namespace percussion;
using test::Block;
using Kind = PrescribedMotion<2>::Kind;

Material<2> material() {
  return {1., 1., LinearElastic<2>::from_young(100., 0.3, Plane::strain), {}};
}

Block block_of(const dealii::Tensor<1, 2> &gravity) {
  return Block(test::rectangle(CellShape::hypercube, 2., 1., 4, 2), material(), gravity);
}

/// Schemes whose state contains an acceleration.
const std::vector<std::string> schemes_with_acceleration = {"newmark-signorini",
                                                            "generalized-alpha", "paoli-schatzman"};

/// Returns F − K q − M a, and its largest entry among the free degrees of freedom.
Vector imbalance(const Block &block, double &largest) {
  Vector residual = block.state.force, inertial = block.bodies->zero_field();
  residual -= block.state.Kq;
  multiply(block.bodies->operators.mass, block.state.a, inertial);
  residual -= inertial;
  largest = 0;
  for (unsigned int i = 0; i < block.bodies->n_dofs(); ++i)
    if (!block.bodies->motion.is_prescribed(i))
      largest = std::max(largest, std::abs(residual[i]));
  return residual;
}

TEST(StartAcceleration, FollowsPrescribedMotions) {
  for (const auto &name : schemes_with_acceleration)
    for (const bool as_velocity : {false, true}) {
      Block block = block_of(dealii::Tensor<1, 2>({0., -2.}));
      block.use(scheme(name));
      block.prescribe("left", 0, as_velocity ? Kind::velocity : Kind::displacement,
                      as_velocity ? "3*t" : "1.5*t^2");
      block.prescribe("left", 1, Kind::displacement, "0");
      block.start();
      for (const unsigned int node : block.mesh->region("left").nodes) {
        EXPECT_NEAR(block.state.a[block.space().node_dofs[node][0]], 3., 1e-6) << name;
        EXPECT_NEAR(block.state.a[block.space().node_dofs[node][1]], 0., 1e-12) << name;
      }
      double largest;
      imbalance(block, largest);
      EXPECT_LT(largest, 1e-12) << name;
    }
}

/// An undeformed block that touches the ground begins to fall onto it: contact nodes do not
/// accelerate into the ground, their forces press, and the other nodes fall.
TEST(StartAcceleration, IncludesTheForcesOfContacts) {
  for (const double friction : {0., 0.5}) {
    Block block = block_of(dealii::Tensor<1, 2>({1., -10.}));
    block.use(scheme("newmark-signorini"));
    block.add_contact("bottom", Block::ground(), ImpactLawKind::persistent, {}, friction);
    block.start();
    double largest;
    const Vector force = imbalance(block, largest);
    for (unsigned int node = 0; node < block.space().n_nodes(); ++node) {
      const auto &dofs = block.space().node_dofs[node];
      const bool touches = block.space().nodes[node][1] == 0.;
      const double a = block.state.a[dofs[1]];
      const double normal = -force[dofs[1]], tangential = -force[dofs[0]];
      if (!touches) {
        EXPECT_LT(a, -5.);
        EXPECT_NEAR(normal, 0., 1e-11);
        continue;
      }
      EXPECT_NEAR(a, 0., 1e-11);
      EXPECT_GT(normal, 0.);
      EXPECT_LE(std::abs(tangential), friction * normal + 1e-11);
    }
  }
}

/// A contact that separates or approaches has no force at the start.
TEST(StartAcceleration, HasNoForcesOfContactsInMotion) {
  for (const double velocity : {1., -1.}) {
    Block block = block_of(dealii::Tensor<1, 2>({0., -10.}));
    block.use(scheme("newmark-signorini"));
    block.add_contact("bottom", Block::ground(), ImpactLawKind::persistent, {}, 0.);
    block.set(block.state.v, [&](const auto &) { return std::array<double, 2>{0., velocity}; });
    block.start();
    double largest;
    imbalance(block, largest);
    EXPECT_LT(largest, 1e-11);
  }
}

class HeldBlock : public ::testing::TestWithParam<Scheme> {};

/// A stretched block whose sides are held stays at rest, with all schemes.
TEST_P(HeldBlock, StaysAtRest) {
  Block block = block_of(dealii::Tensor<1, 2>({0., -1.}));
  for (const unsigned int d : {0u, 1u}) {
    block.prescribe("left", d, Kind::displacement, "0");
    block.prescribe("right", d, Kind::displacement, d == 0 ? "0.1" : "-0.05");
  }
  Preload preload;
  preload.gravity = true;
  block.state.q = static_equilibrium(*block.bodies, preload, 0.);
  const Vector before = block.state.q;
  take(GetParam(), block);
  block.choices.h = 0.02;
  block.start();
  const double energy = block.state.energy();
  for (unsigned int k = 0; k < 1000; ++k)
    block.advance();
  Vector change = block.state.q;
  change -= before;
  EXPECT_LT(change.linfty_norm(), 1e-12);
  EXPECT_LT(block.state.v.linfty_norm(), 1e-11);
  EXPECT_NEAR(block.state.energy(), energy, 1e-12 * energy);
}

INSTANTIATE_TEST_SUITE_P(Schemes, HeldBlock, ::testing::ValuesIn(schemes()), test::SchemeName());

/// Returns the displacements of a cantilever, released under gravity, after n steps of length h.
Vector released(const std::string &name, double h, unsigned int n, double viscosity = 0.) {
  Material<2> viscous = material();
  viscous.viscosity.eta = viscosity;
  Block block(test::rectangle(CellShape::hypercube, 4., 1., 4, 1), viscous,
              dealii::Tensor<1, 2>({0., -0.1}));
  block.use(scheme(name));
  for (const unsigned int d : {0u, 1u})
    block.prescribe("left", d, Kind::displacement, "0");
  block.choices.h = h;
  block.start();
  for (unsigned int k = 0; k < n; ++k)
    block.advance();
  return block.state.q;
}

double distance(Vector a, const Vector &b) {
  a -= b;
  return a.l2_norm() / b.l2_norm();
}

class Cantilever : public ::testing::TestWithParam<std::string> {};

TEST_P(Cantilever, IsReleasedWithOrderTwo) {
  constexpr double time = 2.;
  const Vector exact = released("moreau-jean", time / 32768, 32768);
  std::vector<double> errors;
  for (const unsigned int n : {256u, 512u, 1024u})
    errors.push_back(distance(released(GetParam(), time / n, n), exact));
  for (std::size_t i = 1; i < errors.size(); ++i)
    EXPECT_NEAR(std::log2(errors[i - 1] / errors[i]), 2., 0.1) << errors[i];
}

/// Viscous forces, too, are of second order: those of velocities half a step before and after.
TEST_P(Cantilever, IsDampedWithOrderTwo) {
  constexpr double time = 2., viscosity = 1.;
  std::vector<double> errors;
  Vector last = released(GetParam(), time / 256, 256, viscosity);
  for (const unsigned int n : {512u, 1024u, 2048u}) {
    const Vector next = released(GetParam(), time / n, n, viscosity);
    errors.push_back(distance(std::exchange(last, next), next));
  }
  for (std::size_t i = 1; i < errors.size(); ++i)
    EXPECT_NEAR(std::log2(errors[i - 1] / errors[i]), 2., 0.1) << errors[i];
}

/// In the first three steps, too, the error is of second order relative to the displacements.
TEST_P(Cantilever, IsReleasedWithOrderTwoInThreeSteps) {
  std::vector<double> errors;
  for (const double h : {4e-3, 2e-3, 1e-3})
    errors.push_back(
        distance(released(GetParam(), h, 3), released("moreau-jean", h / 128, 3 * 128)));
  for (std::size_t i = 1; i < errors.size(); ++i)
    EXPECT_NEAR(std::log2(errors[i - 1] / errors[i]), 2., 0.1) << errors[i];
}

INSTANTIATE_TEST_SUITE_P(Schemes, Cantilever,
                         ::testing::Values("moreau-jean", "pdas-leapfrog", "newmark-signorini",
                                           "generalized-alpha", "paoli-schatzman"),
                         [](const auto &test_info) {
                           std::string name = test_info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

} // namespace start_acceleration_tests
