// Springs in place of contacts: their discrete gradient, and their compliance in W.

#include <percussion/cone/global.h>
#include <percussion/dynamics/global_problem.h>
#include <percussion/dynamics/springs.h>

#include <gtest/gtest.h>

#include "support/scheme.h"

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
  const auto law =
      pose_law(block.state.found, block.state, block.boundary->trace.gather(block.state.v),
               {block.state.time, block.state.time + 0.02, 0.02}, ContactFinder<2>(*block.boundary),
               *block.boundary, block.choices);
  ContactSystem &system = block.step->momentum().system();
  system.use(law.H.entries);
  const GlobalPose pose =
      pose_globally(law, law.offset, std::vector<double>(law.H.n_rows(), 0.), 0.5, system);
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
  problem.q = law.offset;
  for (double &q : problem.q)
    q *= 2.; // the free velocities above equal the offsets: q is their sum
  ConeSolution reduced;
  ConeSolver(options).solve(problem, reduced);
  ASSERT_TRUE(reduced.converged);
  double largest = 0;
  for (std::size_t r = 0; r < reduced.p.size(); ++r) {
    largest = std::max(largest, std::abs(reduced.p[r]) * delassus.unit());
    EXPECT_NEAR(global.p[r] * pose.percussion_unit, reduced.p[r] * delassus.unit(), 1e-9);
  }
  EXPECT_GT(largest, 1e-3);
}

} // namespace
