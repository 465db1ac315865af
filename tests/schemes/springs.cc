// Springs in place of contacts: their discrete gradient, and their compliance in W.

#include <percussion/cone/global.h>
#include <percussion/dynamics/delassus.h>
#include <percussion/dynamics/global_problem.h>
#include <percussion/dynamics/springs.h>

#include <gtest/gtest.h>

#include "support/rigid.h"
#include "support/scheme.h"
#include <array>
#include <vector>

namespace {

using namespace percussion;
using test::Block;

TEST(Springs, TheirForceIsADiscreteGradient) {
  const double r = 3;
  for (const double d0 : {-2., -1e-9, 0., 1e-9, 0.7})
    for (const double d1 : {-1.5, -2e-9, 0., 3e-9, 0.4}) {
      const auto [force, slope] = discrete_gradient({r, d0}, d1);
      EXPECT_NEAR(force * (d1 - d0), spring_energy(r, d1) - spring_energy(r, d0), 1e-15)
          << d0 << " " << d1;
      EXPECT_LE(force, 0.);
      const double e = 1e-6;
      const double difference =
          (discrete_gradient({r, d0}, d1 + e).force - discrete_gradient({r, d0}, d1 - e).force) /
          (2 * e);
      if (std::abs(d0) > 1e-6 || std::abs(d1) > 1e-6) {
        EXPECT_NEAR(slope, difference, 1e-5) << d0 << " " << d1;
      }
    }
}

/// Returns a block that falls obliquely on springs.
Block falling(const char *name, double friction) {
  Block block(test::rectangle(CellShape::hypercube, 2, 1, 8, 4),
              Material<2>{1., 1., LinearElastic<2>::from_young(5., 0.3, Plane::strain), {}});
  block.add_contact("bottom", Block::ground(-0.05), ImpactLawKind::fremond, {}, friction)
      .penalty_stiffness = 50;
  block.set(block.state.v, [](const auto &x) -> std::array<double, 2> {
    return {{0.1 - 0.1 * x[1], -0.4 + 0.1 * x[0]}};
  });
  block.choices.h = 0.02;
  take(scheme(name), block);
  return block;
}

TEST(Springs, StoreEnergyAndGiveItBack) {
  for (const char *name : {"hauret", "penalty"}) {
    Block block = falling(name, 0.);
    block.start();
    const double initial = block.state.energy();
    double stored = 0, off = 0;
    for (unsigned int k = 0; k < 300; ++k) {
      const auto &record = block.advance();
      ASSERT_LT(std::abs(record.balance_residual), 2e-13 * initial) << k;
      stored = std::max(stored, block.state.contact_potential);
      off = std::max(off, std::abs(block.state.energy() - initial));
    }
    EXPECT_GT(stored, 0.05 * initial) << name;
    EXPECT_EQ(block.state.contact_potential, 0.) << name; // the block has left the ground
    if (name == std::string("hauret")) {
      EXPECT_LT(off, 1e-10 * initial);
    } else {
      EXPECT_GT(off, 1e-6 * initial); // steps in which springs begin or cease to press
    }
  }
}

/// With friction, and springs that stick before they slip, neither gives energy in any step.
TEST(Springs, FrictionTakesEnergy) {
  for (const char *name : {"hauret", "penalty"}) {
    Block block = falling(name, 0.3);
    block.start();
    const double initial = block.state.energy();
    double taken = 0;
    for (unsigned int k = 0; k < 300; ++k) {
      const auto &record = block.advance();
      ASSERT_LT(std::abs(record.balance_residual), 2e-13 * initial) << k;
      ASSERT_LT(record.works.contact_tangential, 1e-13 * initial) << k;
      taken -= record.works.contact_tangential;
    }
    EXPECT_GT(taken, 1e-3 * initial) << name;
  }
}

/// The solution without W, for many contacts: there the springs are unknowns of the global problem.
TEST(Springs, AreTheSameInTheGlobalProblem) {
  Block block = falling("penalty", 0.3);
  block.start();
  while (block.step->last().n_sliding == 0)
    block.advance();
  const Interval interval{block.state.time, block.state.time + 0.02, 0.02};
  const ContactFinder<2> finder(*block.boundary);
  const auto law =
      pose_law(block.state.found, nullptr,
               ContactSetting<2>{block.state, interval, finder, *block.boundary, block.choices});
  ContactSystem &system = block.step->momentum().system();
  system.set_contact_entries(law.H.entries);
  std::vector<double> velocity = law.offset;
  for (double &u : velocity)
    u *= 2.; // free velocities that equal the offsets
  const GlobalPose pose =
      pose_globally(law, velocity, std::vector<double>(law.H.n_rows(), 0.), 0.5, system);
  GlobalConeSolution global;
  global.p.assign(law.H.n_rows(), 0.);
  global.v.assign(pose.problem.q.size(), 0.);
  ConeOptions options;
  options.method = ConeMethod::pdas;
  options.tolerance = 1e-13;
  solve_global(pose.problem, options, global);
  ASSERT_TRUE(global.converged);

  Delassus delassus;
  FrictionContactProblem problem;
  delassus.write(law.H, law.mu, 2, 0.5, system, problem, law.compliance);
  problem.q = velocity;
  ConeSolution reduced;
  ConeSolver(options).solve(problem, reduced);
  ASSERT_TRUE(reduced.converged);
  double largest = 0;
  for (std::size_t r = 0; r < reduced.p.size(); ++r) {
    largest = std::max(largest, std::abs(reduced.p[r]) * delassus.mass_unit());
    EXPECT_NEAR(global.p[r] * pose.percussion_unit, reduced.p[r] * delassus.mass_unit(), 1e-9);
  }
  EXPECT_GT(largest, 1e-3);
}

// ---- springs whose gaps are not linear: two bodies, one contact ----

/// Two rigid discs of radius 1 without friction, the left one with the velocity (1, `speed`).
struct TwoDiscs {
  test::RigidSystem system;

  TwoDiscs(const char *name, Frames frames, double speed, double h) {
    for (const double x : {-1.05, 1.05}) {
      RigidBody<2> disc;
      disc.name = x < 0. ? "left" : "right";
      disc.mass = x < 0. ? 1. : 2.;
      disc.inertia = disc.mass / 2.;
      disc.centre = dealii::Point<2>(x, x < 0. ? 0. : 0.3 * speed);
      disc.outline = {disc.centre};
      disc.pieces = {{1, 1.}};
      system.rigid.push_back(disc);
    }
    const Scheme &row = scheme(name);
    auto &pair = system.add_contact(row.law, {}, 0.);
    pair.own_side = RigidBodies{{0}};
    pair.opposite_side = RigidBodies{{1}};
    pair.penalty_stiffness = 400.;
    EXPECT_FALSE(pair.has_linear_gaps());
    system.choices.use(row);
    system.choices.frames = frames;
    system.choices.h = h;
    system.cone.method = row.method;
    system.make();
    system.v(0)[0] = 1.;
    system.v(0)[1] = speed;
    system.v(1)[0] = -1.;
    system.start();
  }

  double gap() {
    const dealii::Tensor<1, 2> between(
        {2.1 + system.q(1)[0] - system.q(0)[0], y_distance() + system.q(1)[1] - system.q(0)[1]});
    return between.norm() - 2.;
  }
  double y_distance() const {
    return system.bodies->rigid[1].centre[1] - system.bodies->rigid[0].centre[1];
  }
};

/// Returns the largest change of the energy of bodies and springs in an impact, relative to the
/// initial energy. In each step it is the energy of the spring at its measured gap minus its energy
/// at the gap d0 + h u_N.
double change_of_energy(const char *name, Frames frames, double speed, double h) {
  TwoDiscs discs(name, frames, speed, h);
  auto &state = discs.system.state;
  const double initial = state.energy();
  double change = 0, largest_force = 0;
  while (state.time < 1.5 - 0.5 * h) {
    const double d0 = discs.gap(), before = state.energy();
    const auto &record = discs.system.advance();
    EXPECT_LE(record.contacts.size(), 1u);
    for (const auto &contact : record.contacts) {
      largest_force = std::max(largest_force, contact.percussion[0] / h);
      if (name == std::string("hauret")) {
        EXPECT_NEAR(record.works.numerical,
                    spring_energy(400., discs.gap()) -
                        spring_energy(400., d0 + h * contact.velocity[0]),
                    1e-13 * initial);
      }
    }
    EXPECT_NEAR(state.energy() - before, record.works.numerical, 1e-13 * initial);
    change = std::max(change, std::abs(state.energy() - initial));
  }
  EXPECT_GT(largest_force, 1.);
  EXPECT_GT(discs.gap(), 0.) << "the discs have not parted";
  return change / initial;
}

/// The energy is constant if the discs meet centrally, so that their gap is linear. If they pass
/// each other obliquely, it changes, by an amount of second order with frames at the midpoint and
/// of first order with frames at the beginning. Persistent contact, a law for velocities, conserves
/// it in any case.
TEST(SpringsOfDiscs, ConserveEnergyToTheOrderOfTheirGaps) {
  EXPECT_LT(change_of_energy("hauret", Frames::midpoint, 0., 0.01), 1e-13);
  for (const auto &[frames, order] :
       {std::pair{Frames::midpoint, 2.}, {Frames::reached, 2.}, {Frames::start, 1.}}) {
    const double coarse = change_of_energy("hauret", frames, 0.6, 0.01),
                 fine = change_of_energy("hauret", frames, 0.6, 0.0025);
    EXPECT_GT(fine, 1e-8);
    EXPECT_LT(coarse, 1e-2);
    EXPECT_NEAR(std::log(coarse / fine) / std::log(4.), order, 0.25);
  }
  EXPECT_LT(change_of_energy("pdas-leapfrog", Frames::midpoint, 0.6, 0.01), 1e-12);
}

/// A block slides along the flat face of another; its lower edge is inclined to the face. All gaps
/// are constant. The contacts of nodes have the normal of the face, and no normal velocity. Those
/// of a mortar have the normal of the side with multipliers, the inclined edge, so that u_N is not
/// the rate of the gap, however short the step.
TEST(SpringsOfInclinedFaces, AreNoPotentialInAMortar) {
  const double inclination = 0.2;
  for (const auto discretisation : {Discretisation::mortar_of_region, Discretisation::nodes}) {
    const auto lower = test::rectangle(CellShape::hypercube, 4, 1, 1, 1),
               upper = test::rectangle(CellShape::hypercube, 1, 1, 1, 1);
    lower->file = "lower.msh";
    upper->file = "upper.msh";
    test::move(*upper, inclination, dealii::Tensor<1, 2>({1.5, 1.01}));
    test::RigidSystem system;
    const Material<2> material{1., 1., LinearElastic<2>::from_young(5., 0.3, Plane::strain), {}};
    system.add_elastic(*lower, material);
    system.add_elastic(*upper, material);
    auto &pair = system.add_contact(scheme("hauret").law, {}, 0.);
    pair.own_side = ElasticRegion{"upper:bottom"};
    pair.opposite_side = ElasticRegions{{"lower:top"}};
    pair.discretisation = discretisation;
    system.make();
    system.start();
    const ContactFinder<2> finder(*system.boundary);
    const auto found_at = [&](double displacement) {
      Vector q = system.state.q;
      for (const auto &dofs : system.bodies->elastic[1]->space.node_dofs)
        q[dofs[0]] = displacement;
      return finder.find(system.boundary->trace.gather(q), 0.);
    };
    const double e = 1e-6;
    const ContactList<2> before = found_at(-e), middle = found_at(0.), after = found_at(e);
    ASSERT_FALSE(middle.contacts.empty());
    Vector motion(system.bodies->n_dofs());
    for (const auto &dofs : system.bodies->elastic[1]->space.node_dofs)
      motion[dofs[0]] = 1.;
    const TraceField v = system.boundary->trace.gather(motion);
    for (const auto &contact : middle.contacts) {
      double u = 0; // velocity in the direction of the normal if the upper block has the velocity 1
      for (unsigned int k = contact.support_begin; k < contact.support_end; ++k)
        u += v[middle.support[k].entry] * (contact.normal * middle.support[k].weight);
      const double rate = (after.find(contact.key)->gap - before.find(contact.key)->gap) / (2. * e);
      EXPECT_NEAR(rate, 0., 1e-9);
      EXPECT_NEAR(std::abs(u), discretisation == Discretisation::nodes ? 0. : std::sin(inclination),
                  1e-9);
    }
  }
}

} // namespace
