// The hyperelastic ring of BBDM24, section 6.2.

#include "cases/reference_runs.h"

namespace {

using namespace cases;

void expect_balance(const History &impact) {
  const double unit = impact.initial_energy;
  EXPECT_EQ(impact.n_cuts, 0u);
  EXPECT_LE(impact.residual_max, 1e-12 * unit);
  EXPECT_LE(impact.drift_max, 1e-10 * unit);
}

/// Expects that no contact and no step creates energy.
void expect_dissipation(const History &impact) {
  const double unit = impact.initial_energy;
  EXPECT_LE(impact.normal_max, 1e-13 * unit);
  EXPECT_LE(impact.tangential_max, 1e-13 * unit);
  EXPECT_LE(impact.energy_rise_max, 1e-12 * unit);
}

void expect_constant_energy(const History &impact) {
  const double unit = impact.initial_energy;
  for (const double energy : impact.energy)
    ASSERT_NEAR(energy, unit, 1e-10 * unit);
}

void expect_same_trajectory(const History &a, const History &b) {
  EXPECT_LE(relative_distance(a.q, b.q), 1e-9);
  EXPECT_LE(relative_distance(a.v, b.v), 1e-9);
  EXPECT_NEAR(a.works.contact_tangential, b.works.contact_tangential, 1e-9 * a.initial_energy);
  EXPECT_EQ(a.contact_steps, b.contact_steps);
}

// ---- the fast impact ----

class RingImpact : public ::testing::TestWithParam<std::string> {};

TEST_P(RingImpact, LosesWhatFrictionTakes) {
  const History impact = history(GetParam(), {}, 60);
  EXPECT_GE(impact.contact_steps, 50u);
  EXPECT_GE(impact.slip_steps, 50u);
  EXPECT_GT(impact.stick_steps, 0u);
  expect_balance(impact);
  expect_dissipation(impact);
  const double unit = impact.initial_energy;
  EXPECT_LT(impact.works.contact_tangential, -0.01 * unit);
  EXPECT_NEAR(impact.works.contact_normal, 0, 1e-10 * unit);
  EXPECT_NEAR(impact.final_energy - unit, impact.works.contact_tangential, 1e-10 * unit);
}

INSTANTIATE_TEST_SUITE_P(Elements, RingImpact, ::testing::Values("ring_impact", "ring_impact_q4"),
                         [](const auto &name) { return name.param; });

/// The active-set method, and Newton's method on the body with condensed contacts in each
/// iteration.
class RingRoute : public ::testing::TestWithParam<std::string> {
protected:
  static History impact(const Assignments &assignments) {
    return history(
        "ring_impact",
        Assignments{"Solver/Tolerance=1e-13", "Solver/Newton tolerance=1e-12"} + assignments, 45);
  }
};

TEST_P(RingRoute, GivesTheSameTrajectory) {
  for (const std::string friction : {"0", "0.2"}) {
    const Assignments common = {"Contact/ground/Friction coefficient=" + friction};
    const History expected = impact(common + Assignments{"Solver/Method=pdas"});
    EXPECT_GT(expected.contact_steps, 30u);
    expect_same_trajectory(expected, impact(common + Assignments{"Solver/Method=" + GetParam()}));
  }
}

INSTANTIATE_TEST_SUITE_P(Solvers, RingRoute, ::testing::Values("newton", "nsgs"),
                         [](const auto &solver) { return solver.param; });

// ---- restitution ----

Assignments restitution(const std::string &e, const std::string &friction) {
  return {"Contact/ground/Restitution=" + e, "Contact/ground/Friction coefficient=" + friction};
}

/// Works of contact computed by an independent implementation, relative to the initial energy.
struct Restituted {
  const char *label;
  const char *e, *friction;
  double normal, tangential;
};

class RingRestitution : public ::testing::TestWithParam<Restituted> {};

TEST_P(RingRestitution, NeverCreatesEnergy) {
  const auto &[label, e, friction, normal, tangential] = GetParam();
  const History impact = history("ring_fremond", restitution(e, friction), 150);
  const double unit = impact.initial_energy;
  EXPECT_GT(impact.contact_steps, 75u);
  expect_balance(impact);
  expect_dissipation(impact);
  const auto tolerance = [](double work) { return work == 0 ? 1e-10 : 1e-7; };
  EXPECT_NEAR(impact.works.contact_normal / unit, normal, tolerance(normal));
  EXPECT_NEAR(impact.works.contact_tangential / unit, tangential, tolerance(tangential));
  if (normal == 0 && tangential == 0)
    expect_constant_energy(impact);
}

// A contact that stays closed has an impact in every step: less restitution need not dissipate
// more.
INSTANTIATE_TEST_SUITE_P(
    Laws, RingRestitution,
    ::testing::Values(Restituted{"Plastic", "0", "0", -0.0074184905, 0},
                      Restituted{"PlasticFriction", "0", "0.2", -0.0077574316, -0.0692401886},
                      Restituted{"Half", "0.5", "0", -0.0157914605, 0},
                      Restituted{"HalfFriction", "0.5", "0.2", -0.0168835188, -0.0701194999},
                      Restituted{"Elastic", "1", "0", 0, 0},
                      Restituted{"ElasticFriction", "1", "0.2", 0, -0.069865604}),
    Label());

TEST(Ring, FullRestitutionIsPersistentContact) {
  const Assignments tight = {"Solver/Tolerance=1e-13", "Solver/Newton tolerance=1e-12"};
  const History persistent = history("ring_impact", tight, 45);
  EXPECT_GT(persistent.contact_steps, 30u);
  expect_same_trajectory(persistent, history("ring_fremond", tight + restitution("1", "0.2"), 45));
}

// ---- the slow impact, to the rebound ----

/// The run takes 3195 steps.
TEST(Ring, ConservesItsEnergyOverTheWholeRebound) {
  const History rebound = history("ring_rebound", {});
  EXPECT_NEAR(rebound.contact_begin, 0.013, 0.005);
  EXPECT_NEAR(rebound.contact_end, 10.14, 0.005);
  EXPECT_GT(rebound.contact_steps, 1000u);
  expect_balance(rebound);
  expect_dissipation(rebound);
  expect_constant_energy(rebound);
  EXPECT_NEAR(rebound.mean_velocity[0], 3, 1e-9);
  EXPECT_NEAR(rebound.mean_velocity[1], 2.4323, 1e-3);
}

/// Runs the same case on a mesh so coarse that several rebounds take no longer than one fine one.
History coarse_rebound(const Assignments &assignments) {
  return history(
      "ring_rebound",
      Assignments{"Mesh/File=" PERCUSSION_SOURCE_DIR "/meshes/ring_coarse.msh", "Time/Step=0.01"} +
          assignments);
}

struct Dissipation {
  const char *label;
  const char *parameter;
  std::vector<std::string> values; ///< in ascending order
  Assignments others;
  double Works::*work; ///< the dissipating work
};

class RingRebound : public ::testing::TestWithParam<Dissipation> {};

TEST_P(RingRebound, LosesTheMoreEnergyTheLargerTheCoefficient) {
  const auto &[label, parameter, values, others, work] = GetParam();
  const History free = coarse_rebound({});
  EXPECT_GT(free.contact_steps, 200u);
  expect_balance(free);
  expect_constant_energy(free);
  const double unit = free.initial_energy;
  double left = unit;
  for (const auto &value : values) {
    const std::string assignment = parameter + ("=" + value);
    SCOPED_TRACE(assignment);
    const History rebound = coarse_rebound(others + Assignments{assignment});
    EXPECT_GT(rebound.contact_steps, 200u);
    expect_balance(rebound);
    expect_dissipation(rebound);
    EXPECT_NEAR(rebound.works.*work, rebound.final_energy - unit, 1e-10 * unit);
    EXPECT_LT(rebound.final_energy, left - 1e-3 * unit);
    left = rebound.final_energy;
  }
}

INSTANTIATE_TEST_SUITE_P(Coefficients, RingRebound,
                         ::testing::Values(Dissipation{"Friction",
                                                       "Contact/ground/Friction coefficient",
                                                       {"0.1", "0.2", "0.3"},
                                                       {},
                                                       &Works::contact_tangential},
                                           Dissipation{"Curnier",
                                                       "Material/Viscosity",
                                                       {"100", "400"},
                                                       {"Material/Viscosity law=curnier"},
                                                       &Works::viscous},
                                           Dissipation{"Pioletti",
                                                       "Material/Viscosity",
                                                       {"100", "400"},
                                                       {"Material/Viscosity law=pioletti"},
                                                       &Works::viscous}),
                         Label());

// ---- an independent implementation ----

class RingReference : public ReferenceRun {};

TEST_P(RingReference, IsReproduced) { follow(GetParam()); }

constexpr const char *reference_mesh = "ring/ring_128x13_t3_gap0.045.msh";

/// Returns tolerances of the long run, which accumulates the error of Newton's tolerance over 3194
/// steps.
Tolerances long_run() {
  Tolerances tolerances;
  tolerances.energy = 1e-8;
  tolerances.velocity = 1e-7;
  tolerances.force = 1e-5;
  tolerances.gap = 1e-7;
  return tolerances;
}

INSTANTIATE_TEST_SUITE_P(Runs, RingReference,
                         ::testing::Values(ReferenceCase{"Fast",
                                                         "ring_impact",
                                                         reference_mesh,
                                                         "ring/ring_fast_mu0.csv",
                                                         {"Contact/ground/Friction coefficient=0"},
                                                         300,
                                                         {}},
                                           ReferenceCase{"FastWithFriction",
                                                         "ring_impact",
                                                         reference_mesh,
                                                         "ring/ring_fast_mu0.2.csv",
                                                         {},
                                                         300,
                                                         {}},
                                           ReferenceCase{"WholeRebound",
                                                         "ring_rebound",
                                                         reference_mesh,
                                                         "ring/ring_slow_mu0.csv",
                                                         {},
                                                         3194,
                                                         long_run()}),
                         Label());

/// Compares all nodes after 60 steps of the impact with friction.
class RingReferenceFields : public ReferenceRun {};

TEST_P(RingReferenceFields, AreReproduced) {
  const auto &expected = GetParam();
  SteppedCase run(expected.name, on_reference_mesh(expected));
  for (unsigned int k = 0; k < expected.n_steps; ++k)
    run.advance();
  const Series nodes = test::read_csv(reference(expected.series));
  const auto ours = nodes_at(run.c.bodies->elastic.front()->space, nodes.at("X"), nodes.at("Y"));
  const std::array<const char *, 2> q = {"ux", "uy"}, v = {"vx", "vy"};
  for (std::size_t i = 0; i < ours.size(); ++i)
    for (unsigned int d = 0; d < 2; ++d) {
      const auto dof = run.c.bodies->elastic.front()->space.node_dofs[ours[i]][d];
      ASSERT_NEAR(run.state.q[dof], nodes.at(q[d])[i], 1e-8) << "node " << i; // relative to 2 m
      ASSERT_NEAR(run.state.v[dof], nodes.at(v[d])[i], 1e-6) << "node " << i; // relative to 10 m/s
    }
}

INSTANTIATE_TEST_SUITE_P(Runs, RingReferenceFields,
                         ::testing::Values(ReferenceCase{"FastWithFriction",
                                                         "ring_impact",
                                                         reference_mesh,
                                                         "ring/ring_fast_mu0.2_step60.csv",
                                                         {},
                                                         60,
                                                         {}}),
                         Label());

} // namespace
