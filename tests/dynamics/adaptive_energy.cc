// Adaptive steps: their ledger closes over all changes of the length, and their energy error is
// small.

#include <gtest/gtest.h>

#include "adaptive_blocks.h"

namespace {

using namespace percussion;
using test::Block;
using test::falling;
using test::hard_impact;
using test::n_told;
using test::surface;
using test::surfaces;
using test::vibrating;
using Kind = PrescribedMotion<2>::Kind;

// ---- the ledger over all changes of the length ----

/// Takes a step. Expects that the balance closes over its substeps and over the run so far, and
/// that the step ends at the end of the whole step.
const StepRecord<2> &advance_by_the_ledger(Block &block, double initial, double &scale,
                                           Works &sum) {
  const double before = block.state.energy();
  const unsigned int k = block.state.step;
  const auto &record = block.advance();
  sum += record.works;
  scale = std::max(scale, block.state.energy());
  EXPECT_EQ(block.state.step, k + 1);
  EXPECT_EQ(block.state.time, (k + 1) * block.choices.h);
  EXPECT_LT(std::abs(record.balance_residual), 1e-12 * scale) << k;
  EXPECT_NEAR(block.state.energy() - before, record.works.sum(), 1e-12 * scale) << k;
  EXPECT_NEAR(block.state.energy() - initial, sum.sum(), 1e-11 * scale) << k;
  return record;
}

TEST(AdaptiveSteps, KeepTheLedgerOfLinearBodies) {
  for (const char *name : {"moreau-jean-fremond", "pdas-leapfrog"})
    for (const std::string on : surfaces)
      for (const Kind kind : {Kind::displacement, Kind::velocity}) {
        SCOPED_TRACE(name + (" on " + on));
        Block block = falling(name, 0.6, surface(on));
        const bool is_velocity = kind == Kind::velocity;
        block.prescribe("left", 0, kind, is_velocity ? "cos(2*t)" : "0.5*sin(2*t)");
        block.add_traction("top", 0, "cos(5*t)");
        block.choices.h = 0.01; // not a power of two: times are rounded
        block.choices.adaptive = true;
        block.choices.energy_tolerance = 1e-3;
        block.choices.grow_after = 3;
        block.start();
        const double initial = block.state.energy();
        double scale = initial;
        Works sum;
        unsigned int n_cuts = 0, n_grown = 0, n_touching = 0;
        for (unsigned int k = 0; k < 100; ++k) {
          const auto &record = advance_by_the_ledger(block, initial, scale, sum);
          n_cuts += record.n_cuts;
          n_grown += n_told(record, "grown to 1/");
          n_touching += !record.contacts.empty();
          // Time-dependent data were evaluated at the times of the substeps.
          const double t = block.state.time;
          for (const unsigned int node : block.mesh->region("left").nodes) {
            const unsigned int dof = block.space().node_dofs[node][0];
            if (is_velocity)
              ASSERT_NEAR(block.state.v[dof], std::cos(2. * t), 1e-12);
            else
              ASSERT_NEAR(block.state.q[dof], 0.5 * std::sin(2. * t), 1e-14);
          }
        }
        EXPECT_GT(n_cuts, 5u);
        EXPECT_GT(n_grown, 5u);
        EXPECT_GT(n_touching, 20u);
      }
}

TEST(AdaptiveSteps, KeepTheLedgerOfHyperelasticBodies) {
  Block block = hard_impact();
  block.choices.theta = 0.6;
  block.choices.adaptive = true;
  block.choices.energy_tolerance = 2e-2;
  block.choices.grow_after = 3;
  block.start();
  const double initial = block.state.energy();
  double scale = initial;
  Works sum;
  unsigned int n_errors = 0, n_failures = 0, n_grown = 0;
  for (unsigned int k = 0; k < 60; ++k)
    for (const std::string &change : advance_by_the_ledger(block, initial, scale, sum).changes) {
      const bool is_error = change.find(": energy error ") != std::string::npos;
      n_errors += is_error;
      n_failures += !is_error && change.find("cut to 1/") == 0;
      n_grown += change.find("grown to 1/") == 0;
    }
  EXPECT_GT(n_errors, 2u);
  EXPECT_GT(n_failures, 2u);
  EXPECT_GT(n_grown, 2u);
}

// ---- the tolerance ----

/// Moreau's law with tangential restitution adds energy if friction changes direction. At θ = ½
/// this is the only error of the energy, and no substep exceeds its bound.
TEST(AdaptiveSteps, BoundTheEnergyThatContactsGive) {
  const double tolerance = 1e-6;
  for (const bool adaptive : {false, true}) {
    Block block = falling("moreau-jean", 0.5, surface("ground"));
    block.pairs[0].law = ImpactLawKind::moreau;
    block.pairs[0].restitution.tangential = 0.9;
    block.pairs[0].friction = 1.5;
    block.choices.adaptive = adaptive;
    block.choices.energy_tolerance = tolerance;
    block.start();
    double largest_energy = block.state.energy(), largest_gain = 0;
    unsigned int n_cuts = 0;
    for (unsigned int k = 0; k < 128; ++k) {
      const auto &record = block.advance();
      largest_energy = std::max(largest_energy, block.state.energy());
      const double gain = record.works.contact_normal + record.works.contact_tangential;
      largest_gain = std::max(largest_gain, gain / largest_energy / record.n_substeps);
      n_cuts += record.n_cuts;
    }
    if (adaptive) {
      EXPECT_GT(n_cuts, 10u);
      EXPECT_LE(largest_gain, tolerance);
    } else {
      EXPECT_EQ(n_cuts, 0u);
      EXPECT_GT(largest_gain, 50 * tolerance);
    }
  }
}

/// The work of friction is not an error of the energy.
TEST(AdaptiveSteps, AreNotCutForFriction) {
  Block block = falling("moreau-jean-fremond", 0.5, surface("ground"));
  block.choices.adaptive = true;
  block.choices.energy_tolerance = 1e-10;
  block.start();
  const double initial = block.state.energy();
  double friction = 0;
  for (unsigned int k = 0; k < 128; ++k) {
    const auto &record = block.advance();
    ASSERT_TRUE(record.changes.empty()) << k << ": " << record.changes[0];
    friction += record.works.contact_tangential;
  }
  EXPECT_LT(friction, -0.1 * initial);
}

/// The error of a substep is of order h², so that the error of the run is of order √tolerance.
TEST(AdaptiveSteps, ConvergeWithTheTolerance) {
  constexpr double end = 4;
  Block reference = vibrating();
  reference.choices.theta = 0.5;
  reference.choices.h = 1. / 1024;
  reference.start();
  while (reference.state.time < end)
    reference.advance();
  double error_before = 0;
  unsigned int n_before = 0;
  for (const double tolerance : {1e-1, 1e-2, 1e-3, 1e-4, 1e-5}) {
    Block block = vibrating();
    block.choices.h = 0.25;
    block.choices.adaptive = true;
    block.choices.energy_tolerance = tolerance;
    block.start();
    unsigned int n_substeps = 0;
    while (block.state.time < end)
      n_substeps += block.advance().n_substeps;
    Vector difference = block.state.q;
    difference -= reference.state.q;
    const double error = difference.l2_norm() / reference.state.q.l2_norm();
    if (n_before > 0) {
      EXPECT_LT(error, 0.5 * error_before) << tolerance;
      EXPECT_GT(n_substeps, 2 * n_before) << tolerance;
    }
    error_before = error;
    n_before = n_substeps;
  }
  EXPECT_LT(error_before, 5e-3);
}

/// No shorter substep is allowed: the error and its size are reported.
TEST(AdaptiveSteps, AreKeptAtTheirSmallestLengthAndTold) {
  for (const unsigned int max_cuts : {0u, 2u}) {
    Block block = vibrating();
    block.choices.adaptive = true;
    block.choices.energy_tolerance = 1e-6;
    block.choices.max_cuts = max_cuts;
    block.start();
    const double largest = block.state.energy();
    for (unsigned int k = 0; k < 5; ++k) {
      const auto &record = block.advance();
      const std::string beginning = "kept at the smallest length: energy error ";
      double sum = 0;
      for (const std::string &change : record.changes)
        if (change.find(beginning) == 0) {
          sum += std::stod(change.substr(beginning.size()));
          EXPECT_NE(change.find(" of the largest energy, above the tolerance 1e-06"),
                    std::string::npos)
              << change;
        }
      EXPECT_EQ(record.n_substeps, 1u << max_cuts);
      EXPECT_EQ(n_told(record, beginning), record.n_substeps);
      EXPECT_NEAR(sum, -record.works.numerical / largest, 1e-5 * sum);
      EXPECT_EQ(record.n_cuts, n_told(record, "cut to 1/"));
      EXPECT_TRUE(max_cuts > 0 || record.n_cuts == 0);
    }
  }
}

} // namespace
