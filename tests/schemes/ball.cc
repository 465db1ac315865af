// BBDM24, section 6.1, figures 4 and 5: the energy of the ball and the force of the ground with the
// schemes compared there; section 6.2, figure 8: the ring. With data that resolve the impact; for
// the paper's data see paper_figures.cc.

#include "schemes/impact.h"

namespace {

using namespace cases;

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
