// BBDM24, section 6.1, figures 4 and 5: the energy of the ball and the force of the ground with the
// schemes compared there; section 6.2, figure 8: the ring.

#include "cases/reference_runs.h"
#include "support/scheme.h"

namespace {

using namespace cases;

/// Energies relative to the initial energy, the variation of the ground force, and the pressure.
struct Impact {
  double end = 0, lowest = 0, highest = 0; ///< change of the energy
  double bodies = 0; ///< lowest energy of the bodies without the springs, as a change
  double residual = 0, numerical = 0;
  double variation = 0; ///< variation of the force: 1 if it rises and falls once
  double pressure = 0;  ///< largest pressure of a node, averaged over the steps in contact
};

Impact impact(const std::string &name, const std::string &scheme, const Assignments &assignments) {
  SteppedCase run(name, Assignments{"Time/Scheme=" + scheme} + assignments);
  const double unit = run.initial_energy;
  Impact result;
  double before = 0, largest = 0;
  unsigned int n_pressed = 0;
  for (unsigned int k = run.c.span.n_steps; k > 0; --k) {
    const auto &record = run.advance();
    result.residual = std::max(result.residual, std::abs(record.balance_residual) / unit);
    result.end = run.state.energy() / unit - 1;
    result.lowest = std::min(result.lowest, result.end);
    result.highest = std::max(result.highest, result.end);
    result.bodies = std::min(result.bodies, (run.state.kinetic + run.state.strain) / unit - 1);
    const double force = run.contact_force(0);
    result.variation += std::abs(force - before);
    largest = std::max(largest, force);
    before = force;
    double pressure = 0;
    for (const auto &contact : record.contacts)
      pressure = std::max(pressure, contact.percussion[0] / (run.h() * contact.area));
    result.pressure += pressure;
    n_pressed += pressure > 0.;
  }
  result.pressure /= n_pressed;
  result.variation = (result.variation + before) / (2 * largest);
  result.numerical = run.works.numerical / unit;
  EXPECT_LT(result.residual, 1e-12) << scheme;
  EXPECT_NEAR(result.end, (run.works.contact_normal + run.works.numerical) / unit, 1e-10) << scheme;
  return result;
}

Impact ball(const std::string &scheme) { return impact("ball_impact", scheme, {}); }

TEST(Ball, SignorinisConditionAndPenaltiesDoNotConserve) {
  const Impact signorini = ball("signorini-midpoint"), penalty = ball("penalty");
  EXPECT_GT(std::abs(signorini.end), 0.02);
  EXPECT_LT(std::abs(signorini.end), 0.2);
  EXPECT_GT(signorini.highest, 0.1);
  EXPECT_GT(std::abs(penalty.end), 1e-3);
  EXPECT_LT(std::abs(penalty.end), 0.02);
}

TEST(Ball, WithoutInertiaOfItsContactNodesItNearlyConserves) {
  const Impact emm = ball("equivalent-mass");
  EXPECT_LT(emm.end, -1e-4);
  EXPECT_GT(emm.end, -2e-3);
  EXPECT_LE(emm.highest, 1e-12);
  EXPECT_LT(emm.variation, 1.1); // figure 5: the smoothest stress
}

TEST(Ball, PersistentContactConservesAtAllTimes) {
  for (const char *scheme : {"pdas-leapfrog", "adapted-continuity"}) {
    const Impact run = ball(scheme);
    EXPECT_LT(std::max(run.highest, -run.lowest), 1e-11) << scheme;
    EXPECT_EQ(run.bodies, run.lowest) << scheme;
  }
}

/// The energy of the bodies is conserved after the impact, the energy of bodies and springs at all
/// times.
TEST(Ball, HauretsPenaltyConservesAfterTheImpact) {
  const Impact run = ball("hauret");
  EXPECT_LT(std::max(run.highest, -run.lowest), 1e-10);
  EXPECT_NEAR(run.numerical, 0., 1e-11);
  EXPECT_LT(run.bodies, -0.01); // during contact, energy is stored in the springs
  EXPECT_GT(run.bodies, -0.05);
}

/// Figure 5: adapted continuity has a larger stress, although not a larger force of the ground.
/// Nodes stop before they touch, so that fewer nodes are closed.
TEST(Ball, AdaptedContinuityRaisesTheStress) {
  const double stress = ball("adapted-continuity").pressure, least = ball("pdas-leapfrog").pressure;
  EXPECT_GT(stress, 1.03 * least);
  EXPECT_LT(stress, 1.15 * least);
  EXPECT_LT(ball("hauret").pressure, 0.98 * stress);
}

/// Methods that integrate contact over faces lose little energy, measured as in figure 4.
TEST(Ball, OnFacesItLosesLittle) {
  const Impact augmented = ball("augmented-lagrangian");
  EXPECT_LT(augmented.end, -2e-4);
  EXPECT_GT(augmented.end, -5e-3);
  EXPECT_LE(augmented.highest, 1e-12);
  for (const char *scheme : {"nitsche-symmetric", "nitsche-nonsymmetric", "nitsche-skew"}) {
    const Impact nitsche = ball(scheme);
    EXPECT_LT(std::max(nitsche.highest, -nitsche.lowest), 0.05) << scheme;
    EXPECT_GT(std::abs(nitsche.end), 1e-6) << scheme;
  }
}

TEST(Ball, SignorinisConditionAtTheMidpointMakesTheForceRough) {
  EXPECT_GT(ball("signorini-midpoint").variation, 5 * ball("pdas-leapfrog").variation);
  EXPECT_LT(ball("hauret").variation, 1.5);
  EXPECT_LT(ball("adapted-continuity").variation, 1.5);
}

TEST(Ring, PersistentContactAndHauretConserveAndEquivalentMassDissipates) {
  const Assignments frictionless = {"Contact/ground/Friction coefficient=0", "Time/End=0.6"};
  for (const char *scheme : {"pdas-leapfrog", "adapted-continuity", "hauret"}) {
    const Impact run = impact("ring_impact", scheme, frictionless);
    EXPECT_LT(std::max(run.highest, -run.lowest), 1e-9) << scheme;
  }
  const Impact emm = impact("ring_impact", "equivalent-mass", frictionless);
  EXPECT_LT(emm.end, -1e-4);
  EXPECT_GT(emm.end, -0.05);
}

} // namespace
