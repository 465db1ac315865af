// Steps with iterations in mixed precision compared with steps in double precision.

#include <percussion/dynamics/choose_contact_route.h>

#include <gtest/gtest.h>

#include "projected_bodies.h"
#include "same_bits.h"

namespace projected_contacts {

struct Pair {
  Body full, mixed;
};

Pair bodies(const Setting &setting, ContactElimination elimination) {
  Pair pair{block(setting, elimination), block(setting, elimination)};
  for (Body *const body : {&pair.full, &pair.mixed})
    body->choices.linear_solver = LinearSolver::conjugate_gradients;
  pair.full.choices.precision = Precision::full;
  pair.mixed.choices.precision = Precision::mixed;
  return pair;
}

/// Statuses and energies are those of double precision, the ledger closes as accurately, and the
/// law holds: in free flight, slip and stick, with a condensed operator and with projection, for
/// linear and hyperelastic bodies.
TEST(MixedPrecision, TakesTheStepsOfDoublePrecision) {
  for (const auto laws : {Laws::linear, Laws::hyperelastic})
    for (const auto elimination : {ContactElimination::condensed, ContactElimination::projected})
      for (const auto motion : {Motion::falling, Motion::driven, Motion::guided}) {
        if (laws == Laws::hyperelastic && elimination == ContactElimination::condensed)
          continue; // without projection, hyperelastic bodies have no diagonal preconditioner
        SCOPED_TRACE("laws " + std::to_string(static_cast<int>(laws)) + " motion " +
                     std::to_string(static_cast<int>(motion)) + " elimination " +
                     std::to_string(static_cast<int>(elimination)));
        Setting setting{"moreau-jean-fremond", CellShape::hypercube, motion,
                        LinearSolver::conjugate_gradients};
        setting.laws = laws;
        Pair pair = bodies(setting, elimination);
        const Counts counts = compare(pair.full, pair.mixed, 40);
        if (HasFailure())
          return;
        EXPECT_FALSE(pair.full.step->momentum().system().has_single_copy());
        EXPECT_TRUE(pair.mixed.step->momentum().system().has_single_copy());
        EXPECT_GT(counts.slip + counts.stick, 50u);
        EXPECT_EQ(counts.condensed > 0, elimination == ContactElimination::condensed);
        EXPECT_FALSE(test::same_bits(pair.full.state.q, pair.mixed.state.q));
      }
}

/// Contacts that share their nodes have multipliers among the unknowns.
TEST(MixedPrecision, SolvesForMultipliers) {
  const auto started = [](Precision precision) {
    auto bodies =
        std::make_unique<Blocks>(Discretisation::nodes_of_both_sides, "moreau-jean-fremond",
                                 ContactElimination::projected, Laws::linear);
    bodies->choices.linear_solver = LinearSolver::conjugate_gradients;
    bodies->choices.precision = precision;
    return bodies;
  };
  const auto full = started(Precision::full), mixed = started(Precision::mixed);
  const Counts counts = compare(*full, *mixed, 40);
  EXPECT_EQ(counts.condensed, 0u);
  EXPECT_GT(counts.slip + counts.stick, 50u);
}

/// Mixed precision is chosen in 3D for large bodies, and never against a user's choice.
TEST(MixedPrecision, IsChosenForLargeBodies) {
  for (const unsigned int n : {4u, 20u}) {
    Setting setting{"moreau-jean-fremond", CellShape::hypercube, Motion::falling};
    setting.n = n;
    Body body = block(setting, ContactElimination::projected);
    const auto precision = [&](Precision choice) {
      body.choices.precision = choice;
      return choose_contact_route(*body.bodies, body.choices, 1000, Projectable::all).precision;
    };
    EXPECT_EQ(precision(Precision::automatic), n == 20 ? Precision::mixed : Precision::full);
    EXPECT_EQ(precision(Precision::full), Precision::full);
    EXPECT_EQ(precision(Precision::mixed), Precision::mixed);
  }
}

} // namespace projected_contacts
