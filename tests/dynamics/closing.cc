// Contacts that would close within a step, and that participate in it with their gaps.

#include <gtest/gtest.h>

#include "support/block.h"

namespace {

using namespace percussion;
using test::Block;

/// Returns a block that moves down to the ground with a tangential velocity; the ground is `gap`
/// times the displacement of a step below the block.
Block closing_block(double theta, double gap, bool has_inertia, ImpactLawKind law) {
  const double c = 0.3, h = 0.5;
  Block block(test::rectangle(CellShape::hypercube, 1, 1, 2, 2),
              {1., 1., LinearElastic<2>::from_young(100., 0.3, Plane::strain), {}});
  block.add_contact("bottom", Block::ground(-gap * c * h), law, {}, 0.3);
  block.set(block.state.v, [&](const auto &) -> std::array<double, 2> { return {{0.2, -c}}; });
  block.choices.h = h;
  block.choices.theta = theta;
  block.choices.forecast = Forecast::closing;
  if (!has_inertia)
    block.bodies->redistribute_inertia(*block.bodies->elastic.front(),
                                       block.mesh->region("bottom").nodes);
  block.start();
  for (auto &point : block.boundary->points)
    point.has_inertia = has_inertia;
  return block;
}

/// In a step in which waves traverse the block five times, a point may close its gap but not
/// penetrate; the work of its percussion is −p g/h, and no contact does positive work.
TEST(ClosingContacts, CloseTheirGapsAndNoMore) {
  for (const double theta : {0.5, 0.75, 1.})
    for (const double gap : {0.1, 0.6, 0.9})
      for (const bool has_inertia : {true, false})
        for (const auto law : {ImpactLawKind::fremond, ImpactLawKind::dissipative}) {
          Block block = closing_block(theta, gap, has_inertia, law);
          const double h = block.choices.h, g = gap * 0.3 * h;
          const double energy = block.state.energy();
          const auto &record = block.advance();
          ASSERT_EQ(record.contacts.size(), 3u);
          // A closed contact with inertia would stop at the end of the step, after (1 − θ) of its
          // displacement.
          const double way = has_inertia ? std::max(g, (1. - theta) * 0.3 * h) : g;
          for (const auto &contact : record.contacts) {
            const auto &p = contact.percussion, &u = contact.velocity;
            EXPECT_GT(p[0], 0.);
            EXPECT_NEAR(h * u[0], -way, 1e-13);
            EXPECT_LE(p[1] * u[1], 1e-14 * energy);
          }
          EXPECT_NEAR(record.works.contact_normal, -way / h * test::total_percussion(record, 0),
                      1e-13 * energy);
          EXPECT_NEAR(record.penetration_max, way - g, 1e-13);
          EXPECT_LT(std::abs(record.balance_residual), 1e-13 * energy);
          EXPECT_EQ(record.defects.defect(DefectKind::missed_depth).value, 0.);
        }
}

/// With the forecast of positions the same block falls for the whole step.
TEST(ClosingContacts, WouldElseFallThrough) {
  Block block = closing_block(1., 0.1, true, ImpactLawKind::fremond);
  StepChoices position_choices = block.choices;
  position_choices.forecast = Forecast::position;
  State<2> state = block.state;
  Step<2> step(*block.bodies, *block.boundary, position_choices, block.cone);
  step.initialise(state);
  EXPECT_NEAR(step.advance(state, position_choices.h).penetration_max,
              0.9 * 0.3 * position_choices.h, 1e-12);
}

/// Contacts that close due to the percussions of other contacts are found too, and contacts out of
/// reach of the step stay free.
TEST(ClosingContacts, AreFoundOneByTheOther) {
  Block block(test::rectangle(CellShape::hypercube, 4, 1, 8, 2),
              {1e-6, 1., LinearElastic<2>::from_young(100., 0.3, Plane::strain), {}});
  Surface<2> dome;
  dome.shape = Ball<2>{dealii::Point<2>(0.5, -20.01), 20., false};
  block.add_contact("bottom", dome, ImpactLawKind::newton_coulomb, {}, 0.);
  block.prescribe("left", 0, PrescribedMotion<2>::Kind::displacement, "0");
  block.prescribe("top", 1, PrescribedMotion<2>::Kind::displacement, "-0.05*t");
  block.choices.h = 1.;
  block.choices.theta = 1.;
  block.choices.forecast = Forecast::closing;
  block.start();
  unsigned int n_pressing = 0, n_free = 0;
  for (unsigned int k = 0; k < 3; ++k) {
    const auto &record = block.advance();
    EXPECT_EQ(record.defects.defect(DefectKind::missed_depth).value, 0.);
    // A frame at the start replaces the curve by its tangent, with the error (tangential
    // displacement)²/(2 R).
    EXPECT_LT(record.penetration_max, 2e-5);
    EXPECT_LE(record.works.contact_normal, 0.);
    n_pressing = 0;
    for (const auto &contact : record.contacts)
      n_pressing += contact.percussion[0] > 0.;
    n_free = 9 - n_pressing;
  }
  EXPECT_GT(n_pressing, 4u);
  EXPECT_GT(n_free, 0u);
}

} // namespace
