// Directions of fibres that vary over a body: identities of energy, work and frame.

#include <percussion/body/cell_stress.h>
#include <percussion/body/finite_strain.h>
#include <percussion/body/system.h>
#include <percussion/material/hyperelastic.h>

#include <deal.II/grid/grid_tools.h>
#include <gtest/gtest.h>

#include "support/meshes.h"
#include "support/second_order.h"
#include <cmath>
#include <random>

namespace fibre_fields { // separates names from the other tests in unity builds

using namespace percussion;

const HolzapfelGasserOgden artery{
    {0.8, 0.5, 0.4, 0.1, {FibreDirection({0.6, 0.64, 0.48}), FibreDirection({0.8, -0.6, 0.})}, 2.}};
constexpr double h = 0.1;

struct Choice {
  const char *name;
  CellShape shape;
  ElementKind element = ElementKind::standard;
  unsigned int order = 1;
  bool is_axisymmetric = false;
};

const std::vector<Choice> plane_choices = {
    {"T3", CellShape::simplex},
    {"Q4", CellShape::hypercube},
    {"Q4 mean", CellShape::hypercube, ElementKind::mean_dilatation},
    {"T3 macro", CellShape::simplex, ElementKind::macro_cells},
    {"T6", CellShape::simplex, ElementKind::standard, 2},
    {"Q9 mean", CellShape::hypercube, ElementKind::mean_dilatation, 2},
    {"Q4 revolved", CellShape::hypercube, ElementKind::standard, 1, true},
    {"Q4 mean revolved", CellShape::hypercube, ElementKind::mean_dilatation, 1, true},
    {"T3 macro revolved", CellShape::simplex, ElementKind::macro_cells, 1, true}};
const std::vector<Choice> space_choices = {
    {"T4", CellShape::simplex},
    {"H8 mean", CellShape::hypercube, ElementKind::mean_dilatation},
    {"T4 macro", CellShape::simplex, ElementKind::macro_cells},
    {"T10 mean", CellShape::simplex, ElementKind::mean_dilatation, 2},
    {"H27 mean", CellShape::hypercube, ElementKind::mean_dilatation, 2}};
template <int dim>
const std::vector<Choice> &choices() {
  return dim == 2 ? plane_choices : space_choices;
}

/// Returns the mesh of a choice before displacements of second order.
template <int dim>
std::unique_ptr<Mesh<dim>> make_linear_mesh(const Choice &choice) {
  const bool is_coarse = choice.element == ElementKind::macro_cells || choice.order == 2;
  std::unique_ptr<Mesh<dim>> mesh;
  if constexpr (dim == 2)
    mesh = test::rectangle(choice.shape, 1, 2, is_coarse ? 2 : 3, is_coarse ? 3 : 5, 0.2);
  else {
    const unsigned int n = is_coarse ? 1 : 2;
    mesh = test::box(choice.shape, dealii::Point<3>(1, 2, 1), {n, 2, n}, 0.2);
  }
  return choice.element == ElementKind::macro_cells ? test::divided(*mesh) : std::move(mesh);
}
template <int dim>
std::unique_ptr<Mesh<dim>> make_mesh(const Choice &choice) {
  auto mesh = make_linear_mesh<dim>(choice);
  return choice.order == 2 ? test::second_order(std::move(mesh)) : std::move(mesh);
}

/// Returns unit vectors whose angles change by about 1 over the body.
template <int dim>
FibreDirections curved_fibres(unsigned int, const dealii::Point<dim> &x) {
  FibreDirections fibres;
  for (unsigned int i = 0; i < 2; ++i) {
    const double angle = 0.4 + 2. * i + 1.1 * x[0] - 0.5 * x[1], height = 0.3 * x[1] - 0.2 * i;
    fibres[i] = FibreDirection(
        {std::cos(angle) * std::cos(height), std::sin(angle) * std::cos(height), std::sin(height)});
  }
  return fibres;
}

template <int dim>
Material<dim> fibrous(const Choice &choice, const FibreField<dim> &field) {
  Material<dim> material{1., 1., small_strain_limit<dim>(artery), {}};
  material.finite_strain = FiniteStrainMaterial{artery, {}};
  material.element = choice.element;
  material.is_axisymmetric = choice.is_axisymmetric;
  material.fibre_field = field;
  return material;
}

/// Body in a random deformation q0, from which steps begin.
template <int dim>
struct Body {
  Body(const Choice &choice, const FibreField<dim> &field,
       std::unique_ptr<Mesh<dim>> given_mesh = nullptr)
      : mesh(given_mesh ? std::move(given_mesh) : make_mesh<dim>(choice)),
        system(*mesh, fibrous(choice, field), {}), cells(*system.elastic.front(), 0),
        q0(system.n_dofs()), force(system.n_dofs()) {
    system.hold_axis();
    q0 = moved(0.04);
    cells.begin_step(q0);
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

  std::unique_ptr<Mesh<dim>> mesh;
  System<dim> system;
  FiniteStrain<dim> cells;
  Vector q0, force;
  std::mt19937 engine{3};
};

template <int dim>
Vector tangent_times(const FiniteStrain<dim> &cells, const Vector &direction) {
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

template <typename Dimension>
class FibreFields : public ::testing::Test {
protected:
  static constexpr int dim = Dimension::value;
};
using Dimensions = ::testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(FibreFields, Dimensions);

TYPED_TEST(FibreFields, ConstantFieldHasTheBytesOfTheLaw) {
  constexpr int dim = TestFixture::dim;
  for (const Choice &choice : choices<dim>()) {
    Body<dim> constant(choice, nullptr),
        varying(choice, [](unsigned int, const auto &) { return artery.fibres; });
    const Vector q1 = constant.moved(0.05);
    ASSERT_TRUE(constant.evaluate(q1) && varying.evaluate(q1)) << choice.name;
    EXPECT_EQ(constant.cells.strain_energy(q1), varying.cells.strain_energy(q1)) << choice.name;
    varying.force -= constant.force;
    EXPECT_EQ(varying.force.linfty_norm(), 0.) << choice.name;
  }
}

TYPED_TEST(FibreFields, WorkOfForcesIsTheChangeOfEnergy) {
  constexpr int dim = TestFixture::dim;
  for (const Choice &choice : choices<dim>()) {
    Body<dim> body(choice, curved_fibres<dim>), straight(choice, nullptr);
    for (const double size : {1e-5, 1e-3, 0.04}) {
      const Vector q1 = body.moved(size);
      ASSERT_TRUE(body.evaluate(q1)) << choice.name;
      Vector step = q1;
      step -= body.q0;
      const double energy0 = body.cells.strain_energy(body.q0),
                   energy1 = body.cells.strain_energy(q1);
      EXPECT_NEAR(dot(body.force, step), energy1 - energy0, 2e-14 * (energy0 + energy1))
          << choice.name << ' ' << size;
      EXPECT_GT(std::abs(energy1 - straight.cells.strain_energy(q1)), 1e-4 * energy1)
          << choice.name; // the fibres bear a load
    }
  }
}

TYPED_TEST(FibreFields, TangentIsDerivativeOfForces) {
  constexpr int dim = TestFixture::dim;
  constexpr double delta = 3e-7;
  for (const Choice &choice : choices<dim>()) {
    Body<dim> body(choice, curved_fibres<dim>);
    const Vector q1 = body.moved(0.03);
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
    Vector derivative = tangent_times(body.cells, direction);
    derivative -= difference;
    EXPECT_LT(derivative.l2_norm(), 1e-8 * difference.l2_norm()) << choice.name;
  }
}

/// Directions by cells are those of as many materials.
TYPED_TEST(FibreFields, FieldOfCellsIsThatOfTwoMaterials) {
  constexpr int dim = TestFixture::dim;
  for (const Choice &choice : choices<dim>()) {
    if (choice.element == ElementKind::macro_cells)
      continue; // whose cells have one material
    const auto fibres_of_cell = [](unsigned int cell, const auto &) {
      return cell % 3 == 0 ? FibreDirections{artery.fibres[1], FibreDirection({0., 0., 1.})}
                           : artery.fibres;
    };
    Body<dim> body(choice, fibres_of_cell);
    HolzapfelGasserOgden second = artery;
    second.fibres = fibres_of_cell(0, dealii::Point<dim>());
    std::vector<Material<dim>> materials(2, fibrous<dim>(choice, nullptr));
    materials[1].finite_strain = FiniteStrainMaterial{second, {}};
    std::vector<unsigned int> number(body.mesh->triangulation.n_active_cells());
    for (unsigned int cell = 0; cell < number.size(); ++cell)
      number[cell] = cell % 3 == 0 ? 1 : 0;
    const System<dim> system(*body.mesh, Materials<dim>(materials, number), {});
    const Vector q1 = body.moved(0.05);
    const double energy = FiniteStrain<dim>(*system.elastic.front(), 0).strain_energy(q1) +
                          FiniteStrain<dim>(*system.elastic.front(), 1).strain_energy(q1);
    EXPECT_NEAR(body.cells.strain_energy(q1), energy, 1e-14 * energy) << choice.name;
  }
}

dealii::Tensor<2, 3> rotation() {
  const double c = std::cos(0.9), s = std::sin(0.9), d = std::cos(-2.1), t = std::sin(-2.1);
  dealii::Tensor<2, 3> about_z, about_x;
  about_z[0][0] = about_z[1][1] = c;
  about_z[1][0] = s;
  about_z[0][1] = -s;
  about_x[1][1] = about_x[2][2] = d;
  about_x[2][1] = t;
  about_x[1][2] = -t;
  about_z[2][2] = about_x[0][0] = 1.;
  return about_x * about_z;
}

/// The undeformed body and the formula of its fibres are rotated together.
TEST(FibreFieldsInSpace, RotatedBodyHasTheSameEnergyAndRotatedForces) {
  const dealii::Tensor<2, 3> R = rotation();
  for (const Choice &choice : space_choices) {
    Body<3> body(choice, curved_fibres<3>);
    auto mesh = make_linear_mesh<3>(choice);
    mesh->triangulation.reset_all_manifolds();
    dealii::GridTools::transform([&](const auto &x) { return dealii::Point<3>(R * x); },
                                 mesh->triangulation);
    if (choice.order == 2)
      mesh = test::second_order(std::move(mesh));
    Body<3> turned(
        choice,
        [&](unsigned int cell, const dealii::Point<3> &x) {
          FibreDirections fibres = curved_fibres<3>(cell, dealii::Point<3>(transpose(R) * x));
          for (FibreDirection &fibre : fibres)
            fibre = R * fibre;
          return fibres;
        },
        std::move(mesh));
    const auto &nodes = body.system.elastic.front()->space.node_dofs;
    const auto turned_vector = [&](const Vector &v) {
      Vector result(v.size());
      for (const auto &dofs : nodes) {
        const dealii::Tensor<1, 3> w =
            R * dealii::Tensor<1, 3>({v[dofs[0]], v[dofs[1]], v[dofs[2]]});
        for (unsigned int d = 0; d < 3; ++d)
          result[dofs[d]] = w[d];
      }
      return result;
    };
    const Vector q1 = body.moved(0.04);
    turned.cells.begin_step(turned_vector(body.q0));
    ASSERT_TRUE(body.evaluate(q1) && turned.evaluate(turned_vector(q1))) << choice.name;
    const double energy = body.cells.strain_energy(q1);
    EXPECT_NEAR(turned.cells.strain_energy(turned_vector(q1)), energy, 1e-13 * energy)
        << choice.name;
    turned.force -= turned_vector(body.force);
    EXPECT_LT(turned.force.linfty_norm(), 1e-13 * body.force.l2_norm()) << choice.name;
  }
}

/// In a uniform deformation F the deformed fibres are F times the mean of the fibres.
TEST(FibreFieldsInSpace, DeformedFibresAreTheDeformationTimesTheirMean) {
  const Choice choice{"H8", CellShape::hypercube};
  Body<3> body(choice, curved_fibres<3>);
  const CellStress<3> cells(*body.system.elastic.front());
  const Space<3> &space = body.system.elastic.front()->space;
  dealii::Tensor<2, 3> F({{1.3, 0.2, -0.1}, {0., 0.9, 0.4}, {0.1, 0.3, 1.1}});
  Vector q(body.q0.size());
  const Vector rest(q);
  for (unsigned int i = 0; i < space.n_nodes(); ++i) {
    const dealii::Tensor<1, 3> u = F * space.nodes[i] - space.nodes[i];
    for (unsigned int d = 0; d < 3; ++d)
      q[space.node_dofs[i][d]] = u[d];
  }
  for (unsigned int cell = 0; cell < cells.n_cells(); ++cell)
    for (unsigned int family = 0; family < 2; ++family) {
      const FibreDirection mean = cells.deformed_fibres(cell, rest)[family];
      EXPECT_LT(mean.norm(), 1. - 1e-4); // of directions that differ
      EXPECT_GT(mean.norm(), 0.9);
      EXPECT_LT((cells.deformed_fibres(cell, q)[family] - F * mean).norm(), 1e-14);
    }
}

/// In the plane the third component of fibres does not stretch; along the circumference it does as
/// the radius.
TEST(FibreFieldsInPlane, DeformedFibresHaveTheirThirdComponent) {
  for (const bool is_axisymmetric : {false, true}) {
    const Choice choice{"Q4", CellShape::hypercube, ElementKind::standard, 1, is_axisymmetric};
    Body<2> body(choice, [](unsigned int, const auto &) { return artery.fibres; });
    const CellStress<2> cells(*body.system.elastic.front());
    const Space<2> &space = body.system.elastic.front()->space;
    Vector q(body.q0.size());
    for (unsigned int i = 0; i < space.n_nodes(); ++i) {
      q[space.node_dofs[i][0]] = 0.3 * space.nodes[i][0];
      q[space.node_dofs[i][1]] = -0.2 * space.nodes[i][1];
    }
    const FibreDirection expected({1.3 * 0.6, 0.8 * 0.64, (is_axisymmetric ? 1.3 : 1.) * 0.48});
    for (unsigned int cell = 0; cell < cells.n_cells(); ++cell)
      EXPECT_LT((cells.deformed_fibres(cell, q)[0] - expected).norm(), 1e-14);
  }
}

} // namespace fibre_fields
