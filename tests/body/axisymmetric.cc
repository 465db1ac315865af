// Bodies of revolution: identities of energy and work, patch tests, and thick tubes.

#include <percussion/body/cell_stress.h>
#include <percussion/body/finite_strain.h>
#include <percussion/body/static_equilibrium.h>
#include <percussion/material/hyperelastic.h>

#include <gtest/gtest.h>

#include "support/meshes.h"
#include "support/sparse_matrices.h"
#include <cmath>
#include <random>

namespace axisymmetric { // separates names from the other tests in unity builds

using namespace percussion;

constexpr double pi = dealii::numbers::PI;

struct Choice {
  const char *name;
  CellShape shape;
  HyperelasticLaw law;
  ElementKind element = ElementKind::standard;
  FiniteViscosity viscosity = {};
};

const Ogden ogden{0.5, 0.15, 0.35, Plane::strain};
const NeoHooke neo_hooke{1.5, 0.8};
const auto st_venant = StVenantKirchhoff::from_young(2.1, 0.3, Plane::strain);
const MooneyRivlin mooney_rivlin{{0.5, 0.15, 2.}};
const Yeoh yeoh{{{0.7, -0.1, 0.05}, 2.}};
const ArrudaBoyce arruda_boyce = eight_chains(1.4, 2.5, 2.);
const HolzapfelGasserOgden artery{
    {0.8, 0.5, 0.4, 0.1, {FibreDirection({0., 0.6, 0.8}), FibreDirection({0., -0.6, 0.8})}, 2.}};
const Elastoplastic metal{{1., 0.02, 0.05, 0.02, 10., 0.05, 0.01}, 3.};
const Viscoelastic rubber{0.6, 3., {{0.4, 0.3}, {0.2, 0.01}}};
constexpr double h = 0.1;

const std::vector<Choice> choices = {
    {"T3 Ogden", CellShape::simplex, ogden},
    {"Q4 Ogden", CellShape::hypercube, ogden, ElementKind::standard, {ViscosityKind::curnier, 0.4}},
    {"Q4 neo-Hooke", CellShape::hypercube, neo_hooke},
    {"T3 neo-Hooke",
     CellShape::simplex,
     neo_hooke,
     ElementKind::standard,
     {ViscosityKind::pioletti, 0.9}},
    {"Q4 St. Venant-Kirchhoff", CellShape::hypercube, st_venant},
    {"Q4 Mooney-Rivlin", CellShape::hypercube, mooney_rivlin},
    {"T3 Yeoh", CellShape::simplex, yeoh},
    {"Q4 Arruda-Boyce", CellShape::hypercube, arruda_boyce},
    {"Q4 artery", CellShape::hypercube, artery},
    {"Q4 mean Ogden", CellShape::hypercube, ogden, ElementKind::mean_dilatation},
    {"Q4 mean neo-Hooke", CellShape::hypercube, neo_hooke, ElementKind::mean_dilatation},
    {"macro T3 Mooney-Rivlin", CellShape::simplex, mooney_rivlin, ElementKind::macro_cells},
    {"macro T3 artery", CellShape::simplex, artery, ElementKind::macro_cells},
    {"T3 metal", CellShape::simplex, metal},
    {"Q4 mean metal", CellShape::hypercube, metal, ElementKind::mean_dilatation},
    {"macro T3 metal", CellShape::simplex, metal, ElementKind::macro_cells},
    {"Q4 rubber", CellShape::hypercube, rubber},
    {"Q4 mean rubber", CellShape::hypercube, rubber, ElementKind::mean_dilatation}};

Material<2> revolved(const HyperelasticLaw &law, ElementKind element = ElementKind::standard,
                     const FiniteViscosity &viscosity = {}) {
  Material<2> material{1., 1., small_strain_limit(law), {}};
  material.finite_strain = FiniteStrainMaterial{law, viscosity};
  material.element = element;
  material.is_axisymmetric = true;
  return material;
}

Material<2> linear(double young, double poisson, ElementKind element = ElementKind::standard) {
  Material<2> material{1., 1., LinearElastic<2>::from_young(young, poisson, Plane::strain), {}};
  material.element = element;
  material.is_axisymmetric = true;
  return material;
}

/// Returns the section of a solid cylinder of radius 1 and length 2.
std::unique_ptr<Mesh<2>> cylinder(CellShape shape, ElementKind element) {
  if (element == ElementKind::macro_cells)
    return test::divided(*test::rectangle(shape, 1, 2, 2, 3, 0.2));
  return test::rectangle(shape, 1, 2, 3, 5, 0.2);
}

/// Cylinder with its axis held, in a deformation from which steps begin.
struct Cylinder {
  explicit Cylinder(const Choice &choice)
      : mesh(cylinder(choice.shape, choice.element)),
        system(*mesh, revolved(choice.law, choice.element, choice.viscosity), {}),
        cells(*system.elastic.front(), 0), q0(system.n_dofs()), force(system.n_dofs()) {
    system.hold_axis();
  }
  /// Returns q0 moved at random, except across the axis.
  Vector moved(double size) {
    Vector q = q0;
    for (unsigned int i = 0; i < q.size(); ++i)
      if (!system.motion.is_prescribed(i))
        q[i] += std::uniform_real_distribution<>(-size, size)(engine);
    return q;
  }
  bool evaluate(const Vector &q1) {
    force = 0.;
    return cells.evaluate(q1, h, force);
  }
  /// Flows to a random deformation, where the next steps begin.
  void flow() {
    cells.begin_step(q0);
    q0 = moved(0.06);
    ASSERT_TRUE(evaluate(q0));
    cells.write_history(history);
    cells.set_history(history);
    cells.begin_step(q0);
  }
  /// Returns the product of the tangent at the last step with a direction.
  Vector tangent_times(const Vector &direction) const {
    Vector product(direction.size());
    const unsigned int n = cells.dofs_per_group();
    std::vector<double> tangent(std::size_t(n) * n);
    for (unsigned int group = 0; group < cells.n_groups(); ++group) {
      cells.group_tangent(group, h, tangent.data());
      const unsigned int *const dofs = cells.dofs_of_group(group);
      for (unsigned int i = 0; i < n; ++i)
        for (unsigned int j = 0; j < n; ++j)
          product[dofs[i]] += tangent[i * n + j] * direction[dofs[j]];
    }
    return product;
  }

  std::unique_ptr<Mesh<2>> mesh;
  System<2> system;
  FiniteStrain<2> cells;
  Vector q0, force;
  std::vector<double> history;
  std::mt19937 engine{3};
};

/// f · (q1 − q0) = ΔE + loss, and the forces have no resultant along the axis.
TEST(Axisymmetric, WorkOfForcesIsEnergyAndLoss) {
  for (const Choice &choice : choices) {
    Cylinder body(choice);
    body.flow();
    for (const double size : {1e-5, 1e-3, 0.05}) {
      const Vector q1 = body.moved(size);
      ASSERT_TRUE(body.evaluate(q1)) << choice.name;
      std::vector<double> history1;
      body.cells.write_history(history1);
      Vector step = q1;
      step -= body.q0;
      const double energy0 = body.cells.strain_energy(body.q0, body.history),
                   energy1 = body.cells.strain_energy(q1, history1),
                   loss = body.cells.dissipation() + body.cells.plastic_loss();
      EXPECT_NEAR(dot(body.force, step), energy1 - energy0 + loss, 2e-14 * (energy0 + energy1))
          << choice.name << ' ' << size;
      EXPECT_EQ(loss > 0., choice.viscosity.present() || n_history(choice.law) > 0) << choice.name;
      double axial = 0;
      for (const auto &dofs : body.system.elastic.front()->space.node_dofs)
        axial += body.force[dofs[1]];
      EXPECT_LT(std::abs(axial), 1e-13 * body.force.l2_norm()) << choice.name;
    }
  }
}

TEST(Axisymmetric, TangentIsDerivativeOfForces) {
  constexpr double delta = 3e-7; // round-off of 3e-10, and small beside the strain of yielding
  for (const Choice &choice : choices) {
    Cylinder body(choice);
    body.flow();
    for (const double size : {0.01, 0.05}) {
      const Vector q1 = body.moved(size);
      Vector direction = body.moved(1.);
      direction -= body.q0;
      Vector ahead = q1, behind = q1;
      ahead.add(delta, direction);
      behind.add(-delta, direction);
      ASSERT_TRUE(body.evaluate(ahead));
      Vector difference = body.force;
      ASSERT_TRUE(body.evaluate(behind));
      difference -= body.force;
      difference /= 2. * delta;
      ASSERT_TRUE(body.evaluate(q1));
      Vector derivative = body.tangent_times(direction);
      derivative -= difference;
      EXPECT_LT(derivative.l2_norm(), 1e-8 * difference.l2_norm()) << choice.name << ' ' << size;
    }
  }
}

/// Points beyond the axis are inverted, although a cell that is also turned inside out in the plane
/// keeps a positive determinant.
TEST(Axisymmetric, StepsBeyondTheAxisFail) {
  Cylinder body({"Q4", CellShape::hypercube, neo_hooke});
  Vector q1 = body.q0;
  const Space<2> &space = body.system.elastic.front()->space;
  for (unsigned int i = 0; i < space.n_nodes(); ++i)
    q1[space.node_dofs[i][0]] = -2. * space.nodes[i][0];
  body.cells.begin_step(body.q0);
  EXPECT_FALSE(body.evaluate(q1));
}

TEST(Axisymmetric, MassAndAreasAreThoseOfTheCylinder) {
  for (const CellShape shape : {CellShape::simplex, CellShape::hypercube}) {
    const auto mesh = test::rectangle(shape, 1, 2, 3, 5, 0.2);
    const System<2> system(*mesh, linear(1., 0.3), dealii::Tensor<1, 2>({0., -10.}));
    const ElasticBody<2> &body = *system.elastic.front();
    Vector weight(system.n_dofs());
    system.loads.evaluate(0., weight);
    double sum = 0;
    for (const auto &dofs : body.space.node_dofs)
      sum += weight[dofs[1]];
    EXPECT_NEAR(sum, -10. * 2. * pi, 1e-13);
    for (const auto &[name, expected] :
         {std::pair{"right", 4. * pi}, std::pair{"top", pi}, std::pair{"left", 0.}}) {
      double area = 0;
      for (const double node_area : tributary_areas(body, mesh->region(name)))
        area += node_area;
      EXPECT_NEAR(area, expected, 1e-14 * 4. * pi) << name;
    }
  }
}

/// Radial stretch a and axial stretch b everywhere; the third direction stretches as the radius.
Vector stretched(const Space<2> &space, double a, double b) {
  Vector q(space.n_dofs());
  for (unsigned int i = 0; i < space.n_nodes(); ++i)
    for (unsigned int d = 0; d < 2; ++d)
      q[space.node_dofs[i][d]] = ((d == 0 ? a : b) - 1.) * space.nodes[i][d];
  return q;
}

/// The largest force on inner nodes, and on nodes of the axis along it.
double inner_force(const Mesh<2> &mesh, const Space<2> &space, const Vector &force) {
  std::vector<bool> is_outer(space.n_nodes(), false);
  for (const std::string name : {"right", "top", "bottom"})
    for (const unsigned int node : mesh.region(name).nodes)
      is_outer[node] = true;
  double largest = 0;
  for (unsigned int i = 0; i < space.n_nodes(); ++i)
    for (unsigned int d = 0; d < 2; ++d)
      if (!is_outer[i] && !(d == 0 && space.nodes[i][0] == 0.))
        largest = std::max(largest, std::abs(force[space.node_dofs[i][d]]));
  return largest;
}

/// A uniform stretch on distorted cells is in equilibrium, and has the energy and the Cauchy stress
/// of a point in 3D.
TEST(Axisymmetric, UniformStretchIsInEquilibrium) {
  constexpr double a = 1.3, b = 0.8;
  SpaceTensor A = symmetric(a * a - 1., b * b - 1., a * a - 1., 0., 0., 0.);
  for (const Choice &choice : choices) {
    if (n_history(choice.law) > 0)
      continue;
    Cylinder body(choice);
    const Space<2> &space = body.system.elastic.front()->space;
    const Vector q = stretched(space, a, b);
    body.cells.begin_step(q);
    ASSERT_TRUE(body.evaluate(q));
    const auto [energy, S] = std::visit(
        [&](const auto &law) -> std::pair<double, SpaceTensor> {
          if constexpr (has_history<std::decay_t<decltype(law)>>)
            return {};
          else
            return {law.energy(A), law.stress(A)};
        },
        choice.law);
    if (!std::holds_alternative<HolzapfelGasserOgden>(choice.law)) { // its hoop stress is larger
      EXPECT_LT(inner_force(*body.mesh, space, body.force), 1e-13 * body.force.linfty_norm())
          << choice.name;
    }
    EXPECT_NEAR(body.cells.strain_energy(q), 2. * pi * energy, 1e-13) << choice.name;
    const CellStress<2> stress(*body.system.elastic.front());
    for (unsigned int cell = 0; cell < stress.n_cells(); ++cell) {
      const auto sigma = stress(cell, q);
      EXPECT_NEAR(sigma[0][0], S[0][0] / b, 1e-12) << choice.name;
      EXPECT_NEAR(sigma[1][1], b * S[1][1] / (a * a), 1e-12) << choice.name;
      EXPECT_NEAR(sigma[2][2], S[2][2] / b, 1e-12) << choice.name;
      EXPECT_NEAR(sigma[0][1], 0., 1e-12) << choice.name;
    }
  }
}

TEST(Axisymmetric, UniformStretchOfLinearBodiesIsInEquilibrium) {
  for (const auto &[shape, element] :
       {std::pair{CellShape::simplex, ElementKind::standard},
        std::pair{CellShape::hypercube, ElementKind::standard},
        std::pair{CellShape::hypercube, ElementKind::mean_dilatation},
        std::pair{CellShape::simplex, ElementKind::macro_cells}}) {
    const auto mesh = cylinder(shape, element);
    const System<2> system(*mesh, linear(2., 0.3, element), {});
    const ElasticBody<2> &body = *system.elastic.front();
    const Vector q = stretched(body.space, 1.01, 0.98);
    Vector force(q.size());
    multiply(system.operators.stiffness, q, force);
    EXPECT_LT(inner_force(*mesh, body.space, force), 1e-13 * force.linfty_norm());
    SpaceTensor strain = symmetric(0.01, -0.02, 0.01, 0., 0., 0.);
    const SpaceTensor expected =
        LinearElastic<3>::from_young(2., 0.3, Plane::strain).stress(strain);
    EXPECT_NEAR(0.5 * dot(q, force), 2. * pi * 0.5 * (strain * expected), 1e-15);
    const CellStress<2> stress(body);
    for (unsigned int cell = 0; cell < stress.n_cells(); ++cell)
      EXPECT_LT((stress(cell, q) - expected).norm(), 1e-15);
  }
}

/// Only a translation along the axis is taken from displacements before K multiplies them.
TEST(Axisymmetric, OnlyAxialTranslationIsFree) {
  const auto mesh = test::rectangle(CellShape::hypercube, 1, 2, 3, 5, 0.2);
  const System<2> system(*mesh, linear(2., 0.3), {});
  const Space<2> &space = system.elastic.front()->space;
  Vector q(system.n_dofs()), deformed(q), force(q), expected(q);
  std::mt19937 engine{5};
  for (double &x : q)
    x = std::uniform_real_distribution<>(-0.1, 0.1)(engine);
  multiply(system.operators.stiffness, q, expected);
  for (const auto &dofs : space.node_dofs)
    q[dofs[1]] += 7.;
  system.deformation(q, deformed);
  EXPECT_LT(deformed.linfty_norm(), 0.3);
  multiply(system.operators.stiffness, deformed, force);
  force -= expected;
  EXPECT_LT(force.linfty_norm(), 1e-14);
}

/// The work of a pressure is −p times the change of the volume of revolution, and its tangent is
/// the derivative of its force.
TEST(Axisymmetric, PressureHasTheSweptVolumeAsPotential) {
  for (const CellShape shape : {CellShape::simplex, CellShape::hypercube}) {
    Cylinder body({"", shape, neo_hooke});
    const FollowerPressure<2> on_all(*body.system.elastic.front(), body.mesh->region("boundary"),
                                     Expression("0.8"));
    EXPECT_NEAR(on_all.volume(body.q0), 2. * pi, 1e-14);
    const Vector q0 = body.moved(0.2), q1 = body.moved(0.2);
    Vector force(q0.size()), path = q1;
    on_all.add_force(0.8, q0, q1, force);
    path -= q0;
    const double swept = on_all.volume(q1) - on_all.volume(q0);
    EXPECT_GT(std::abs(swept), 1e-3);
    EXPECT_NEAR(dot(force, path), -0.8 * swept, 1e-14);
    Vector derivative(q0.size()), direction = body.moved(1.), ahead = q1, behind = q1, change(q0);
    for (unsigned int face = 0; face < on_all.n_faces(); ++face) {
      const auto &dofs = on_all.dofs(face);
      std::vector<double> tangent(dofs.size() * dofs.size());
      on_all.face_tangent(face, 0.8, q0, q1, tangent.data());
      for (std::size_t i = 0; i < dofs.size(); ++i)
        for (std::size_t j = 0; j < dofs.size(); ++j)
          derivative[dofs[i]] += tangent[i * dofs.size() + j] * direction[dofs[j]];
    }
    constexpr double delta = 1e-6;
    ahead.add(delta, direction);
    behind.add(-delta, direction);
    change = 0.;
    on_all.add_force(0.8, q0, ahead, change);
    on_all.add_force(-0.8, q0, behind, change);
    change /= 2. * delta;
    change -= derivative;
    EXPECT_LT(change.l2_norm(), 1e-9 * derivative.l2_norm());
  }
}

/// Section of a tube of radii 1 and 2 that cannot become longer, one square cell in the length.
struct Tube {
  Tube(CellShape shape, unsigned int n, const Material<2> &material)
      : length(1. / n), mesh(test::rectangle(shape, 1., length, n, 1)) {
    test::move(*mesh, 0., dealii::Tensor<1, 2>({1., 0.}));
    if (material.element == ElementKind::macro_cells)
      mesh = test::divided(*mesh);
    system = std::make_unique<System<2>>(*mesh, material, dealii::Tensor<1, 2>());
    for (const std::string name : {"bottom", "top"})
      prescribe(name, 1, "0");
  }
  void prescribe(const std::string &region, unsigned int component, const std::string &formula) {
    system->prescribe(region, system->region(region), component,
                      PrescribedMotion<2>::Kind::displacement, Expression(formula));
  }

  double length;
  std::unique_ptr<Mesh<2>> mesh;
  std::unique_ptr<System<2>> system;
};

/// Lamé's tube under internal pressure: u(a) = (1 + ν)/E p a²/(b² − a²) [(1 − 2ν) a + b²/a].
TEST(Axisymmetric, TubeConvergesToLamesSolution) {
  constexpr double E = 3., nu = 0.3, p = 0.1;
  const double exact = (1. + nu) / E * p / 3. * (1. - 2. * nu + 4.);
  double last = 0;
  for (const unsigned int n : {4u, 8u, 16u}) {
    Tube tube(CellShape::hypercube, n, linear(E, nu));
    tube.system->loads.add_traction(*tube.system->elastic.front(), tube.mesh->region("left"), 0,
                                    Expression("0.1"));
    Preload preload;
    preload.tractions = true;
    const Vector q = static_equilibrium(*tube.system, preload, 0.);
    const auto &space = tube.system->elastic.front()->space;
    const unsigned int node = tube.mesh->region("left").nodes[0];
    const double error = std::abs(q[space.node_dofs[node][0]] / exact - 1.);
    EXPECT_LT(error, 0.2 / (n * n));
    if (last > 0.) {
      EXPECT_NEAR(std::log2(last / error), 2., 0.1);
    }
    last = error;
  }
}

/// Inflated neo-Hookean tubes of ν = 0.4999: pressures at inner radii of 1.5 and 2 of an
/// independent program; the closed form of ν = ½ is 0.42823 and 0.57405.
TEST(Axisymmetric, InflatedTubeHasTheClosedFormsPressure) {
  struct Row {
    CellShape shape;
    ElementKind element;
    unsigned int n;
    double p_at_1_5, p_at_2;
  };
  constexpr double nu = 0.4999, bulk = 2. * (1. + nu) / (3. * (1. - 2. * nu));
  for (const Row &row :
       {Row{CellShape::hypercube, ElementKind::mean_dilatation, 4, 0.42845, 0.57352},
        Row{CellShape::hypercube, ElementKind::mean_dilatation, 8, 0.42826, 0.57386},
        Row{CellShape::hypercube, ElementKind::mean_dilatation, 16, 0.42821, 0.57395}})
    for (const auto &[a, expected] : {std::pair{1.5, row.p_at_1_5}, std::pair{2., row.p_at_2}}) {
      Tube tube(row.shape, row.n, revolved(MooneyRivlin{{0.5, 0., bulk}}, row.element));
      tube.prescribe("left", 0, a == 1.5 ? "0.5" : "1");
      const Vector q = static_equilibrium(*tube.system, {}, 0.);
      FiniteStrain<2> cells(*tube.system->elastic.front(), 0);
      Vector force(q.size());
      cells.begin_step(q);
      ASSERT_TRUE(cells.evaluate(q, 1., force));
      double radial = 0;
      for (const unsigned int node : tube.mesh->region("left").nodes)
        radial += force[tube.system->elastic.front()->space.node_dofs[node][0]];
      EXPECT_NEAR(radial / (2. * pi * a * tube.length), expected, 6e-6) << row.n << ' ' << a;
    }
}

} // namespace axisymmetric
