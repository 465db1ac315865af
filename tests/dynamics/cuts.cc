// Failed steps are cut: the sums of a cut step, and the end of a run if no cut helps.

#include <percussion/base/error.h>

#include <gtest/gtest.h>

#include "adaptive_blocks.h"
#include "same_bits.h"
#include "support/rigid.h"
#include <map>

namespace {

using namespace percussion;
using test::Block;
using test::hyperelastic;
using test::ogden;
using test::total_percussion;
using Kind = PrescribedMotion<2>::Kind;

/// Returns a soft block that hits the ground about as fast as its waves travel. Its impact is too
/// strong for whole steps with few Newton iterations.
Block hard_impact(double friction, Surface<2> surface = Block::ground(-0.0371)) {
  Block block(test::rectangle(CellShape::simplex, 2, 1, 8, 4, 0.2), hyperelastic(ogden),
              dealii::Tensor<1, 2>({0.3, -0.5}));
  const Scheme &pdas = scheme("pdas-leapfrog");
  block.use(pdas);
  block.add_contact("bottom", std::move(surface), pdas.law, {}, friction);
  block.set(block.state.v, [](const auto &x) -> std::array<double, 2> {
    return {{0.4 - 0.2 * x[1], -1.5 + 0.2 * x[0]}};
  });
  block.choices.h = 0.05;
  block.choices.max_newton_iterations = 12;
  return block;
}

bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

// ---- a step that is cut ----

TEST(Cuts, AddUpToTheWholeStep) {
  for (const double friction : {0., 0.3}) {
    Block block = hard_impact(friction);
    block.start();
    const double mass = 2., h = block.choices.h;
    double scale = 0;
    Works sum;
    const double initial = block.state.energy();
    unsigned int cut_steps = 0, whole_steps_after = 0;
    for (unsigned int k = 0; k < 40; ++k) {
      const auto before = block.momentum();
      const double energy = block.state.energy();
      const auto &record = block.advance();
      scale = std::max(scale, block.state.energy());
      ASSERT_EQ(block.state.step, k + 1);
      ASSERT_EQ(block.state.time, (k + 1) * h);
      sum += record.works;

      // The balances of energy and of momentum close over all substeps.
      ASSERT_LT(std::abs(record.balance_residual), 1e-12 * scale);
      ASSERT_NEAR(block.state.energy() - energy, record.works.sum(), 1e-12 * scale);
      ASSERT_NEAR(block.state.energy() - initial, sum.sum(), 1e-11 * scale);
      ASSERT_NEAR(block.momentum()[0] - before[0], 0.3 * mass * h + total_percussion(record, 1),
                  1e-12);
      ASSERT_NEAR(block.momentum()[1] - before[1], -0.5 * mass * h + total_percussion(record, 0),
                  1e-12);

      // A step that was not cut stores its own length.
      if (record.changes.empty()) {
        ASSERT_EQ(block.state.previous_h, h);
        if (friction == 0.) { // no restitution is raised
          ASSERT_LE(record.solver_iterations, block.choices.max_newton_iterations);
        }
        whole_steps_after += cut_steps > 0;
        continue;
      }
      ++cut_steps;
      ASSERT_LE(block.state.previous_h, 0.5 * h);
      ASSERT_GE(record.solver_iterations, 2u); // at least two substeps
      for (const std::string &cut : record.changes) {
        ASSERT_EQ(cut.find("cut to 1/"), 0u) << cut;
        ASSERT_TRUE(contains(cut, "iterations") || contains(cut, "inside out") ||
                    contains(cut, "not positive definite"))
            << cut;
      }
      ASSERT_TRUE(contains(record.changes.front(), "cut to 1/2:")) << record.changes.front();
    }
    EXPECT_GT(cut_steps, 0u);
    EXPECT_GT(whole_steps_after, 0u); // the run continues with whole steps
  }
}

/// With driven edges, tractions and a moving surface, all time-dependent data are evaluated at the
/// times of the substeps.
TEST(Cuts, TakeWhatDependsOnTimeAtTheTimesOfTheParts) {
  for (const Kind kind : {Kind::displacement, Kind::velocity}) {
    Surface<2> surface = Block::ground(-0.0371);
    surface.motion.emplace_back("0.05*sin(4*t)");
    surface.motion.emplace_back("0.1*(1-cos(3*t))");
    Block block = hard_impact(0.3, std::move(surface));
    block.prescribe("left", 0, kind, kind == Kind::velocity ? "0.4*cos(2*t)" : "0.2*sin(2*t)");
    block.add_traction("top", 0, "0.2*cos(5*t)");
    block.start();
    double scale = 0;
    unsigned int cut_steps = 0;
    for (unsigned int k = 0; k < 40; ++k) {
      const auto &record = block.advance();
      scale = std::max(scale, block.state.energy());
      cut_steps += !record.changes.empty();
      ASSERT_LT(std::abs(record.balance_residual), 1e-12 * scale);
      const double t = block.state.time;
      for (const unsigned int node : block.mesh->region("left").nodes) {
        const unsigned int dof = block.space().node_dofs[node][0];
        if (kind == Kind::displacement)
          ASSERT_NEAR(block.state.q[dof], 0.2 * std::sin(2. * t), 1e-15);
        else
          ASSERT_NEAR(block.state.v[dof], 0.4 * std::cos(2. * t), 1e-13);
      }
    }
    EXPECT_GT(cut_steps, 0u);
  }
}

/// A cut step equals the steps that it consists of: the motion is the same as with manual steps.
TEST(Cuts, AreTheStepsOfTheirLength) {
  Block cut = hard_impact(0.3);
  cut.start();
  unsigned int compared = 0;
  for (unsigned int k = 0; k < 40; ++k) {
    const State<2> before = cut.state;
    const auto &record = cut.advance();
    if (record.n_cuts != 1)
      continue; // only steps cut into halves
    Block halves = hard_impact(0.3);
    halves.choices.h = 0.5 * cut.choices.h;
    halves.choices.max_newton_iterations = 40; // enough for any half
    halves.start();
    halves.state = before;
    const double h = cut.choices.h;
    std::map<ContactKey, std::array<double, 2>> percussion;
    Works works;
    for (const double end : {before.time + 0.5 * h, (k + 1) * h}) {
      const auto &half = halves.step->advance(halves.state, end);
      ASSERT_TRUE(half.changes.empty());
      works += half.works;
      for (const auto &contact : half.contacts)
        for (unsigned int r = 0; r < 2; ++r)
          percussion[contact.key][r] += contact.percussion[r];
    }
    ++compared;
    // The next forecast continues the gaps of the last half.
    ASSERT_EQ(cut.state.previous_h, halves.state.previous_h);
    const auto &memories = cut.state.history.memories;
    ASSERT_EQ(memories.size(), 9u);
    for (const auto &memory : memories)
      ASSERT_NEAR(memory.gap, halves.state.history.find(memory.key)->gap, 1e-9);
    ASSERT_EQ(record.contacts.size(), percussion.size());
    for (const auto &contact : record.contacts)
      for (unsigned int r = 0; r < 2; ++r)
        ASSERT_NEAR(contact.percussion[r], percussion.at(contact.key)[r], 1e-9);
    ASSERT_NEAR(record.works.contact_tangential, works.contact_tangential, 1e-9);
    ASSERT_NEAR(record.works.external, works.external, 1e-9);
    Vector difference = cut.state.q;
    difference -= halves.state.q;
    ASSERT_LT(difference.linfty_norm(), 1e-9);
    difference = cut.state.v;
    difference -= halves.state.v;
    ASSERT_LT(difference.linfty_norm(), 1e-8);
  }
  EXPECT_GT(compared, 0u);
}

// ---- no cut helps ----

/// Takes steps until one fails; returns its message.
std::string message_of_failure(Block &block, unsigned int n_steps, Vector &q, Vector &v,
                               double &time, unsigned int &steps) {
  for (unsigned int k = 0; k < n_steps; ++k) {
    q = block.state.q;
    v = block.state.v;
    time = block.state.time;
    steps = block.state.step;
    try {
      block.advance();
    } catch (const RunError &error) {
      return error.what();
    }
  }
  return "";
}

TEST(Cuts, WithoutAnyTheRunEndsWithAReportAndTheLastState) {
  Block block = hard_impact(0.3);
  block.choices.max_cuts = 0;
  block.start();
  Vector q, v;
  double time = 0;
  unsigned int steps = 0;
  const std::string message = message_of_failure(block, 40, q, v, time, steps);
  ASSERT_NE(message, "");
  EXPECT_TRUE(contains(message, "step " + std::to_string(steps + 1) + " (t = ")) << message;
  EXPECT_TRUE(contains(message, "after 12 iterations")) << message;
  EXPECT_TRUE(contains(message, "relative residuals of the momentum 0")) << message;
  EXPECT_TRUE(contains(message, " contacts forecast to close ")) << message;
  EXPECT_TRUE(contains(message, " stuck and ")) << message;
  EXPECT_TRUE(contains(message, "Max Newton iterations")) << message;
  EXPECT_FALSE(contains(message, "Cutting")) << message;

  // The state is unchanged, and with cuts the run continues from it.
  EXPECT_EQ(block.state.time, time);
  EXPECT_EQ(block.state.step, steps);
  for (unsigned int i = 0; i < q.size(); ++i) {
    ASSERT_EQ(block.state.q[i], q[i]);
    ASSERT_EQ(block.state.v[i], v[i]);
  }
  const auto energy = block.state.energy();
  block.choices.max_cuts = 10;
  block.step = std::make_unique<Step<2>>(*block.bodies, *block.boundary, block.choices, block.cone);
  block.step->initialise(block.state);
  EXPECT_NEAR(block.state.energy(), energy, 1e-15 * energy);
  for (unsigned int k = 0; k < 5; ++k)
    EXPECT_LT(std::abs(block.advance().balance_residual), 1e-12 * energy);
}

/// If some substeps succeed before one fails, the state is the complete state of the last
/// successful one.
TEST(Cuts, LeaveTheStateOfTheLastPartThatSucceeded) {
  unsigned int partly_done = 0;
  for (const unsigned int iterations : {3u, 4u, 5u, 6u}) {
    Block block = hard_impact(0.3);
    block.choices.max_newton_iterations = iterations;
    block.choices.max_cuts = 2;
    block.start();
    Vector q, v;
    double time = 0;
    unsigned int steps = 0;
    const std::string message = message_of_failure(block, 40, q, v, time, steps);
    if (message.empty())
      continue;
    EXPECT_TRUE(contains(message, "down to 1/4 of its length did not help")) << message;
    EXPECT_TRUE(contains(message, "step " + std::to_string(steps + 1) + " (t = ")) << message;
    const double share = (block.state.time - time) / block.choices.h;
    // The successful substeps are recorded as a step, with the cuts.
    EXPECT_EQ(block.state.step, steps + (share > 0. ? 1 : 0));
    EXPECT_FALSE(block.step->last().changes.empty());
    EXPECT_TRUE(share < 0.76 && std::abs(4. * share - std::round(4. * share)) < 1e-9) << share;
    partly_done += share > 0.1;
    // Momentum, energies and gaps are consistent with q and v.
    State<2> again = block.state;
    block.step->initialise(again);
    EXPECT_NEAR(again.kinetic, block.state.kinetic, 1e-15 * again.energy());
    EXPECT_NEAR(again.strain, block.state.strain, 1e-14 * again.energy());
    ASSERT_EQ(again.found.contacts.size(), 9u);
    for (std::size_t i = 0; i < again.found.contacts.size(); ++i)
      EXPECT_EQ(again.found.contacts[i].gap, block.state.found.contacts[i].gap);
  }
  EXPECT_GT(partly_done, 0u);
}

/// No solver can satisfy the contacts of this linear body: no cut would help, and the state stays
/// unchanged.
TEST(Cuts, OfALinearBodyEndWithAReportToo) {
  for (const ConeMethod method : {ConeMethod::automatic, ConeMethod::nsgs}) {
    Block block(test::rectangle(CellShape::simplex, 2, 1, 8, 4),
                {1., 1., LinearElastic<2>::from_young(100., 0.3, Plane::strain), {}},
                dealii::Tensor<1, 2>({3., -9.81}));
    block.add_contact("bottom", Block::ground(), ImpactLawKind::fremond, {}, 0.4);
    block.set(block.state.v, [](const auto &x) -> std::array<double, 2> {
      return {{1., -0.1 - 0.2 * x[0]}};
    });
    block.cone.method = method;
    block.cone.tolerance = 1e-30; // below round-off
    block.cone.max_iterations = 100;
    block.choices.max_cuts = 3;
    block.start();
    Vector q, v;
    double time = 0;
    unsigned int steps = 0;
    const std::string message = message_of_failure(block, 1, q, v, time, steps);
    EXPECT_TRUE(contains(message, "step 1 (t = 0.001): the contact problem of 9 contacts was not "
                                  "solved: residual "))
        << message;
    EXPECT_FALSE(contains(message, "Cutting")) << message;
    q -= block.state.q;
    v -= block.state.v;
    EXPECT_EQ(q.linfty_norm() + v.linfty_norm() + block.state.time, 0.);
  }
}

/// After failed attempts, the contacts have their memory of the step before, and the record is
/// empty.
TEST(Cuts, InVainLeaveTheContactsAsTheyWere) {
  Block block = hard_impact(0.3);
  block.choices.max_cuts = 3;
  block.add_traction("top", 1, "-1e12*(t>0.2501)");
  block.start();
  while (block.state.step < 5)
    block.advance();
  const auto memories = block.state.history.memories;
  ASSERT_GT(total_percussion(block.step->last(), 0), 0.);
  EXPECT_THROW(block.advance(), RunError);
  EXPECT_EQ(block.step->last().n_cuts, 3u);
  EXPECT_EQ(block.state.step, 5u);
  EXPECT_TRUE(block.step->last().contacts.empty());
  ASSERT_EQ(block.state.history.memories.size(), memories.size());
  for (std::size_t i = 0; i < memories.size(); ++i) {
    const auto &memory = block.state.history.memories[i];
    EXPECT_EQ(memory.key, memories[i].key);
    EXPECT_EQ(memory.gap, memories[i].gap);
    EXPECT_EQ(memory.percussion, memories[i].percussion);
    EXPECT_EQ(memory.status, memories[i].status);
  }
}

/// A formula may have no value from some time on: the substeps before that time form the step.
TEST(Cuts, EndWithTheirPartsWhereAFormulaHasNoValue) {
  Block block = test::pulled();
  block.add_traction("top", 0, "sqrt(0.1-t)");
  block.choices.adaptive = true;
  block.choices.energy_tolerance = 1e-4;
  block.choices.max_cuts = 6;
  block.start();
  const double initial = block.state.energy();
  Works sum = block.advance().works; // to t = 1/16
  EXPECT_THROW(block.advance(), RunError);
  const auto &record = block.step->last();
  sum += record.works;
  EXPECT_EQ(block.state.step, 2u);
  EXPECT_GT(block.state.time, 1. / 16);
  EXPECT_LE(block.state.time, 0.1);
  EXPECT_GT(record.n_substeps, 0u);
  EXPECT_FALSE(record.changes.empty());
  EXPECT_NEAR(block.state.energy() - initial, sum.sum(), 1e-13 * initial);
}

// ---- forecasts after a cut ----

/// The leapfrog forecast continues the last gaps at their rate, over half of the next step, for any
/// length of the last step.
TEST(LeapfrogForecast, ContinuesTheGapsAtTheirRate) {
  const double c = 0.3, h = 0.01;
  for (const double ratio : {0.25, 0.5, 1., 2.})
    for (const double gap : {0.3, 0.45, 0.55, 0.8}) {
      Block block(test::rectangle(CellShape::hypercube, 1, 1, 2, 2), hyperelastic(ogden));
      block.use(scheme("pdas-leapfrog"));
      block.add_contact("bottom", Block::ground(-gap * c * h), ImpactLawKind::persistent, {}, 0.);
      block.set(block.state.v, [&](const auto &) -> std::array<double, 2> { return {{0.1, -c}}; });
      block.choices.h = h;
      block.start();
      // Replaces the length of the last substep.
      block.state.previous_h = ratio * h;
      ASSERT_EQ(block.state.history.memories.size(), 3u);
      for (auto &memory : block.state.history.memories)
        memory.gap = block.state.found.find(memory.key)->gap + ratio * c * h;
      EXPECT_EQ(block.advance().contacts.size(), gap < 0.5 ? 3u : 0u) << ratio << ' ' << gap;
    }
}

/// No solver can satisfy the contacts, and a body appears in this step.
TEST(Cuts, OfRigidBodiesThatDoNotHelpLeaveTheStateAsItWas) {
  test::RigidSystem system;
  system.rigid = {test::rectangle("block", 1, 1, 1, {0, 0.5}, 0.),
                  test::rectangle("other", 1, 1, 1, {5, 0.5}, 0.)};
  system.rigid[1].appears = 0;
  system.rigid[1].appearing_velocity = {{2., 0., 0.}};
  system.gravity = dealii::Tensor<1, 2>({1., -9.81});
  system.add_contact(ImpactLawKind::fremond, {0., 0., 0.}, 0.05);
  system.cone.tolerance = 1e-30; // below round-off
  system.choices.max_cuts = 3;
  system.make();
  system.start();
  const Vector v = system.state.v;
  const double energy = system.state.energy();
  std::string message;
  try {
    system.advance();
  } catch (const RunError &error) {
    message = error.what();
  }
  EXPECT_TRUE(contains(message, "Cutting the step down to 1/8 of its length did not help"))
      << message;
  EXPECT_EQ(system.step->last().n_cuts, 3u);
  EXPECT_TRUE(test::same_bits(system.state.v, v));
  EXPECT_EQ(system.state.energy(), energy);
}

} // namespace
