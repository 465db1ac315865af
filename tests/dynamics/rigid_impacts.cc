// Single impacts of a rigid stick, compared with closed forms: Kane's puzzle.

#include <gtest/gtest.h>

#include "support/rigid.h"
#include <random>

namespace {

using namespace percussion;
using test::RigidSystem;

/// One impact of a stick whose lower end touches the ground, without other forces. All data of the
/// impact are in closed form: W of the end, and the velocities before.
struct StickImpact {
  static constexpr double mass = 1, length = 1, inertia = 1. / 12;
  double angle, friction;
  ImpactLawKind law;
  std::array<double, 3> v0; ///< velocities before

  double W_nn, W_nt, W_tt;
  std::array<double, 2> u0{}, u1{},
      p{}; ///< normal and tangential (+x) velocities before and after, and percussion
  double energy_gain = 0;

  StickImpact(double a, double mu, ImpactLawKind l, const std::array<double, 3> &v)
      : angle(a), friction(mu), law(l), v0(v) {
    RigidSystem system;
    system.choices.h = 1e-9; // so short that nothing moves
    RigidBody<2> stick;
    stick.mass = mass;
    stick.inertia = inertia;
    stick.centre = dealii::Point<2>(-0.5 * std::sin(angle), 0.5 * std::cos(angle));
    stick.outline = {dealii::Point<2>(), stick.centre + stick.centre};
    stick.contact_points = {dealii::Point<2>()};
    system.rigid = {stick};
    system.add_contact(law, {1., 0., 0.}, friction);
    system.make();
    std::copy(v0.begin(), v0.end(), system.v(0));
    system.start();
    const double before = system.state.energy();
    const auto &record = system.advance();
    const double rx = 0.5 * std::sin(angle),
                 ry = -0.5 * std::cos(angle); // position of the end relative to the centre
    W_nn = 1 / mass + rx * rx / inertia;
    W_tt = 1 / mass + ry * ry / inertia;
    W_nt = -rx * ry / inertia;
    u0 = {v0[1] + rx * v0[2], v0[0] - ry * v0[2]};
    const double *const v1 = system.v(0);
    u1 = {v1[1] + rx * v1[2], v1[0] - ry * v1[2]};
    p = record.contacts.at(0).percussion;
    energy_gain = system.state.energy() - before;
    EXPECT_NEAR(record.balance_residual, 0, 1e-14);
    EXPECT_NEAR(record.works.contact_tangential + record.works.contact_normal, energy_gain, 1e-14);
  }
};

/// The law of Newton and Coulomb with e = 1 for a sticking end: u1 = (−u0_N, 0), p = W⁻¹ (u1 − u0),
/// and the energy grows by ½ u0_T p_T, which is positive here (Kane's puzzle). Frémond's law sticks
/// on the mean velocity: u1 = −u0, and the energy is conserved.
TEST(RigidImpact, NewtonCoulombCreatesEnergyAndFremondDoesNot) {
  const double angle = M_PI / 4, mu = 2;
  const std::array<double, 3> v0 = {0.3, -1, 0};
  const StickImpact newton(angle, mu, ImpactLawKind::newton_coulomb, v0);
  const double det = newton.W_nn * newton.W_tt - newton.W_nt * newton.W_nt;
  const double un = newton.u0[0], ut = newton.u0[1];
  const double pn = (-2 * un * newton.W_tt + ut * newton.W_nt) / det;
  const double pt = (2 * un * newton.W_nt - ut * newton.W_nn) / det;
  ASSERT_LT(std::abs(pt), mu * pn); // the end sticks
  EXPECT_NEAR(newton.p[0], pn, 1e-13);
  EXPECT_NEAR(newton.p[1], pt, 1e-13);
  EXPECT_NEAR(newton.u1[0], -un, 1e-13);
  EXPECT_NEAR(newton.u1[1], 0, 1e-13);
  EXPECT_NEAR(newton.energy_gain, 0.5 * ut * pt, 1e-13);
  EXPECT_LT(newton.energy_gain, 0); // in this direction; in the opposite one:

  const StickImpact other(angle, mu, ImpactLawKind::newton_coulomb, {-0.3, -1, 0});
  const double other_pt = (2 * un * other.W_nt + ut * other.W_nn) / det;
  EXPECT_NEAR(other.energy_gain, -0.5 * ut * other_pt, 1e-13);
  EXPECT_GT(other.energy_gain, 0.08); // relative to an energy of 0.545

  for (const double vx : {0.3, -0.3}) {
    const StickImpact fremond(angle, mu, ImpactLawKind::fremond, {vx, -1, 0});
    EXPECT_NEAR(fremond.energy_gain, 0, 1e-15);
    EXPECT_NEAR(fremond.u1[0], -fremond.u0[0], 1e-13);
    EXPECT_NEAR(fremond.u1[1], -fremond.u0[1], 1e-13);
  }
}

/// With both laws a slipping end has p_T = ∓μ p_N against the slip, and u1_N = −u0_N.
TEST(RigidImpact, SlipIsTheConesEdge) {
  const double angle = 0.3, mu = 0.05;
  for (const auto law : {ImpactLawKind::newton_coulomb, ImpactLawKind::fremond})
    for (const double vx : {3., -3.}) {
      const StickImpact impact(angle, mu, law, {vx, -1, 0.2});
      const double sign = vx > 0 ? -1 : 1;
      const double pn = -2 * impact.u0[0] / (impact.W_nn + sign * mu * impact.W_nt);
      EXPECT_NEAR(impact.p[0], pn, 1e-13);
      EXPECT_NEAR(impact.p[1], sign * mu * pn, 1e-13);
      const double ut1 = impact.u0[1] + (impact.W_nt + sign * mu * impact.W_tt) * pn;
      EXPECT_NEAR(impact.u1[1], ut1, 1e-13);
      ASSERT_GT(impact.u1[1] * vx, 0); // the end slipped throughout
      EXPECT_NEAR(impact.energy_gain, 0.5 * (impact.u0[1] + ut1) * sign * mu * pn, 1e-13);
    }
}

/// Frémond's law gains no energy in any of these random impacts; the classical law gains in many.
TEST(RigidImpact, FremondNeverGains) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> number(-1, 1);
  unsigned int gains = 0;
  for (unsigned int k = 0; k < 200; ++k) {
    const double angle = 1.5 * number(random), mu = 1 + number(random);
    const std::array<double, 3> v0 = {number(random), number(random) - 1.5, number(random)};
    gains += StickImpact(angle, mu, ImpactLawKind::newton_coulomb, v0).energy_gain > 1e-3;
    EXPECT_LE(StickImpact(angle, mu, ImpactLawKind::fremond, v0).energy_gain, 1e-14);
  }
  EXPECT_GT(gains, 20u);
}

} // namespace
