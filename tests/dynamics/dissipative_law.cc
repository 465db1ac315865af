// The laws with the least tangential restitution: no contact does positive work, and sticking
// contacts are at rest.

#include <gtest/gtest.h>

#include "support/block.h"
#include "support/rigid.h"
#include <random>

namespace {

using namespace percussion;
using test::RigidSystem;

/// One step of a stick whose lower end hits the ground, so short that other forces have no effect.
struct StickHit {
  double energy_gain = 0, tangential_work = 0;
  double u0_T = 0, u1_T = 0; ///< tangential velocity of the end before and after
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

/// Random impacts: friction stops the tangential velocity as in the classical law; if the classical
/// law would create energy, the result equals Frémond's law to the last digit.
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

/// A sled slides to rest: Frémond's law would reverse its last velocity in each step without end.
TEST(DissipativeLaw, SlidingEndsAtRest) {
  constexpr double g = 10, mu = 0.4, v0 = 0.313;
  for (const auto law : {ImpactLawKind::dissipative, ImpactLawKind::persistent_dissipative,
                         ImpactLawKind::fremond, ImpactLawKind::persistent}) {
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
    const double reversal =
        system.step->advance(system.state, 31 * system.choices.h).reversal.value;
    if (law == ImpactLawKind::fremond || law == ImpactLawKind::persistent) {
      EXPECT_GT(speed, 1e-3);
      EXPECT_NEAR(reversal, speed, 1e-12);
      continue;
    }
    EXPECT_EQ(reversal, 0.);
    EXPECT_LT(speed, 1e-13);
    EXPECT_NEAR(system.q(0)[0], v0 * v0 / (2 * mu * g), v0 * system.choices.h);
  }
}

/// Takes steps of an elastic block that falls obliquely, with many contacts at once: none does
/// positive work, and sticking contacts with e_T = 0 are at rest.
template <int dim>
void slide_and_check(test::BlockIn<dim> &block, const Scheme &named,
                     const std::function<std::array<double, dim>(const dealii::Point<dim> &)> &v) {
  block.use(named);
  block.cone.method = ConeMethod::automatic;
  block.choices.h = 0.02;
  block.add_contact("bottom", test::BlockIn<dim>::ground(-0.013), named.law, {}, 0.3);
  block.set(block.state.v, v);
  block.start();
  double friction = 0;
  unsigned int n_stuck = 0;
  for (unsigned int k = 0; k < 100; ++k) {
    const auto &record = block.step->advance(block.state, (k + 1) * block.choices.h);
    EXPECT_LE(record.tangential_work_max, 1e-12);
    EXPECT_LE(record.normal_work_max, 1e-12);
    EXPECT_NEAR(record.balance_residual, 0., 1e-13);
    EXPECT_EQ(record.reversal.value, 0.);
    friction += record.works.contact_tangential;
    for (const auto &contact : record.contacts)
      n_stuck += contact.status == ContactStatus::stick;
  }
  EXPECT_LT(friction, -1e-4);
  EXPECT_GT(n_stuck, 3u);
}

TEST(DissipativeLaw, NoContactOfAnElasticBlockDoesPositiveWork) {
  for (const char *const name : {"moreau-jean-fremond", "pdas-leapfrog", "fremond-gonzalez"})
    for (const bool is_linear : {true, false}) {
      SCOPED_TRACE(std::string(name) + (is_linear ? ", linear" : ", hyperelastic"));
      const Material<2> linear{1., 1., LinearElastic<2>::from_young(5., 0.3, Plane::strain), {}};
      test::Block block(test::rectangle(CellShape::simplex, 2, 1, 8, 4, 0.2),
                        is_linear ? linear : test::hyperelastic(test::ogden),
                        dealii::Tensor<1, 2>({0.3, -0.5}));
      slide_and_check<2>(block, scheme(name), [](const auto &x) -> std::array<double, 2> {
        return {{0.4 - 0.2 * x[1], -0.5 + 0.1 * x[0]}};
      });
    }
}

TEST(DissipativeLaw, NoContactOfAnElasticBoxDoesPositiveWork) {
  for (const char *const name : {"moreau-jean-fremond", "pdas-leapfrog"}) {
    SCOPED_TRACE(name);
    test::BlockIn<3> box(
        test::box(CellShape::hypercube, dealii::Point<3>(1, 0.8, 0.5), {4, 3, 2}, 0.2),
        Material<3>{1., 1., LinearElastic<3>::from_young(5., 0.3, Plane::strain), {}},
        dealii::Tensor<1, 3>({0.3, 0.1, -0.5}));
    slide_and_check<3>(box, scheme(name), [](const auto &x) -> std::array<double, 3> {
      return {{0.4 - 0.2 * x[2], 0.2, -0.5 + 0.1 * x[0]}};
    });
  }
}

} // namespace
