// Bodies with negligible inertia in long steps, held by contacts only.

#include <gtest/gtest.h>

#include "support/block.h"
#include <limits>

namespace {

using namespace percussion;
using test::Block;

/// A block is pressed on the ground by its weight, free to slide without friction, in steps of an
/// implicit Euler method up to 1e8 times as long as a wave needs to traverse an element. By
/// round-off its contacts open by more than the tolerance of gaps, but they stay closed.
TEST(LightBodies, StayOnTheGround) {
  for (const double density : {1., 1e-6, 1e-12}) {
    const Material<2> material{
        density, 1., LinearElastic<2>::from_young(2e3, 0.3, Plane::strain), {}};
    const double weight = 50.; // weight per area
    Block block(test::rectangle(CellShape::hypercube, 3, 2, 6, 4, 0.), material,
                dealii::Tensor<1, 2>({0., -weight / density}));
    block.choices.theta = 1.;
    block.choices.h = 0.02;
    block.add_contact("bottom", Block::ground(), ImpactLawKind::fremond, {}, 0.);
    block.start();
    double deepest = 0, force = 0;
    for (unsigned int k = 0; k < 75; ++k) {
      const auto &record = block.step->advance(block.state, (k + 1) * block.choices.h);
      deepest = std::max(deepest, record.penetration_max);
      force = test::total_percussion(record, 0) / block.choices.h;
    }
    // Round-off of the free velocity, h g, moves a contact in each step by some units in the last
    // digit of h² g.
    const double round_off = 4. * std::numeric_limits<double>::epsilon() * block.choices.h *
                             block.choices.h * weight / density;
    EXPECT_LT(deepest, 75. * round_off + 1e-12) << density;
    EXPECT_NEAR(force, weight * 6., 1e-5 * weight * 6.) << density;
  }
}

/// Out of reach of the ground, only inertia determines the motion: the body falls correctly
/// although the factor of the balance has additions for bodies held by contacts.
TEST(LightBodies, FallFreely) {
  constexpr double density = 1e-8, weight = 50., g = weight / density;
  const Material<2> material{
      density, 1., LinearElastic<2>::from_young(2e3, 0.3, Plane::strain), {}};
  Block block(test::rectangle(CellShape::hypercube, 3, 2, 6, 4, 0.), material,
              dealii::Tensor<1, 2>({0., -g}));
  block.choices.theta = 1.;
  block.choices.h = 0.02;
  const auto far_below = Block::ground(-1e12);
  block.add_contact("bottom", far_below, ImpactLawKind::fremond, {}, 0.);
  block.start();
  for (unsigned int k = 1; k <= 3; ++k) {
    block.step->advance(block.state, k * block.choices.h);
    for (const auto &dofs : block.bodies->elastic[0]->space.node_dofs)
      EXPECT_NEAR(block.state.v[dofs[1]], -g * k * block.choices.h, 1e-4 * g * block.choices.h);
  }
}

} // namespace
