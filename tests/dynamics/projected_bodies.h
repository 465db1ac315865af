// Bodies whose contacts are projected, and their comparison with condensed contacts.

#pragma once

#include <percussion/dynamics/advance_substep.h>
#include <percussion/material/hyperelastic.h>

#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_tools.h>
#include <gtest/gtest.h>

#include "support/block.h"
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

/// Laws of the materials: `mixed` makes the first of two bodies linear.
enum class Laws { linear, hyperelastic, mixed };

/// Returns a linear material, or a hyperelastic one with the same small strains.
template <int dim>
Material<dim> material(double young, bool is_linear) {
  if (is_linear)
    return {1., 1., LinearElastic<dim>::from_young(young, 0.3, Plane::strain), {0.01, 0., 0.}};
  return test::hyperelastic<dim>(NeoHooke::from_young(young, 0.3));
}

struct Setting {
  std::string scheme;
  CellShape shape;
  Motion motion;
  LinearSolver solver = LinearSolver::automatic;
  double young = 20, h = 0.02, friction = 0.3;
  unsigned int n = 4; ///< number of elements to an edge
  bool is_redistributed = false;
  double theta = 0.5, restitution = 0.3;
  Laws laws = Laws::linear;
  ElementKind element = ElementKind::standard;
};

/// Returns a cube; it is distorted unless a side is guided.
inline std::unique_ptr<Mesh<3>> cube(const Setting &s) {
  const double distortion = s.motion == Motion::guided ? 0. : 0.1;
  if (s.element == ElementKind::macro_cells)
    return test::divided(*test::box(CellShape::simplex, Point(1, 1, 1), {2, 2, 2}, distortion));
  return test::box(s.shape, Point(1, 1, 1), {s.n, s.n + 1, s.n}, distortion);
}

inline Body block(const Setting &s, ContactElimination elimination) {
  Material<3> cube_material = material<3>(s.young, s.laws == Laws::linear);
  cube_material.element = s.element;
  Body body(cube(s), cube_material, dealii::Tensor<1, 3>({0.1, 0.2, -1.}));
  const Scheme &named = scheme(s.scheme);
  body.add_contact("bottom", Body::ground(s.motion == Motion::falling ? -0.02 : 0.), named.law,
                   {s.restitution, 0., 0.}, s.friction);
  body.use(named);
  body.choices.theta = s.theta;
  if (s.is_redistributed)
    body.bodies->redistribute_inertia(*body.bodies->elastic.front(),
                                      body.mesh->region("bottom").nodes);
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

  Laws laws_of_bodies;

  Bodies(Discretisation discretisation, const std::string &scheme_name,
         ContactElimination elimination, Laws laws)
      : laws_of_bodies(laws) {
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
    const bool is_linear =
        laws_of_bodies == Laws::linear || (laws_of_bodies == Laws::mixed && elastic.empty());
    const unsigned int first =
        elastic.empty() ? 0 : elastic.back()->space.first_dof + elastic.back()->n_dofs();
    elastic.push_back(std::make_unique<ElasticBody<dim>>(
        *mesh.back(), Materials<dim>(material<dim>(40., is_linear)), first));
  }
  /// Makes the system with the bottom at rest in the last direction, and sets the velocities of the
  /// last body.
  void make(const std::string &bottom,
            const std::function<dealii::Tensor<1, dim>(const dealii::Point<dim> &)> &velocity) {
    bodies = std::make_unique<System<dim>>(std::move(elastic), std::vector<RigidBody<dim>>(),
                                           dealii::Tensor<1, dim>());
    hold(bottom, dim - 1);
    state.q.reinit(bodies->n_dofs());
    state.v.reinit(bodies->n_dofs());
    const auto &space = bodies->elastic.back()->space;
    for (unsigned int i = 0; i < space.n_nodes(); ++i)
      for (unsigned int d = 0; d < dim; ++d)
        state.v[space.node_dofs[i][d]] = velocity(space.nodes[i])[d];
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
         ContactElimination elimination, Laws laws = Laws::linear)
      : Bodies<3>(discretisation, scheme_name, elimination, laws) {
    add("lower", test::box(CellShape::simplex, Point(1.2, 1., 0.5), {4, 4, 2}, 0.1));
    add("upper", shifted(test::box(CellShape::hypercube, Point(0.8, 0.7, 0.4), {5, 4, 3}),
                         dealii::Tensor<1, 3>({0.2, 0.15, 0.505})));
    make("lower:bottom", [](const auto &x) {
      return dealii::Tensor<1, 3>({0.3 - 0.3 * x[1], 0.1, -0.6});
    });
    pair.own_side = ElasticRegion{"upper:bottom"};
    pair.opposite_side = ElasticRegions{{"lower:top"}};
  }
};

/// A half of two blocks with a plane of symmetry, whose nodes project on edges in this plane.
struct HalfBlocks : Bodies<3> {
  HalfBlocks(Discretisation discretisation, const std::string &scheme_name,
             ContactElimination elimination, Laws laws = Laws::linear)
      : Bodies<3>(discretisation, scheme_name, elimination, laws) {
    add("lower", test::box(CellShape::hypercube, Point(0.9, 1., 0.5), {3, 4, 2}));
    add("upper", shifted(test::box(CellShape::hypercube, Point(0.7, 0.7, 0.4), {4, 4, 3}),
                         dealii::Tensor<1, 3>({0., 0.17, 0.505})));
    make("lower:bottom", [](const auto &x) {
      return dealii::Tensor<1, 3>({0.1 * x[0], 0.4, -0.6});
    });
    hold("lower:left", 0);
    hold("upper:left", 0);
    pair.own_side = ElasticRegion{"upper:bottom"};
    pair.opposite_side = ElasticRegions{{"lower:top"}};
  }
};

/// The same in 2D.
struct Rectangles : Bodies<2> {
  Rectangles(Discretisation discretisation, const std::string &scheme_name,
             ContactElimination elimination, Laws laws = Laws::linear)
      : Bodies<2>(discretisation, scheme_name, elimination, laws) {
    add("lower", test::rectangle(CellShape::simplex, 1.2, 0.5, 9, 4, 0.1));
    add("upper", shifted(test::rectangle(CellShape::hypercube, 0.8, 0.4, 10, 5),
                         dealii::Tensor<1, 2>({0.23, 0.505})));
    make("lower:bottom", [](const auto &x) {
      return dealii::Tensor<1, 2>({0.3, -0.6 + 0.2 * x[0]});
    });
    pair.own_side = ElasticRegion{"upper:bottom"};
    pair.opposite_side = ElasticRegions{{"lower:top"}};
  }
};

/// A block with a slit that closes.
template <int dim>
struct SlitBlock : Bodies<dim> {
  SlitBlock(Discretisation discretisation, const std::string &scheme_name,
            ContactElimination elimination, Laws laws = Laws::linear)
      : Bodies<dim>(discretisation, scheme_name, elimination, laws) {
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
    this->pair.own_side = ElasticRegion{"slit"};
    this->pair.opposite_side = ElasticRegions{{"slit"}};
  }
};

/// Compares a system with projected and condensed contacts, and returns the counts.
template <typename System>
Counts compare_systems(Discretisation discretisation, const std::string &scheme,
                       Laws laws = Laws::linear) {
  System condensed(discretisation, scheme, ContactElimination::condensed, laws);
  System projected(discretisation, scheme, ContactElimination::projected, laws);
  return compare(condensed, projected, 60, 3e-13); // self-contact in 2D: 1.2e-13 in one step
}

} // namespace projected_contacts
