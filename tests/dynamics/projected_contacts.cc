// Contacts solved by projected iterations compared with contacts condensed to a dense operator.

#include <percussion/dynamics/advance_substep.h>

#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_tools.h>
#include <gtest/gtest.h>

#include "same_bits.h"
#include "support/block.h"
#include "support/machinery.h"
#include <set>

namespace projected_contacts {

using namespace percussion;
using Body = test::BlockIn<3>;
using Point = dealii::Point<3>;

/// Motion of a block on the ground.
enum class Motion {
  falling, ///< falls obliquely, slips and takes off
  driven,  ///< pressed on the ground by its top, which moves
  guided   ///< as driven, with a side in a plane of symmetry
};

struct Setting {
  std::string scheme;
  CellShape shape;
  Motion motion;
  LinearSolver solver = LinearSolver::automatic;
  double young = 20, h = 0.02, friction = 0.3;
  unsigned int n = 4; ///< number of elements to an edge
  bool is_redistributed = false;
  double theta = 0.5, restitution = 0.3;
};

Body block(const Setting &s, ContactElimination elimination) {
  Body body(test::box(s.shape, Point(1, 1, 1), {s.n, s.n + 1, s.n},
                      s.motion == Motion::guided ? 0. : 0.1),
            Material<3>{
                1., 1., LinearElastic<3>::from_young(s.young, 0.3, Plane::strain), {0.01, 0., 0.}},
            dealii::Tensor<1, 3>({0.1, 0.2, -1.}));
  const Scheme &named = scheme(s.scheme);
  body.add_contact("bottom", Body::ground(s.motion == Motion::falling ? -0.02 : 0.), named.law,
                   {s.restitution, 0., 0.}, s.friction);
  body.use(named);
  body.choices.theta = s.theta;
  if (s.is_redistributed)
    body.bodies->redistribute_inertia(*body.bodies->elastic.front(),
                                      body.mesh->region("bottom").vertices);
  if (s.motion != Motion::falling) {
    body.prescribe("top", 2, PrescribedMotion<3>::Kind::velocity, "-0.1*sin(10*t)");
    body.prescribe("top", 1, PrescribedMotion<3>::Kind::velocity, "0.2*sin(5*t)");
  } else
    body.set(body.state.v, [](const Point &x) {
      return std::array<double, 3>{{0.5 - 0.2 * x[1], 0.3 + 0.2 * x[0], -1. + 0.1 * x[0]}};
    });
  if (s.motion == Motion::guided)
    body.prescribe("left", 0, PrescribedMotion<3>::Kind::velocity, "0");
  body.choices.contact_elimination = elimination;
  body.choices.linear_solver =
      elimination == ContactElimination::projected ? s.solver : LinearSolver::automatic;
  body.choices.h = s.h;
  return body;
}

/// Expects that the percussions of a step obey the law, measured from positions, velocities and
/// percussions at both ends without the solver.
template <int dim>
void expect_law(const StepRecord<dim> &record) {
  EXPECT_LE(record.defects.defect(DefectKind::cone_violation).value, 1e-10);
  EXPECT_LE(record.defects.defect(DefectKind::slip_direction_error).value, 1e-6);
}

/// Statuses of contacts in a run, and numbers of steps with contacts by their solution.
struct Counts {
  unsigned int stick = 0, slip = 0, open = 0, projected = 0, condensed = 0;
};

/// Advances both systems and compares them step by step; the bound of the balance residual is
/// relative to the largest energy.
template <typename Bodies>
Counts compare(Bodies &condensed, Bodies &projected, unsigned int n_steps,
               double balance_bound = 1e-13) {
  condensed.start();
  projected.start();
  Counts counts;
  double largest = condensed.state.energy();
  for (unsigned int k = 0; k < n_steps; ++k) {
    SCOPED_TRACE("step " + std::to_string(k + 1));
    const auto &expected = condensed.advance();
    const auto &record = projected.advance();
    largest = std::max(largest, std::abs(condensed.state.energy()));
    EXPECT_EQ(test::statuses(record), test::statuses(expected));
    EXPECT_NEAR(projected.state.kinetic, condensed.state.kinetic, 1e-9 * largest);
    EXPECT_NEAR(projected.state.strain, condensed.state.strain, 1e-9 * largest);
    EXPECT_LT(std::abs(record.balance_residual), balance_bound * largest);
    EXPECT_LE(record.solver_residual, 1e-12);
    expect_law(record);
    if (testing::Test::HasFailure())
      return counts;
    // A condensed problem is recorded, a projected one has no dense operator.
    if (!record.contacts.empty())
      ++(projected.step->posed_problem() != nullptr ? counts.condensed : counts.projected);
    for (const auto &contact : record.contacts) {
      counts.stick += contact.status == ContactStatus::stick;
      counts.slip += contact.status == ContactStatus::slip;
      counts.open += contact.status == ContactStatus::open;
    }
  }
  return counts;
}

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
  const auto route = [&](const StepChoices &choices, std::size_t n_contact_dofs,
                         Projectable projectable) {
    return choose_contact_route(*body.bodies, choices, time_rule(choices), n_contact_dofs,
                                projectable);
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

/// Elastic bodies with one contact between them.
template <int dim>
struct Bodies {
  std::vector<std::unique_ptr<Mesh<dim>>> mesh;
  typename System<dim>::ElasticBodies elastic;
  std::unique_ptr<System<dim>> bodies;
  std::unique_ptr<Boundary<dim>> boundary;
  ContactPair<dim> pair;
  StepChoices choices;
  ConeOptions cone;
  std::unique_ptr<Step<dim>> step;
  State<dim> state;

  Bodies(Discretisation discretisation, const std::string &scheme_name,
         ContactElimination elimination) {
    pair.name = "contact";
    pair.gap_tolerance = 1e-12;
    pair.discretisation = discretisation;
    pair.law = scheme(scheme_name).law;
    pair.friction = 0.2;
    choices.use(scheme(scheme_name));
    choices.contact_elimination = elimination;
    choices.h = 0.01;
    cone.tolerance = 1e-12;
    cone.method = scheme(scheme_name).method;
  }

  void add(const std::string &name, std::unique_ptr<Mesh<dim>> m) {
    mesh.push_back(std::move(m));
    mesh.back()->file = name + ".msh";
    const Material<dim> material{
        1., 1., LinearElastic<dim>::from_young(40., 0.3, Plane::strain), {0.01, 0., 0.}};
    const unsigned int first =
        elastic.empty() ? 0 : elastic.back()->space.first_dof + elastic.back()->n_dofs();
    elastic.push_back(
        std::make_unique<ElasticBody<dim>>(*mesh.back(), Materials<dim>(material), first));
  }
  /// Makes the system with the bottom at rest in the last direction, and sets the velocities of the
  /// last body.
  void make(const std::string &bottom,
            const std::function<dealii::Tensor<1, dim>(const dealii::Point<dim> &)> &velocity) {
    bodies = std::make_unique<System<dim>>(std::move(elastic), std::vector<RigidBody<dim>>(),
                                           dealii::Tensor<1, dim>());
    hold(bottom, dim - 1);
    state.q = make_vector(bodies->n_dofs());
    state.v = make_vector(bodies->n_dofs());
    const auto &space = bodies->elastic.back()->space;
    for (unsigned int i = 0; i < space.n_nodes(); ++i)
      for (unsigned int d = 0; d < dim; ++d)
        entries(state.v)[space.node_dofs[i][d]] = velocity(space.nodes[i])[d];
  }
  void hold(const std::string &region, unsigned int direction) {
    bodies->prescribe(region, bodies->region(region), direction,
                      PrescribedMotion<dim>::Kind::velocity, Expression("0"));
  }
  void start() {
    boundary = std::make_unique<Boundary<dim>>(*bodies, std::vector<ContactPair<dim>>{pair});
    step = std::make_unique<Step<dim>>(*bodies, *boundary, choices, cone);
    step->initialise(state);
  }
  const StepRecord<dim> &advance() { return step->advance(state, (state.step + 1) * choices.h); }
};

template <int dim>
std::unique_ptr<Mesh<dim>> shifted(std::unique_ptr<Mesh<dim>> mesh,
                                   const dealii::Tensor<1, dim> &by) {
  mesh->triangulation.reset_all_manifolds();
  dealii::GridTools::shift(by, mesh->triangulation);
  return mesh;
}

/// A block of hexahedra falls obliquely on a block of tetrahedra.
struct Blocks : Bodies<3> {
  Blocks(Discretisation discretisation, const std::string &scheme_name,
         ContactElimination elimination)
      : Bodies<3>(discretisation, scheme_name, elimination) {
    add("lower", test::box(CellShape::simplex, Point(1.2, 1., 0.5), {4, 4, 2}, 0.1));
    add("upper", shifted(test::box(CellShape::hypercube, Point(0.8, 0.7, 0.4), {5, 4, 3}),
                         dealii::Tensor<1, 3>({0.2, 0.15, 0.505})));
    make("lower:bottom", [](const auto &x) {
      return dealii::Tensor<1, 3>({0.3 - 0.3 * x[1], 0.1, -0.6});
    });
    pair.region = "upper:bottom";
    pair.opposite_regions = {"lower:top"};
  }
};

/// A half of two blocks with a plane of symmetry, whose nodes project on edges in this plane.
struct HalfBlocks : Bodies<3> {
  HalfBlocks(Discretisation discretisation, const std::string &scheme_name,
             ContactElimination elimination)
      : Bodies<3>(discretisation, scheme_name, elimination) {
    add("lower", test::box(CellShape::hypercube, Point(0.9, 1., 0.5), {3, 4, 2}));
    add("upper", shifted(test::box(CellShape::hypercube, Point(0.7, 0.7, 0.4), {4, 4, 3}),
                         dealii::Tensor<1, 3>({0., 0.17, 0.505})));
    make("lower:bottom", [](const auto &x) {
      return dealii::Tensor<1, 3>({0.1 * x[0], 0.4, -0.6});
    });
    hold("lower:left", 0);
    hold("upper:left", 0);
    pair.region = "upper:bottom";
    pair.opposite_regions = {"lower:top"};
  }
};

/// The same in 2D.
struct Rectangles : Bodies<2> {
  Rectangles(Discretisation discretisation, const std::string &scheme_name,
             ContactElimination elimination)
      : Bodies<2>(discretisation, scheme_name, elimination) {
    add("lower", test::rectangle(CellShape::simplex, 1.2, 0.5, 9, 4, 0.1));
    add("upper", shifted(test::rectangle(CellShape::hypercube, 0.8, 0.4, 10, 5),
                         dealii::Tensor<1, 2>({0.23, 0.505})));
    make("lower:bottom", [](const auto &x) {
      return dealii::Tensor<1, 2>({0.3, -0.6 + 0.2 * x[0]});
    });
    pair.region = "upper:bottom";
    pair.opposite_regions = {"lower:top"};
  }
};

/// A block with a slit that closes.
template <int dim>
struct SlitBlock : Bodies<dim> {
  SlitBlock(Discretisation discretisation, const std::string &scheme_name,
            ContactElimination elimination)
      : Bodies<dim>(discretisation, scheme_name, elimination) {
    constexpr unsigned int z = dim - 1;
    const auto is_in_slit = [](const dealii::Point<dim> &x) {
      return x[0] > 0.2 && std::abs(x[z] - 0.25) < 0.051;
    };
    auto slit = std::make_unique<Mesh<dim>>();
    slit->shape = CellShape::hypercube;
    dealii::Triangulation<dim> whole;
    std::vector<unsigned int> n(dim, 5);
    dealii::Point<dim> size;
    for (unsigned int d = 0; d < dim; ++d)
      size[d] = 0.5;
    n[0] = 6;
    size[0] = 1.2;
    dealii::GridGenerator::subdivided_hyper_rectangle(whole, n, dealii::Point<dim>(), size);
    std::set<typename dealii::Triangulation<dim>::active_cell_iterator> removed;
    for (const auto &cell : whole.active_cell_iterators())
      if (is_in_slit(cell->center()))
        removed.insert(cell);
    dealii::GridGenerator::create_triangulation_with_removed_cells(whole, removed,
                                                                   slit->triangulation);
    test::add_region<dim>(*slit, "slit", is_in_slit);
    test::add_region<dim>(*slit, "bottom", [](const auto &x) { return x[z] < 1e-9; });
    // The slit is narrow, and the nodes on both sides are not opposite each other.
    dealii::GridTools::transform(
        [](const dealii::Point<dim> &x) {
          dealii::Point<dim> y = x;
          if (x[z] > 0.25) {
            y[z] -= 0.09;
            for (unsigned int d = 0; d < z; ++d)
              y[d] -= 0.1 * x[d] * (1. - x[d]);
          }
          return y;
        },
        slit->triangulation);
    this->add("slit", std::move(slit));
    this->make("bottom", [](const auto &x) {
      dealii::Tensor<1, dim> v;
      if (x[z] > 0.205)
        v[z] = -0.6 * x[0];
      v[0] = 0.1 * x[z];
      return v;
    });
    this->pair.region = "slit";
    this->pair.opposite_regions = {"slit"};
  }
};

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

/// Compares a system with projected and condensed contacts, and returns the counts.
template <typename System>
Counts compare_systems(Discretisation discretisation, const std::string &scheme) {
  System condensed(discretisation, scheme, ContactElimination::condensed);
  System projected(discretisation, scheme, ContactElimination::projected);
  return compare(condensed, projected, 60, 3e-13); // self-contact in 2D: 1.2e-13 in one step
}

/// Nodes against faces have nodes of their own, and so have dual multipliers on faces that are
/// fully covered. Contacts of the nodes of both sides, of multipliers on a partly covered side, and
/// of a boundary with itself, share nodes: some of them have multipliers.
TEST(ProjectedContacts, OfElasticBodiesAreThoseOfTheCondensedProblem) {
  using Compare = Counts (*)(Discretisation, const std::string &);
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
        const Counts counts = compare_system(discretisation, scheme);
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
