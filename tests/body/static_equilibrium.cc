// Equilibrium of hyperelastic bodies: its energy, and a solution in closed form.

#include <percussion/base/error.h>
#include <percussion/body/finite_strain.h>
#include <percussion/body/static_equilibrium.h>
#include <percussion/material/hyperelastic.h>

#include <gtest/gtest.h>

#include "support/meshes.h"
#include "support/second_order.h"
#include <cmath>

namespace {

using namespace percussion;

constexpr double thickness = 0.7;

template <int dim>
Material<dim> finite(const HyperelasticLaw &law, ElementKind element = ElementKind::standard) {
  return {1.,
          dim == 2 ? thickness : 1.,
          small_strain_limit<dim>(law),
          {},
          FiniteStrainMaterial{law, {ViscosityKind::curnier, 0.4}},
          element};
}

/// Holds all components of a region's nodes.
template <int dim>
void hold(const System<dim> &bodies, const std::string &name, Preload &preload) {
  const auto [body, region] = bodies.region(name);
  for (const unsigned int node : region->nodes)
    for (const unsigned int dof : body->space.node_dofs[node])
      preload.displacements.emplace_back(dof, 0.);
}

template <int dim>
struct Pulled {
  double energy, reaction;
};

/// Holds the foot, and moves the top sideways and up.
template <int dim>
Pulled<dim> pull(const System<dim> &bodies, double displacement) {
  Preload preload;
  preload.gravity = true;
  hold(bodies, "bottom", preload);
  const auto [body, top] = bodies.region("top");
  for (const unsigned int node : top->nodes) {
    preload.displacements.emplace_back(body->space.node_dofs[node][0], 0.4 * displacement);
    preload.displacements.emplace_back(body->space.node_dofs[node][dim - 1], displacement);
  }
  const Vector q = static_equilibrium(bodies, preload, 0.);
  FiniteStrain<dim> cells(*body, 0);
  Vector force(bodies.n_dofs());
  cells.begin_step(q);
  EXPECT_TRUE(cells.evaluate(q, 1., force));
  force -= bodies.loads.gravity_force(0.);
  double along = 0;
  for (const unsigned int node : top->nodes)
    along +=
        0.4 * force[body->space.node_dofs[node][0]] + force[body->space.node_dofs[node][dim - 1]];
  return {cells.strain_energy(q) - dot(q, bodies.loads.gravity_force(0.)), along};
}

/// The force on moved nodes is the derivative of the energy at equilibrium.
template <int dim>
void expect_reaction_from_energy(const Mesh<dim> &mesh, const HyperelasticLaw &law,
                                 ElementKind element = ElementKind::standard,
                                 double displacement = 0.6) {
  dealii::Tensor<1, dim> weight;
  weight[0] = -0.02;
  const System<dim> bodies(mesh, finite<dim>(law, element), weight);
  constexpr double step = 1e-4;
  const auto middle = pull(bodies, displacement), less = pull(bodies, displacement - step),
             more = pull(bodies, displacement + step);
  EXPECT_GT(std::abs(middle.reaction), 0.1);
  EXPECT_NEAR(middle.reaction, (more.energy - less.energy) / (2. * step),
              1e-6 * std::abs(middle.reaction));
}

TEST(StaticEquilibrium, HasTheReactionThatItsEnergyAsksFor) {
  for (const CellShape shape : {CellShape::simplex, CellShape::hypercube})
    for (const HyperelasticLaw &law :
         {HyperelasticLaw(Ogden{0.5, 0.15, 0.35, Plane::strain}),
          HyperelasticLaw(Ogden{0.5, 0.15, 0.35, Plane::stress}),
          HyperelasticLaw(NeoHooke{1.5, 0.8}),
          HyperelasticLaw(StVenantKirchhoff::from_young(2.1, 0.3, Plane::strain))})
      expect_reaction_from_energy(*test::rectangle(shape, 1., 1., 4, 4, 0.2), law);
}

TEST(StaticEquilibrium, HasTheReactionThatItsEnergyAsksForInSpace) {
  for (const CellShape shape : {CellShape::simplex, CellShape::hypercube})
    expect_reaction_from_energy(*test::box(shape, {1., 1., 1.}, {2, 2, 2}, 0.2),
                                NeoHooke{1.5, 0.8});
}

/// Corrections with the pressures of displacements fail at a bulk modulus of 10⁸ shear moduli.
TEST(StaticEquilibrium, IsFoundNearIncompressibility) {
  const NeoHooke rubber{8e7, 0.8};
  const auto expect = [&](const auto &mesh, ElementKind element) {
    expect_reaction_from_energy(mesh, rubber, element, -0.2);
  };
  expect(*test::rectangle(CellShape::hypercube, 2., 1., 4, 4, 0.2), ElementKind::mean_dilatation);
  expect(*test::second_order(test::rectangle(CellShape::simplex, 2., 1., 4, 4, 0.2)),
         ElementKind::mean_dilatation);
  expect(*test::box(CellShape::hypercube, {2., 2., 1.}, {2, 2, 2}, 0.2),
         ElementKind::mean_dilatation);
}

/// A column with a free end is not straight above Euler's load, π² E I / (4 L²).
TEST(StaticEquilibrium, IsLostWhereAColumnBuckles) {
  constexpr double young = 1000., width = 0.1, height = 3.;
  const auto mesh = test::rectangle(CellShape::hypercube, width, height, 4, 120);
  System<2> bodies(*mesh, finite<2>(StVenantKirchhoff::from_young(young, 0., Plane::strain)), {});
  const auto [body, top] = bodies.region("top");
  const double euler = std::pow(std::acos(-1.) / (2. * height), 2) * young * width * width / 12.;
  Preload preload;
  preload.tractions = true;
  hold(bodies, "bottom", preload);
  System<2> below(*mesh, finite<2>(StVenantKirchhoff::from_young(young, 0., Plane::strain)), {});
  below.loads.add_traction(*below.region("top").body, *below.region("top").region, 1,
                           Expression(std::to_string(-0.95 * euler)));
  EXPECT_NO_THROW(static_equilibrium(below, preload, 0.));
  bodies.loads.add_traction(*body, *top, 1, Expression(std::to_string(-1.1 * euler)));
  try {
    static_equilibrium(bodies, preload, 0.);
    FAIL() << "a column stands beyond Euler's load";
  } catch (const RunError &error) {
    EXPECT_NE(std::string(error.what()).find("there is no stable equilibrium beyond 9"),
              std::string::npos)
        << error.what();
  }
}

} // namespace
