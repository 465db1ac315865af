// Contacts solved by projected iterations compared with contacts condensed to a dense operator.

#include <gtest/gtest.h>

#include "projected_bodies.h"
#include "same_bits.h"
#include "support/machinery.h"

namespace projected_contacts {

/// Statuses and energies are those of the condensed problem, for all schemes with laws for
/// velocities, and the balance closes.
TEST(ProjectedContacts, HaveTheStatusesAndEnergiesOfCondensedContacts) {
  for (const std::string scheme : {"moreau-jean-fremond", "pdas-leapfrog", "moreau-jean"})
    for (const auto shape : {CellShape::hypercube, CellShape::simplex})
      for (const auto motion : {Motion::falling, Motion::driven, Motion::guided}) {
        SCOPED_TRACE(scheme + (shape == CellShape::simplex ? " T4" : " H8") + " motion " +
                     std::to_string(static_cast<int>(motion)));
        const Setting setting{scheme, shape, motion};
        Body condensed = block(setting, ContactElimination::condensed);
        Body projected = block(setting, ContactElimination::projected);
        const Counts counts = compare(condensed, projected, 60);
        if (HasFailure())
          return;
        EXPECT_EQ(counts.condensed, 0u);
        EXPECT_GT(counts.slip, 50u);
        EXPECT_GT(counts.stick, motion == Motion::falling ? 0u : 50u);
      }
}

/// The same for contact nodes without inertia, and for other θ and restitutions.
TEST(ProjectedContacts, OfOtherInertiaThetaAndRestitutionAreThoseOfTheCondensedProblem) {
  for (const auto motion : {Motion::falling, Motion::driven})
    for (const double theta : {0.5, 1.})
      for (const bool is_redistributed : {false, true})
        for (const double restitution : {0., 0.4}) {
          SCOPED_TRACE("motion " + std::to_string(static_cast<int>(motion)) + " theta " +
                       std::to_string(theta) + (is_redistributed ? " redistributed" : "") + " e " +
                       std::to_string(restitution));
          if (theta == 1. && restitution > 0.)
            continue; // outside θ ≤ 1/(1 + e)
          Setting setting{"moreau-jean-fremond", CellShape::hypercube, motion};
          setting.is_redistributed = is_redistributed;
          setting.theta = theta;
          setting.restitution = restitution;
          Body condensed = block(setting, ContactElimination::condensed);
          Body projected = block(setting, ContactElimination::projected);
          const Counts counts = compare(condensed, projected, 40);
          if (HasFailure())
            return;
          EXPECT_EQ(counts.condensed, 0u);
          EXPECT_GT(counts.slip + counts.stick, 20u);
        }
}

/// All preconditioners give the same motion: the diagonal, and in long steps multigrid or a factor.
TEST(ProjectedContacts, DoNotDependOnThePreconditioner) {
  for (const auto solver : {LinearSolver::conjugate_gradients, LinearSolver::direct})
    for (const bool is_stiff : {false, true}) {
      SCOPED_TRACE("solver " + std::to_string(static_cast<int>(solver)) +
                   (is_stiff ? ", stiff" : ", soft"));
      const double young = is_stiff ? 2e6 : 20.;
      const Setting setting{"moreau-jean-fremond",
                            CellShape::hypercube,
                            Motion::driven,
                            solver,
                            young,
                            0.02,
                            0.3,
                            10};
      Body condensed = block(setting, ContactElimination::condensed);
      Body projected = block(setting, ContactElimination::projected);
      const Counts counts = compare(condensed, projected, 5);
      if (HasFailure())
        return;
      EXPECT_EQ(counts.condensed, 0u);
      EXPECT_EQ(projected.step->momentum().system().has_diagonal_preconditioner(), !is_stiff);
    }
}

/// Strong friction and long steps need no other solver.
TEST(ProjectedContacts, ConvergeWithStrongFriction) {
  for (const auto motion : {Motion::falling, Motion::driven})
    for (const double friction : {0., 0.7, 1.2, 2.})
      for (const double young : {20., 2e4}) {
        SCOPED_TRACE("friction " + std::to_string(friction) + " modulus " + std::to_string(young) +
                     " motion " + std::to_string(static_cast<int>(motion)));
        const Setting setting{
            "pdas-leapfrog", CellShape::hypercube, motion, LinearSolver::automatic, young, 0.02,
            friction};
        Body body = block(setting, ContactElimination::projected);
        body.start();
        double largest = body.state.energy();
        for (unsigned int k = 0; k < 60; ++k) {
          const auto &record = body.advance();
          largest = std::max(largest, std::abs(body.state.energy()));
          ASSERT_LT(std::abs(record.balance_residual), 1e-13 * largest) << k;
          ASSERT_LE(record.solver_residual, 1e-12) << k;
          expect_law(record);
          ASSERT_FALSE(HasFailure()) << k;
          ASSERT_TRUE(record.contacts.empty() || body.step->posed_problem() == nullptr) << k;
        }
      }
}

/// Contacts whose tolerance the iterations cannot meet are condensed, in the same steps.
TEST(ProjectedContacts, FallBackToCondensedContacts) {
  for (const auto solver : {LinearSolver::direct, LinearSolver::conjugate_gradients}) {
    Setting setting{"moreau-jean", CellShape::hypercube, Motion::falling};
    Body condensed = block(setting, ContactElimination::condensed);
    Body projected = block(setting, ContactElimination::projected);
    for (Body *body : {&condensed, &projected}) {
      body->choices.linear_solver = solver;
      body->start();
    }
    const auto machinery = test::machinery<3>(
        projected, make_projected_reaction<3>(make_cone_reaction<3>(projected.cone, 0.5, false),
                                              {0.}, 0.5, 1));
    unsigned int n_contacts = 0;
    for (unsigned int k = 0; k < 10; ++k) {
      const double t0 = projected.state.time, h = projected.choices.h;
      StepRecord<3> record;
      ASSERT_FALSE(advance_substep(projected.state, {t0, t0 + h, h}, *machinery, record));
      const auto &expected = condensed.advance();
      ASSERT_EQ(test::statuses(record), test::statuses(expected));
      ASSERT_NEAR(projected.state.energy(), condensed.state.energy(),
                  1e-12 * condensed.state.energy());
      n_contacts += static_cast<unsigned int>(record.contacts.size());
    }
    EXPECT_GT(n_contacts, 10u);
  }
}

/// Many contacts replace the factor by iterations, unless there are laws that need a dense
/// operator.
TEST(ProjectedContacts, LeaveOutTheFactorIfTheySolveAllLaws) {
  Setting setting{"moreau-jean", CellShape::hypercube, Motion::falling};
  setting.n = 10;
  const Body body = block(setting, ContactElimination::automatic);
  const auto route = [&](const StepChoices &choices, std::size_t n_contact_entries,
                         Projectable projectable) {
    return choose_contact_route(*body.bodies, choices, n_contact_entries, projectable);
  };
  EXPECT_EQ(route(body.choices, 4000, Projectable::all).solver, LinearSolver::conjugate_gradients);
  EXPECT_EQ(route(body.choices, 4000, Projectable::all).min_projected_rows, 1u);
  EXPECT_FALSE(route(body.choices, 100, Projectable::all).may_project());
  EXPECT_EQ(route(body.choices, 4000, Projectable::none).solver, LinearSolver::automatic);
  EXPECT_FALSE(route(body.choices, 4000, Projectable::none).may_project());
  EXPECT_EQ(route(body.choices, 4000, Projectable::most).solver, LinearSolver::automatic);
  EXPECT_TRUE(route(body.choices, 4000, Projectable::most).may_project());
  StepChoices springs = body.choices;
  springs.penalty = Penalty::compliance;
  EXPECT_EQ(route(springs, 4000, Projectable::all).solver, LinearSolver::automatic);
}

/// Fewer contacts do so if iterations take as long as sweeps of the factor.
TEST(ProjectedContacts, LeaveOutAFactorThatSavesNoTime) {
  const auto route = [](unsigned int n, double h, std::size_t n_contact_entries) {
    Setting setting{"moreau-jean", CellShape::hypercube, Motion::falling};
    setting.n = n;
    Body body = block(setting, ContactElimination::automatic);
    body.choices.h = h;
    return choose_contact_route(*body.bodies, body.choices, n_contact_entries, Projectable::all);
  };
  const ContactRoute many = route(22, 1e-5, 1000);
  EXPECT_EQ(many.solver, LinearSolver::conjugate_gradients);
  EXPECT_EQ(many.min_projected_rows, 1u);
  EXPECT_EQ(route(22, 1e-5, 500).solver, LinearSolver::automatic);
  EXPECT_EQ(route(22, 1., 1000).solver, LinearSolver::automatic);   // more iterations
  EXPECT_EQ(route(10, 1e-5, 1000).solver, LinearSolver::automatic); // a smaller factor
}

/// A resumed run continues bit for bit.
TEST(ProjectedContacts, AreTheSameEveryTime) {
  const Setting setting{"moreau-jean-fremond", CellShape::hypercube, Motion::falling,
                        LinearSolver::conjugate_gradients};
  Body first = block(setting, ContactElimination::projected);
  first.start();
  for (unsigned int k = 0; k < 10; ++k)
    first.advance();
  Body resumed = block(setting, ContactElimination::projected);
  resumed.start();
  resumed.state = first.state;
  resumed.step->restore(resumed.state, first.step->memory());
  for (unsigned int k = 0; k < 10; ++k) {
    first.advance();
    resumed.advance();
    ASSERT_TRUE(test::same_bits(first.state.q, resumed.state.q)) << k;
  }
}

/// Proximal steps give the percussions of active sets, also with multipliers.
TEST(ProjectedContacts, AreTheSameAfterProximalSteps) {
  Blocks condensed(Discretisation::nodes_of_both_sides, "pdas-leapfrog",
                   ContactElimination::condensed);
  Blocks projected(Discretisation::nodes_of_both_sides, "pdas-leapfrog",
                   ContactElimination::projected);
  condensed.start();
  projected.start();
  const ProjectionLimits only_proximal{1e-12, 0};
  const auto machinery = test::machinery<3>(
      projected, make_projected_reaction<3>(make_cone_reaction<3>(projected.cone, 0.5, false),
                                            only_proximal, 0.5, 1));
  unsigned int n_contacts = 0, least_iterations = 1000;
  for (unsigned int k = 0; k < 20; ++k) {
    const double t0 = projected.state.time, h = projected.choices.h;
    StepRecord<3> record;
    ASSERT_FALSE(advance_substep(projected.state, {t0, t0 + h, h}, *machinery, record)) << k;
    const auto &expected = condensed.advance();
    ASSERT_EQ(test::statuses(record), test::statuses(expected)) << k;
    ASSERT_NEAR(projected.state.energy(), condensed.state.energy(),
                1e-11 * condensed.state.energy())
        << k;
    n_contacts += static_cast<unsigned int>(record.contacts.size());
    if (record.contacts.empty())
      continue;
    ASSERT_EQ(machinery->reaction->posed_problem(), nullptr) << k;
    least_iterations = std::min(least_iterations, record.solver_iterations);
  }
  EXPECT_GT(n_contacts, 100u);
  constexpr unsigned int n_proximal_steps = 6, n_solutions = 2;
  EXPECT_GE(least_iterations, (n_proximal_steps + 1) * n_solutions);
}

/// Statuses that cycle without proximal steps converge.
TEST(ProjectedContacts, ConvergeIfStatusesRecur) {
  Blocks blocks(Discretisation::nodes_of_both_sides, "pdas-leapfrog",
                ContactElimination::projected);
  blocks.pair.friction = 3.;
  blocks.start();
  for (unsigned int k = 0; k < 60; ++k) {
    const auto &record = blocks.advance();
    ASSERT_LT(std::abs(record.balance_residual), 1e-13 * blocks.state.energy()) << k;
    ASSERT_LE(record.solver_residual, 1e-12) << k;
    expect_law(record);
    ASSERT_FALSE(HasFailure()) << k;
    ASSERT_TRUE(record.contacts.empty() || blocks.step->posed_problem() == nullptr) << k;
  }
}

/// Nodes against faces have nodes of their own, and so have dual multipliers on faces that are
/// fully covered. Contacts of the nodes of both sides, of multipliers on a partly covered side, and
/// of a boundary with itself, share nodes: some of them have multipliers.
TEST(ProjectedContacts, OfElasticBodiesAreThoseOfTheCondensedProblem) {
  using Compare = Counts (*)(Discretisation, const std::string &, Laws);
  const std::vector<std::pair<std::string, Compare>> systems = {
      {"2D", compare_systems<Rectangles>},
      {"3D", compare_systems<Blocks>},
      {"self-contact in 2D", compare_systems<SlitBlock<2>>},
      {"self-contact in 3D", compare_systems<SlitBlock<3>>}};
  for (const std::string scheme : {"moreau-jean-fremond", "pdas-leapfrog"})
    for (const auto &[name, compare_system] : systems)
      for (const auto discretisation :
           {Discretisation::nodes, Discretisation::mortar, Discretisation::mortar_of_region,
            Discretisation::nodes_of_both_sides}) {
        SCOPED_TRACE(name + " " + scheme + " discretisation " +
                     std::to_string(static_cast<int>(discretisation)));
        const Counts counts = compare_system(discretisation, scheme, Laws::linear);
        if (HasFailure())
          return;
        EXPECT_EQ(counts.condensed, 0u);
        EXPECT_GT(counts.projected, 0u);
        EXPECT_GT(counts.slip + counts.stick, 50u);
        EXPECT_GT(counts.slip, 0u);
      }
}

/// So are contacts in a plane of symmetry, whose tangents may have no free degree of freedom. After
/// the faces have tilted, their normal and tangential rows depend on each other, and iterations may
/// fail.
TEST(ProjectedContacts, OfSymmetricBodiesAreMostlyProjected) {
  for (const auto discretisation : {Discretisation::nodes, Discretisation::nodes_of_both_sides}) {
    const Counts counts = compare_systems<HalfBlocks>(discretisation, "moreau-jean-fremond");
    if (HasFailure())
      return;
    EXPECT_GT(counts.projected, counts.condensed);
    EXPECT_GT(counts.slip + counts.stick, 50u);
  }
}

} // namespace projected_contacts
