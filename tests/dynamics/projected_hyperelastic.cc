// Contacts of hyperelastic bodies solved by projected iterations compared with contacts condensed
// to a dense operator, and conjugate gradients compared with a factor.

#include <gtest/gtest.h>

#include "projected_bodies.h"
#include "same_bits.h"
#include "support/machinery.h"

namespace projected_contacts {

Setting hyperelastic(const std::string &scheme, Motion motion, LinearSolver solver) {
  Setting setting{scheme, CellShape::hypercube, motion, solver};
  setting.laws = Laws::hyperelastic;
  return setting;
}

/// Statuses and energies are those of the condensed problem, beside a factor and without one.
TEST(ProjectedHyperelastic, HaveTheStatusesAndEnergiesOfCondensedContacts) {
  for (const std::string scheme : {"moreau-jean-fremond", "pdas-leapfrog", "moreau-jean"})
    for (const auto motion : {Motion::falling, Motion::driven, Motion::guided})
      for (const auto solver : {LinearSolver::direct, LinearSolver::conjugate_gradients}) {
        SCOPED_TRACE(scheme + " motion " + std::to_string(static_cast<int>(motion)) + " solver " +
                     std::to_string(static_cast<int>(solver)));
        const Setting setting = hyperelastic(scheme, motion, solver);
        Body condensed = block(setting, ContactElimination::condensed);
        Body projected = block(setting, ContactElimination::projected);
        const Counts counts = compare(condensed, projected, 60);
        if (HasFailure())
          return;
        EXPECT_EQ(projected.step->momentum().system().is_iterative(),
                  solver == LinearSolver::conjugate_gradients);
        EXPECT_EQ(counts.condensed, 0u);
        EXPECT_GT(counts.slip, 50u);
        EXPECT_GT(counts.stick, motion == Motion::falling ? 0u : 50u);
      }
}

/// So they are with elements that do not lock, linear and hyperelastic.
TEST(ProjectedHyperelastic, HaveThoseOfEachElement) {
  for (const auto element : {ElementKind::mean_dilatation, ElementKind::macro_cells})
    for (const auto laws : {Laws::linear, Laws::hyperelastic})
      for (const auto solver : {LinearSolver::direct, LinearSolver::conjugate_gradients}) {
        SCOPED_TRACE("element " + std::to_string(static_cast<int>(element)) + " laws " +
                     std::to_string(static_cast<int>(laws)) + " solver " +
                     std::to_string(static_cast<int>(solver)));
        Setting setting = hyperelastic("moreau-jean-fremond", Motion::driven, solver);
        setting.laws = laws;
        setting.element = element;
        Body condensed = block(setting, ContactElimination::condensed);
        Body projected = block(setting, ContactElimination::projected);
        const Counts counts = compare(condensed, projected, 30);
        if (HasFailure())
          return;
        EXPECT_GT(counts.projected, 20u);
        EXPECT_GT(counts.stick + counts.slip, 50u);
      }
}

/// So they are in long steps, with multigrid as preconditioner.
TEST(ProjectedHyperelastic, DoNotDependOnThePreconditioner) {
  for (const bool is_stiff : {false, true}) {
    SCOPED_TRACE(is_stiff ? "stiff" : "soft");
    Setting setting =
        hyperelastic("moreau-jean-fremond", Motion::driven, LinearSolver::conjugate_gradients);
    setting.young = is_stiff ? 2e5 : 20.;
    setting.n = 8;
    Body condensed = block(setting, ContactElimination::condensed);
    Body projected = block(setting, ContactElimination::projected);
    const Counts counts = compare(condensed, projected, 5);
    if (HasFailure())
      return;
    EXPECT_EQ(counts.condensed, 0u);
    EXPECT_EQ(projected.step->momentum().system().has_diagonal_preconditioner(), !is_stiff);
  }
}

/// Two hyperelastic bodies, and a hyperelastic one on a linear one, in all discretisations.
TEST(ProjectedHyperelastic, OfTwoBodiesAreThoseOfTheCondensedProblem) {
  using Compare = Counts (*)(Discretisation, const std::string &, Laws);
  const std::vector<std::pair<std::string, Compare>> systems = {
      {"2D", compare_systems<Rectangles>},
      {"3D", compare_systems<Blocks>},
      {"self-contact in 2D", compare_systems<SlitBlock<2>>},
      {"self-contact in 3D", compare_systems<SlitBlock<3>>}};
  for (const auto laws : {Laws::hyperelastic, Laws::mixed})
    for (const auto &[name, compare_system] : systems)
      for (const auto discretisation :
           {Discretisation::nodes, Discretisation::mortar, Discretisation::mortar_of_region,
            Discretisation::nodes_of_both_sides}) {
        const bool has_one_body = name.find("self") != std::string::npos;
        if (laws == Laws::mixed && has_one_body)
          continue;
        SCOPED_TRACE(name + " discretisation " + std::to_string(static_cast<int>(discretisation)) +
                     (laws == Laws::mixed ? " mixed" : ""));
        const Counts counts = compare_system(discretisation, "moreau-jean-fremond", laws);
        if (HasFailure())
          return;
        EXPECT_EQ(counts.condensed, 0u);
        EXPECT_GT(counts.projected, 0u);
        EXPECT_GT(counts.slip + counts.stick, 50u);
        EXPECT_GT(counts.slip, 0u);
      }
}

void add_pressure(Body &body, const std::string &region, const std::string &formula) {
  body.bodies->pressures.emplace_back(*body.bodies->elastic.front(), body.mesh->region(region),
                                      Expression(formula));
}

/// So they are with pressures that follow the body, whose tangents Â contains.
TEST(ProjectedHyperelastic, UnderFollowerPressuresAreThoseOfTheCondensedProblem) {
  for (const auto motion : {Motion::falling, Motion::driven})
    for (const auto solver : {LinearSolver::direct, LinearSolver::conjugate_gradients}) {
      SCOPED_TRACE("motion " + std::to_string(static_cast<int>(motion)) + " solver " +
                   std::to_string(static_cast<int>(solver)));
      const Setting setting = hyperelastic("pdas-leapfrog", motion, solver);
      Body condensed = block(setting, ContactElimination::condensed);
      Body projected = block(setting, ContactElimination::projected);
      Body without_pressure = block(setting, ContactElimination::condensed);
      for (Body *body : {&condensed, &projected}) {
        add_pressure(*body, "right", "2*sin(8*t)");
        add_pressure(*body, "top", "1.5");
      }
      const Counts counts = compare(condensed, projected, 40);
      if (HasFailure())
        return;
      EXPECT_EQ(counts.condensed, 0u);
      EXPECT_GT(counts.slip, 50u);
      without_pressure.start();
      for (unsigned int k = 0; k < 40; ++k)
        without_pressure.advance();
      EXPECT_GT(std::abs(without_pressure.state.strain - condensed.state.strain),
                0.1 * condensed.state.strain);
    }
}

/// A projected step without inertia ends in the equilibrium of the condensed one, with multigrid or
/// a factor as preconditioner.
TEST(ProjectedHyperelastic, WithoutInertiaAreThoseOfTheCondensedProblem) {
  for (const bool has_pressure : {false, true})
    for (const auto solver : {LinearSolver::direct, LinearSolver::conjugate_gradients}) {
      SCOPED_TRACE(std::string(has_pressure ? "pressure, solver " : "solver ") +
                   std::to_string(static_cast<int>(solver)));
      const Setting setting = hyperelastic("moreau-jean", Motion::guided, solver);
      Body condensed = block(setting, ContactElimination::condensed);
      Body projected = block(setting, ContactElimination::projected);
      for (Body *body : {&condensed, &projected}) {
        body->bodies->remove_inertia();
        body->choices.has_inertia = false;
        body->choices.theta = 1.;
        body->choices.forecast = Forecast::closing;
        body->pairs.front().restitution = {};
        if (has_pressure)
          add_pressure(*body, "right", "t");
      }
      const Counts counts = compare(condensed, projected, 20);
      if (HasFailure())
        return;
      EXPECT_EQ(projected.state.kinetic, 0.);
      EXPECT_EQ(projected.step->momentum().system().is_iterative(),
                solver == LinearSolver::conjugate_gradients);
      EXPECT_EQ(counts.condensed, 0u);
      EXPECT_GT(counts.slip, 50u);
      EXPECT_GT(counts.stick, 0u);
    }
}

/// The matrix by nodes is the matrix of the factor: of the factor beside it, and of the factor of
/// condensed contacts in the same first step.
TEST(ProjectedHyperelastic, HaveTheMatrixOfTheFactor) {
  const auto started = [](ContactElimination elimination, LinearSolver solver) {
    Setting setting = hyperelastic("moreau-jean-fremond", Motion::guided, solver);
    auto body = std::make_unique<Body>(block(setting, elimination));
    body->start();
    body->advance();
    return body;
  };
  const auto condensed = started(ContactElimination::condensed, LinearSolver::direct);
  for (const auto solver : {LinearSolver::direct, LinearSolver::conjugate_gradients}) {
    const auto projected = started(ContactElimination::projected, solver);
    ContactSystem &system = projected->step->momentum().system();
    ContactSystem &factor_system = condensed->step->momentum().system();
    std::vector<double> x(system.size(), 0.), y(system.size()), z(system.size());
    for (unsigned int i = 0; i < x.size(); ++i)
      if (system.is_free(i))
        x[i] = 1. + std::sin(1. + 3. * i);
    system.multiply(x, y);
    const std::vector<double> diagonal = system.diagonal();
    for (unsigned int i = 0; i < x.size(); ++i) {
      if (!system.is_free(i))
        continue;
      double product = 0, size = 0;
      factor_system.visit_row(i, [&](unsigned int j, double value) {
        product += value * x[j];
        size += std::abs(value * x[j]);
        if (i == j) {
          EXPECT_NEAR(value, diagonal[i], 1e-13 * std::abs(value));
        }
      });
      ASSERT_NEAR(y[i], product, 1e-12 * size) << i;
    }
    if (solver == LinearSolver::conjugate_gradients)
      continue;
    system.precondition(y, z);
    for (unsigned int i = 0; i < x.size(); ++i)
      ASSERT_NEAR(z[i], x[i], 1e-11) << i;
  }
}

/// A resumed run continues bit for bit.
TEST(ProjectedHyperelastic, AreTheSameEveryTime) {
  for (const auto solver : {LinearSolver::direct, LinearSolver::conjugate_gradients})
    for (const auto motion : {Motion::falling, Motion::driven}) {
      const Setting setting = hyperelastic("moreau-jean-fremond", motion, solver);
      Body first = block(setting, ContactElimination::projected);
      first.start();
      for (unsigned int k = 0; k < 10; ++k)
        first.advance();
      Body resumed = block(setting, ContactElimination::projected);
      resumed.start();
      resumed.state = first.state;
      const StepMemory memory = first.step->memory();
      EXPECT_EQ(memory.momentum.values.empty(), solver == LinearSolver::conjugate_gradients);
      resumed.step->restore(resumed.state, memory);
      for (unsigned int k = 0; k < 10; ++k) {
        first.advance();
        resumed.advance();
        ASSERT_TRUE(test::same_bits(first.state.q, resumed.state.q)) << k;
        ASSERT_TRUE(test::same_bits(first.state.v, resumed.state.v)) << k;
      }
    }
}

/// Contacts that are not solved, and are too many to be condensed beside conjugate gradients, fail
/// in the substep, which may then be cut.
TEST(ProjectedHyperelastic, FailInTheSubstepIfTheyAreTooManyToCondense) {
  Body body(test::box(CellShape::hypercube, Point(1, 1, 0.1), {33, 32, 1}),
            material<3>(20., false));
  const Scheme &named = percussion::scheme("moreau-jean");
  body.add_contact("bottom", Body::ground(), named.law, {}, 0.3);
  body.use(named);
  body.set(body.state.v, [](const Point &x) {
    return std::array<double, 3>{{0.1 + 0.05 * x[1], 0., -1.}};
  });
  body.choices.contact_elimination = ContactElimination::projected;
  body.choices.linear_solver = LinearSolver::conjugate_gradients;
  body.start();
  const auto machinery = test::machinery<3>(
      body,
      make_projected_reaction<3>(make_cone_reaction<3>(body.cone, 0.5, false), {-1.}, 0.5, 1));
  const double h = body.choices.h;
  StepRecord<3> record;
  const auto failure = advance_substep(body.state, {0., h, h}, *machinery, record);
  ASSERT_TRUE(failure.has_value());
  EXPECT_NE(failure->reason.find("was not solved by projection"), std::string::npos)
      << failure->reason;
}

/// Conjugate gradients beside condensed contacts take the steps of the factor.
TEST(ProjectedHyperelastic, HaveNoFactorInConjugateGradients) {
  for (const auto motion : {Motion::falling, Motion::driven}) {
    const Setting setting =
        hyperelastic("moreau-jean-fremond", motion, LinearSolver::conjugate_gradients);
    Body direct = block(setting, ContactElimination::condensed);
    Body iterative = block(setting, ContactElimination::condensed);
    iterative.choices.linear_solver = LinearSolver::conjugate_gradients;
    const Counts counts = compare(direct, iterative, 30);
    if (HasFailure())
      return;
    EXPECT_FALSE(direct.step->momentum().system().is_iterative());
    EXPECT_TRUE(iterative.step->momentum().system().is_iterative());
    EXPECT_EQ(counts.projected, 0u);
    EXPECT_GT(counts.slip + counts.stick, 50u);
  }
}

} // namespace projected_contacts
