// The laws with the least tangential restitution: no contact does positive work, and what sticks is
// at rest.

#include <gtest/gtest.h>

#include "support/block.h"
#include "support/rigid.h"
#include <random>

namespace {

using namespace percussion;
using test::RigidSystem;

/// One step of a stick whose lower end hits the ground, long before anything else acts.
struct StickHit {
  double energy_gain = 0, tangential_work = 0;
  double u0_T = 0, u1_T = 0; ///< tangential velocity of the end
  ContactStatus status = ContactStatus::open;

  StickHit(ImpactLawKind law, double angle, double friction, const std::array<double, 3> &v0) {
    RigidSystem system;
    system.choices.h = 1e-9;
    RigidBody<2> stick;
    stick.mass = 1;
    stick.inertia = 1. / 12;
    stick.centre = dealii::Point<2>(-0.5 * std::sin(angle), 0.5 * std::cos(angle));
    stick.outline = {dealii::Point<2>(), stick.centre + stick.centre};
    stick.contact_points = {dealii::Point<2>()};
    system.rigid = {stick};
    system.add_contact(law, {0.4, 0., 0.}, friction);
    system.make();
    std::copy(v0.begin(), v0.end(), system.v(0));
    system.start();
    const double before = system.state.energy(), arm = 0.5 * std::cos(angle);
    const auto &record = system.advance();
    u0_T = v0[0] + arm * v0[2];
    u1_T = system.v(0)[0] + arm * system.v(0)[2];
    energy_gain = system.state.energy() - before;
    tangential_work = record.works.contact_tangential;
    status = record.contacts.at(0).status;
    EXPECT_NEAR(record.balance_residual, 0, 1e-14);
  }
};

/// Random impacts. Friction that opposes the velocity before an impact stops it; where the
/// classical law would create energy the result is Frémond's, to the last digit.
TEST(DissipativeLaw, IsClassicalWhereThatDissipatesAndFremondsElsewhere) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(-1, 1);
  unsigned int n_stopped = 0, n_raised = 0;
  for (unsigned int k = 0; k < 400; ++k) {
    const double angle = 1.5 * number(random), mu = 1 + number(random);
    const std::array<double, 3> v0 = {number(random), number(random) - 1.5, number(random)};
    const StickHit hit(ImpactLawKind::dissipative, angle, mu, v0);
    const StickHit classical(ImpactLawKind::newton_coulomb, angle, mu, v0);
    const StickHit fremond(ImpactLawKind::fremond, angle, mu, v0);
    EXPECT_LE(hit.tangential_work, 1e-14);
    EXPECT_LE(hit.energy_gain, 1e-14);
    const bool is_raised = classical.tangential_work > 1e-12;
    const StickHit &same = is_raised ? fremond : classical;
    EXPECT_NEAR(hit.u1_T, same.u1_T, 1e-12);
    EXPECT_NEAR(hit.energy_gain, same.energy_gain, 1e-12);
    n_raised += is_raised;
    if (!is_raised && hit.status == ContactStatus::stick) {
      EXPECT_NEAR(hit.u1_T, 0., 1e-12);
      ++n_stopped;
    }
  }
  EXPECT_GT(n_raised, 40u);
  EXPECT_GT(n_stopped, 40u);
}

/// A sled that slides to rest: Frémond's law reverses its last velocity in each step for ever.
TEST(DissipativeLaw, SlidingEndsAtRest) {
  constexpr double g = 10, mu = 0.4, v0 = 0.313;
  for (const auto law : {ImpactLawKind::dissipative, ImpactLawKind::persistent_dissipative,
                         ImpactLawKind::fremond}) {
    RigidSystem system;
    system.choices.h = 1e-2;
    system.gravity = dealii::Tensor<1, 2>({0., -g});
    system.rigid = {test::rectangle("sled", 1., 0.2, 2., dealii::Point<2>(0., 0.1))};
    system.add_contact(law, {}, mu);
    system.make();
    system.v(0)[0] = v0;
    system.start();
    for (unsigned int k = 0; k < 30; ++k)
      EXPECT_LE(system.advance().tangential_work_max, 1e-14);
    const double speed = std::abs(system.v(0)[0]);
    if (law == ImpactLawKind::fremond) {
      EXPECT_GT(speed, 1e-3);
      continue;
    }
    EXPECT_LT(speed, 1e-13);
    EXPECT_NEAR(system.q(0)[0], v0 * v0 / (2 * mu * g), v0 * system.choices.h);
  }
}

/// An elastic block that falls obliquely, with many contacts at once.
TEST(DissipativeLaw, NoContactOfAnElasticBlockDoesPositiveWork) {
  for (const char *const name : {"moreau-jean-fremond", "pdas-leapfrog"}) {
    const Scheme &of = scheme(name);
    test::Block block(test::rectangle(CellShape::simplex, 2, 1, 8, 4, 0.2),
                      test::hyperelastic(test::ogden), dealii::Tensor<1, 2>({0.3, -0.5}));
    block.use(of);
    block.cone.method = ConeMethod::automatic;
    block.choices.h = 0.02;
    block.add_contact("bottom", test::Block::ground(-0.013),
                      is_persistent(of.law) ? ImpactLawKind::persistent_dissipative
                                            : ImpactLawKind::dissipative,
                      {}, 0.3);
    block.set(block.state.v, [](const auto &x) -> std::array<double, 2> {
      return {{0.4 - 0.2 * x[1], -0.5 + 0.1 * x[0]}};
    });
    block.start();
    double friction = 0;
    for (unsigned int k = 0; k < 100; ++k) {
      const auto &record = block.step->advance(block.state, (k + 1) * block.choices.h);
      EXPECT_LE(record.tangential_work_max, 1e-12);
      EXPECT_LE(record.normal_work_max, 1e-12);
      EXPECT_NEAR(record.balance_residual, 0., 1e-13);
      friction += record.works.contact_tangential;
    }
    EXPECT_LT(friction, -1e-4);
  }
}

} // namespace
