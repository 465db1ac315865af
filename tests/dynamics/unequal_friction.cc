// Different coefficients of friction forward and backward in 2D: both limits of the cone, works,
// and solvers.

#include <gtest/gtest.h>

#include "support/block.h"
#include "support/rigid.h"

namespace {

using namespace percussion;
using test::Block;

constexpr double forward = 0.1, ratio = 4., weight = 9.81;

/// Returns an elastic block on the ground, with a horizontal velocity and a force per mass along
/// the ground.
Block block_on_ground(double velocity, double push, ImpactLawKind law) {
  Block block(test::rectangle(CellShape::simplex, 2., 1., 6, 3, 0.2),
              {1., 1., LinearElastic<2>::from_young(500., 0.3, Plane::strain), {}},
              dealii::Tensor<1, 2>({push, -weight}));
  ContactPair<2> &pair = block.add_contact("bottom", Block::ground(), law, {}, forward);
  pair.backward_friction_ratio = ratio;
  block.set(block.state.v, [&](const auto &) -> std::array<double, 2> { return {{velocity, 0.}}; });
  block.choices.h = 0.01;
  return block;
}

/// Each contact stays in its asymmetric cone, slips at the limit opposite to its velocity, and does
/// no positive work; the ledger closes, and its works add up to the works of all contacts.
TEST(UnequalFriction, HoldsAtEachContactInBothDirections) {
  for (const ImpactLawKind law : {ImpactLawKind::fremond, ImpactLawKind::dissipative})
    for (const double velocity : {2., -2.}) {
      Block block = block_on_ground(velocity, 0., law);
      block.start();
      unsigned int n_slipping = 0;
      double work = 0;
      for (unsigned int k = 0; k < 40; ++k) {
        const auto &record = block.advance();
        double contact_work = 0;
        for (const auto &contact : record.contacts) {
          const double p = contact.percussion[0], t = contact.percussion[1],
                       u = contact.velocity[1];
          contact_work += contact.velocity[0] * p + u * t;
          EXPECT_LE(t, ratio * forward * p + 1e-12);
          EXPECT_GE(t, -forward * p - 1e-12);
          EXPECT_LE(u * t, 1e-13);
          if (p < 1e-6 || contact.status != ContactStatus::slip || std::abs(u) < 1e-6)
            continue;
          ++n_slipping;
          EXPECT_NEAR(t, u > 0. ? -forward * p : ratio * forward * p, 1e-10 * p);
          EXPECT_NEAR(contact.friction, u > 0. ? forward : ratio * forward, 1e-15);
        }
        work += record.works.contact_tangential;
        EXPECT_NEAR(record.works.contact_normal + record.works.contact_tangential, contact_work,
                    1e-13);
        EXPECT_LE(record.tangential_work_max, 1e-13);
        EXPECT_LT(std::abs(record.balance_residual), 1e-12);
      }
      EXPECT_GT(n_slipping, 60u);
      EXPECT_LT(work, -0.1);
    }
}

/// A push between both limits moves the block forward, and does not move it backward.
TEST(UnequalFriction, HoldsBackwardWhatItReleasesForward) {
  const double push = 0.25 * weight;
  for (const double sign : {1., -1.}) {
    Block block = block_on_ground(0., sign * push, ImpactLawKind::dissipative);
    block.choices.theta = 1.;
    block.choices.forecast = Forecast::closing;
    block.start();
    while (block.state.time < 2. - 1e-9)
      block.advance();
    const double velocity = block.momentum()[0] / 2.;
    if (sign > 0.)
      EXPECT_NEAR(velocity, 2. * (push - forward * weight), 0.05);
    else
      EXPECT_NEAR(velocity, 0., 1e-3);
  }
}

/// All methods find the same percussions, which are unique here.
TEST(UnequalFriction, HasTheSamePercussionsByAllMethods) {
  std::vector<double> expected;
  for (const ConeMethodEntry &method : cone_methods()) {
    Block block = block_on_ground(-2., 0., ImpactLawKind::fremond);
    block.cone.method = method.method;
    block.cone.tolerance = 1e-11;
    block.start();
    std::vector<double> p;
    for (unsigned int k = 0; k < 8; ++k)
      p = test::percussions(block.advance());
    if (expected.empty())
      expected = p;
    ASSERT_EQ(p.size(), expected.size());
    for (std::size_t r = 0; r < p.size(); ++r)
      EXPECT_NEAR(p[r], expected[r], 1e-8) << method.name;
  }
}

/// A rigid box in slip decelerates by exactly μ g in each direction, and the box of a pair of
/// bodies by the same coefficients on a wide box that is named first or second.
TEST(UnequalFriction, IsOfTheSameDirectionsBetweenBodies) {
  for (const bool is_second : {false, true})
    for (const double sign : {1., -1.}) {
      const double mu = sign > 0. ? forward : ratio * forward;
      test::RigidSystem system;
      system.gravity = dealii::Tensor<1, 2>({0., -weight});
      system.rigid = {test::rectangle("box", 1., 0.2, 2., dealii::Point<2>(0., 0.1)),
                      test::rectangle("floor", 20., 2., 1., dealii::Point<2>(0., -1.))};
      if (is_second)
        std::swap(system.rigid[0], system.rigid[1]);
      const unsigned int box = is_second ? 1 : 0;
      system.add_mutual_contact(ImpactLawKind::fremond, {}, forward).backward_friction_ratio =
          ratio;
      System<2> &bodies = system.make();
      for (unsigned int freedom = 0; freedom < 3; ++freedom)
        bodies.prescribe(1 - box, freedom, PrescribedMotion<2>::Kind::displacement,
                         Expression("0"));
      system.v(box)[0] = sign * 5.;
      system.choices.h = 0.01;
      system.start();
      for (unsigned int k = 0; k < 50; ++k)
        EXPECT_LT(std::abs(system.advance().balance_residual), 1e-12);
      EXPECT_NEAR(system.v(box)[0], sign * (5. - mu * weight * 0.5), 1e-9) << is_second;
    }
}

/// The usual cone is the limit of equal coefficients.
TEST(UnequalFriction, ApproachesTheUsualFriction) {
  const auto energy = [](double backward_ratio) {
    Block block = block_on_ground(2., 0., ImpactLawKind::dissipative);
    block.pairs.front().backward_friction_ratio = backward_ratio;
    block.start();
    for (unsigned int k = 0; k < 10; ++k)
      block.advance();
    return block.state.energy();
  };
  EXPECT_NEAR(energy(1. + 1e-12), energy(1.), 1e-9);
}

} // namespace
