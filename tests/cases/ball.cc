// The elastic ball of BBDM24, section 6.1.

#include "cases/reference_runs.h"

namespace {

using namespace cases;

void expect_frictionless_balance(const History &impact) {
  EXPECT_LE(impact.residual_max, 1e-12 * impact.initial_energy);
  EXPECT_LE(impact.drift_max, 1e-10 * impact.initial_energy);
  EXPECT_LE(impact.tangential_max, 1e-13 * impact.initial_energy);
}

void expect_rebound(const History &impact) {
  EXPECT_GT(impact.contact_steps, 40u);
  EXPECT_NEAR(impact.contact_begin, 4.73e-3, 1e-4);
  EXPECT_NEAR(impact.contact_end, 0.0140, 5e-4);
  EXPECT_GT(impact.mean_velocity[1], 8.);
}

TEST(Ball, ConservesItsEnergyOverTheImpact) {
  const History impact = history("ball_impact", {});
  expect_frictionless_balance(impact);
  expect_rebound(impact);
  EXPECT_NEAR(impact.final_energy, impact.initial_energy, 1e-10 * impact.initial_energy);
  // Less than one per cent of the energy remains in vibrations.
  EXPECT_NEAR(impact.mean_velocity[1], 9.9, 0.05);
}

TEST(Ball, ViscosityTakesEnergyTheMoreTheLargerItIs) {
  const double unit = history("ball_impact", {}).final_energy;
  double left = unit;
  for (const std::string viscosity : {"1e6", "5e6", "2e7"}) {
    const History impact = history("ball_impact_viscous", {"Material/Viscosity=" + viscosity});
    expect_frictionless_balance(impact);
    expect_rebound(impact);
    EXPECT_LE(impact.energy_rise_max, 1e-12 * unit) << viscosity;
    EXPECT_NEAR(impact.works.viscous, impact.final_energy - unit, 1e-10 * unit) << viscosity;
    EXPECT_LT(impact.final_energy, left - 0.01 * unit) << viscosity;
    left = impact.final_energy;
  }
}

/// Returns the sum of the changes of the force divided by twice the largest force: 1 if the force
/// rises and falls once.
double variation(const History &impact) {
  double sum = 0, before = 0, largest = 0;
  for (const double force : impact.force) {
    sum += std::abs(force - before);
    largest = std::max(largest, force);
    before = force;
  }
  EXPECT_GT(largest, 1e9);
  return sum / (2 * largest);
}

TEST(Ball, RedistributedMassSmoothsTheForceAndConserves) {
  const History consistent = history("ball_impact", {});
  const History redistributed = history("ball_impact", {"Contact/Node inertia=redistributed"});
  expect_frictionless_balance(redistributed);
  expect_rebound(redistributed);
  const double unit = consistent.initial_energy;
  EXPECT_NEAR(redistributed.initial_energy, unit, 1e-10 * unit);
  EXPECT_NEAR(redistributed.final_energy, unit, 1e-10 * unit);
  EXPECT_NEAR(redistributed.mean_velocity[1], consistent.mean_velocity[1], 0.05);
  EXPECT_GT(variation(consistent), 2.);
  EXPECT_LT(variation(redistributed), 1.2);
}

// ---- all methods of solution give the same scheme ----

struct Route {
  const char *label;
  Assignments assignments;
};

/// A ball that hits the ground obliquely, sticks and slips.
const Assignments oblique = {"Initial state/Velocity x=3",
                             "Contact/ground/Friction coefficient=0.2", "Solver/Tolerance=1e-13"};

class BallRoute : public ::testing::TestWithParam<Route> {
protected:
  static const History &expected() {
    static const History impact = history("ball_impact", oblique);
    return impact;
  }
};

TEST_P(BallRoute, GivesTheSameTrajectory) {
  const History impact = history("ball_impact", oblique + GetParam().assignments);
  for (const History *h : {&expected(), &impact}) {
    expect_frictionless_balance(*h);
    expect_rebound(*h);
    EXPECT_GT(h->slip_steps, 10u);
    EXPECT_GT(h->stick_steps, 10u);
    EXPECT_LT(h->works.contact_tangential, -1e-4 * h->initial_energy);
  }
  EXPECT_LE(relative_distance(expected().q, impact.q), 1e-9);
  EXPECT_LE(relative_distance(expected().v, impact.v), 1e-9);
  EXPECT_NEAR(impact.works.contact_tangential, expected().works.contact_tangential,
              1e-9 * impact.initial_energy);
}

// Fremond's law with e = 1 and the leapfrog forecast is persistent contact.
INSTANTIATE_TEST_SUITE_P(Routes, BallRoute,
                         ::testing::Values(Route{"CondensedNewton", {"Solver/Method=newton"}},
                                           Route{"CondensedNsgs", {"Solver/Method=nsgs"}},
                                           Route{"Fremond",
                                                 {"Time/Scheme=moreau-jean-fremond",
                                                  "Contact/Forecast=leapfrog",
                                                  "Contact/ground/Restitution=1"}}),
                         Label());

class BallReference : public ReferenceRun {};

TEST_P(BallReference, IsReproduced) { follow(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Runs, BallReference,
                         ::testing::Values(ReferenceCase{"PlaneStress",
                                                         "ball_impact",
                                                         "disk/disk_coarse_gap0.047.msh",
                                                         "disk/disk_plane_stress_dt1e-4.csv",
                                                         {},
                                                         200,
                                                         {}}),
                         Label());

} // namespace
