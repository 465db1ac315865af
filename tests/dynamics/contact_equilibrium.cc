// Static equilibria with contacts, and the steps that start from them.

#include <percussion/base/error.h>
#include <percussion/dynamics/contact_equilibrium.h>

#include <gtest/gtest.h>

#include "support/scheme.h"

namespace contact_equilibrium_tests {

using namespace percussion;
using test::Block;
using Kind = PrescribedMotion<2>::Kind;

constexpr double weight_per_area = 2.;

Material<2> linear() {
  return {1., 1., LinearElastic<2>::from_young(100., 0.3, Plane::strain), {}};
}

/// Returns a block of 2 × 1 under its weight and a pull to the right at its upper right side.
Block pulled_block(const Material<2> &material, double pull) {
  Block block(test::rectangle(CellShape::hypercube, 2., 1., 8, 4), material,
              dealii::Tensor<1, 2>({0., -weight_per_area}));
  block.add_traction("right", 0, std::to_string(pull));
  return block;
}

/// Starts a block from its equilibrium on the ground.
void start_in_equilibrium(Block &block) {
  Preload preload;
  preload.gravity = preload.tractions = true;
  Boundary<2> boundary(*block.bodies, block.pairs);
  block.state =
      contact_equilibrium(*block.bodies, boundary, block.choices, block.cone, preload, 0.);
  block.start();
}

/// Normal force of all contacts in a step, and the smallest force of one contact.
struct Force {
  double sum = 0, smallest = std::numeric_limits<double>::infinity(), tangential = 0;
};
Force force_of(const StepRecord<2> &record, double h) {
  Force force;
  for (const auto &contact : record.contacts) {
    force.sum += contact.percussion[0] / h;
    force.tangential += contact.percussion[1] / h;
    force.smallest = std::min(force.smallest, contact.percussion[0] / h);
  }
  return force;
}

class PreloadedBlock : public ::testing::TestWithParam<Scheme> {};

/// A block that a pull tilts stays in equilibrium with each scheme: contact forces push, carry the
/// weight and the pull from the first step on, and the heel of the block has lifted.
TEST_P(PreloadedBlock, StaysInEquilibriumOnTheGround) {
  constexpr double pull = 3., h = 0.01;
  // Laws for gaps multiply the round-off of gaps by the mass over h², and with consistent masses
  // the alternation of their forces grows from step to step.
  const bool is_for_rates = GetParam().gap == GapLaw::rate;
  const double tolerance = is_for_rates ? 1e-8 : 1e-6;
  const unsigned int n_steps = is_for_rates ? 200 : 5;
  Block block = pulled_block(linear(), pull);
  block.add_contact("bottom", Block::ground(), ImpactLawKind::fremond, {}, 0.9);
  take(GetParam(), block);
  block.choices.h = h;
  start_in_equilibrium(block);
  const Vector before = block.state.q;
  for (unsigned int k = 0; k < n_steps; ++k) {
    const Force force = force_of(block.advance(), h);
    ASSERT_NEAR(force.sum, 2. * weight_per_area, tolerance) << k;
    ASSERT_NEAR(std::abs(force.tangential), pull, tolerance) << k;
    ASSERT_GE(force.smallest, -tolerance) << k;
  }
  Vector change = block.state.q;
  change -= before;
  EXPECT_LT(change.linfty_norm(), tolerance * before.linfty_norm());
  EXPECT_LT(block.state.kinetic, tolerance * tolerance * block.state.strain);
}

/// Returns the schemes with contacts at nodes.
std::vector<Scheme> collocated_schemes() {
  std::vector<Scheme> some;
  for (const Scheme &scheme : schemes())
    if (scheme.formulation == Formulation::collocated)
      some.push_back(scheme);
  return some;
}

INSTANTIATE_TEST_SUITE_P(Schemes, PreloadedBlock, ::testing::ValuesIn(collocated_schemes()),
                         test::SchemeName());

TEST(ContactEquilibrium, ReleasesWhatWouldBePulled) {
  Block block = pulled_block(linear(), 3.);
  block.add_contact("bottom", Block::ground(), ImpactLawKind::fremond, {}, 0.9);
  start_in_equilibrium(block);
  const auto &nodes = block.mesh->region("bottom").nodes;
  double highest = 0, lowest = 1;
  for (const unsigned int node : nodes) {
    const double y = block.state.q[block.space().node_dofs[node][1]];
    highest = std::max(highest, y);
    lowest = std::min(lowest, y);
  }
  EXPECT_GT(highest, 1e-4);
  EXPECT_NEAR(lowest, 0., 1e-10);
}

/// The equilibrium of large deformations, too, is at rest.
TEST(ContactEquilibrium, HoldsHyperelasticBodies) {
  Block block(test::rectangle(CellShape::hypercube, 2., 1., 6, 3), test::hyperelastic(test::ogden),
              dealii::Tensor<1, 2>({0., -0.1}));
  block.add_contact("bottom", Block::ground(), ImpactLawKind::dissipative, {}, 0.2);
  block.use(scheme("pdas-leapfrog"));
  block.choices.h = 0.05;
  block.choices.newton_tolerance = 1e-12;
  start_in_equilibrium(block);
  const Vector before = block.state.q;
  EXPECT_GT(before.linfty_norm(), 0.01);
  for (unsigned int k = 0; k < 50; ++k)
    EXPECT_NEAR(force_of(block.advance(), 0.05).sum, 0.2, 1e-8);
  Vector change = block.state.q;
  change -= before;
  EXPECT_LT(change.linfty_norm(), 1e-8);
}

/// Bodies and boundary are as before, also after a failure.
TEST(ContactEquilibrium, LeavesBodiesAsTheyAre) {
  Block block = pulled_block(linear(), 10.);
  block.prescribe("left", 1, Kind::velocity, "3*t");
  block.add_contact("bottom", Block::ground(), ImpactLawKind::fremond, {0.5, 0., 0.}, 0.1);
  Boundary<2> boundary(*block.bodies, block.pairs);
  const std::vector<double> mass = block.bodies->operators.mass.values();
  Vector force = block.bodies->zero_field();
  Preload preload;
  preload.gravity = preload.tractions = true;
  EXPECT_THROW(contact_equilibrium(*block.bodies, boundary, block.choices, block.cone, preload, 0.),
               RunError); // the pull exceeds friction
  EXPECT_EQ(block.bodies->operators.mass.values(), mass);
  EXPECT_EQ(boundary.pairs.front().restitution.normal, 0.5);
  EXPECT_EQ(boundary.pairs.front().law, ImpactLawKind::fremond);
  EXPECT_EQ(block.bodies->motion.n_dofs(), block.mesh->region("left").nodes.size());
  block.bodies->loads.evaluate(0., force);
  double sum = 0;
  for (unsigned int i = 0; i < force.size(); ++i)
    sum += force[i];
  EXPECT_NEAR(sum, 10. - 2. * weight_per_area, 1e-12);
}

/// Without friction the position along the ground is free, and the loads have no component there.
TEST(ContactEquilibrium, ExistsWithoutFriction) {
  Block block = pulled_block(linear(), 0.);
  block.add_contact("bottom", Block::ground(), ImpactLawKind::fremond, {}, 0.);
  block.choices.h = 0.01;
  start_in_equilibrium(block);
  for (unsigned int k = 0; k < 100; ++k)
    EXPECT_NEAR(force_of(block.advance(), 0.01).sum, 2. * weight_per_area, 1e-8);
  EXPECT_LT(block.state.v.linfty_norm(), 1e-8);
}

} // namespace contact_equilibrium_tests
