// Four triangles or eight tetrahedra with one volume change: they do not lock. Numbers of an
// independent program, on meshes of as many nodes.

#include <percussion/body/cell_stress.h>
#include <percussion/body/static_equilibrium.h>

#include <deal.II/grid/grid_tools.h>
#include <gtest/gtest.h>

#include "six_tetrahedra.h"
#include "support/sparse_matrices.h"
#include <cmath>

namespace macro_cells { // separates names from the other tests in unity builds

using namespace percussion;

constexpr double nearly_half = 0.4999;

template <int dim>
Material<dim> material(double young, double poisson, ElementKind element) {
  Material<dim> m{1., 1., LinearElastic<dim>::from_young(young, poisson, Plane::strain), {}};
  m.element = element;
  return m;
}

template <int dim>
void fix(System<dim> &body, const std::string &region) {
  for (unsigned int d = 0; d < dim; ++d)
    body.prescribe(region, body.region(region), d, PrescribedMotion<dim>::Kind::displacement,
                   Expression("0"));
}

TEST(MacroCells, FollowEachOtherInTheMesh) {
  const auto coarse = test::rectangle(CellShape::simplex, 2, 1, 3, 2, 0.2);
  const auto mesh = test::divided(*coarse);
  ASSERT_EQ(mesh->triangulation.n_active_cells(), 4 * coarse->triangulation.n_active_cells());
  auto child = mesh->triangulation.begin_active();
  for (const auto &cell : coarse->triangulation.active_cell_iterators()) {
    double area = 0;
    for (unsigned int c = 0; c < 4; ++c, ++child) {
      area += child->measure();
      EXPECT_NEAR(child->measure(), 0.25 * cell->measure(), 1e-14);
    }
    EXPECT_NEAR(area, cell->measure(), 1e-14);
  }
  EXPECT_EQ(mesh->region("top").faces.size(), 6u);
  EXPECT_NEAR(mesh->region("top").measure, 2., 1e-14);
  EXPECT_EQ(mesh->region("left").nodes.size(), 5u);
}

/// Affine displacements have the forces of standard elements, and rigid motions none.
template <int dim>
void expect_patch_test(const Mesh<dim> &mesh) {
  const System<dim> standard(mesh, material<dim>(210., 0.3, ElementKind::standard), {}),
      macro(mesh, material<dim>(210., 0.3, ElementKind::macro_cells), {});
  const Space<dim> &space = standard.elastic.front()->space;
  Vector q(space.n_dofs());
  for (unsigned int i = 0; i < space.n_nodes(); ++i)
    for (unsigned int d = 0; d < dim; ++d)
      q[space.node_dofs[i][d]] =
          0.3 * d + (1. + d) * space.nodes[i][0] - 2. * space.nodes[i][dim - 1];
  Vector expected(q.size()), found = expected;
  multiply(standard.operators.stiffness, q, expected);
  multiply(macro.operators.stiffness, q, found);
  const double scale = expected.linfty_norm();
  found -= expected;
  EXPECT_LT(found.linfty_norm(), 1e-13 * scale);
  EXPECT_LT(test::frobenius_norm(macro.operators.stiffness),
            0.97 * test::frobenius_norm(standard.operators.stiffness));
}

TEST(MacroCells, PassThePatchTest) {
  expect_patch_test<2>(*test::divided(*test::rectangle(CellShape::simplex, 2, 1, 4, 3, 0.3)));
  expect_patch_test<3>(*test::divided(*test::box(CellShape::simplex, {2, 1, 1}, {2, 1, 2}, 0.2)));
}

/// The mean stress of the cells of a macro-cell is κ times its volume change.
template <int dim>
void expect_one_mean_stress(Mesh<dim> &mesh) {
  dealii::GridTools::distort_random(0.1, mesh.triangulation, true, 7); // unequal volumes
  const auto law = material<dim>(210., nearly_half, ElementKind::macro_cells);
  const System<dim> body(mesh, law, {});
  const ElasticBody<dim> &elastic = *body.elastic.front();
  Vector q(elastic.space.n_dofs());
  for (unsigned int i = 0; i < q.size(); ++i)
    q[i] = std::sin(3. * i);
  const CellStress<dim> stress(elastic);
  constexpr unsigned int n = cells_per_macro_cell<dim>;
  for (unsigned int first = 0; first < stress.n_cells(); first += n) {
    const double mean = trace(stress(first, q));
    for (unsigned int c = first + 1; c < first + n; ++c)
      EXPECT_NEAR(trace(stress(c, q)), mean, 1e-10 * law.elastic.bulk_modulus());
  }
  // A volume change of dim.
  for (unsigned int i = 0; i < elastic.space.n_nodes(); ++i)
    for (unsigned int d = 0; d < dim; ++d)
      q[elastic.space.node_dofs[i][d]] = elastic.space.nodes[i][d];
  EXPECT_NEAR(trace(stress(0, q)), 3. * dim * law.elastic.bulk_modulus(),
              1e-8 * law.elastic.bulk_modulus());
}

TEST(MacroCells, HaveOneMeanStress) {
  expect_one_mean_stress<2>(*test::divided(*test::rectangle(CellShape::simplex, 2, 1, 4, 3, 0.3)));
  expect_one_mean_stress<3>(
      *test::divided(*test::box(CellShape::simplex, {2, 1, 1}, {2, 1, 2}, 0.2)));
}

/// Returns the displacement of the upper right corner of Cook's membrane.
double cook(unsigned int n, ElementKind element) {
  // Mirrored, because its diagonals go the other way; the reader orders the corners again. Middles
  // of edges are mapped as the corners are.
  auto coarse = test::rectangle(CellShape::simplex, 1, 1, n, n);
  dealii::GridTools::transform(
      [](const dealii::Point<2> &x) { return dealii::Point<2>(1. - x[0], x[1]); },
      coarse->triangulation);
  const auto mesh = test::divided(*coarse);
  dealii::GridTools::transform(
      [](const dealii::Point<2> &x) {
        return dealii::Point<2>(48. * x[0], 44. * x[0] + x[1] * (44. - 28. * x[0]));
      },
      mesh->triangulation);
  System<2> body(*mesh, material<2>(1., nearly_half, element), {});
  body.loads.add_traction(*body.elastic.front(), mesh->region("left"), 1, Expression("1/16"));
  fix(body, "right");
  Preload preload;
  preload.tractions = true;
  const Vector q = static_equilibrium(body, preload, 0.);
  const Space<2> &space = body.elastic.front()->space;
  for (unsigned int i = 0; i < space.n_nodes(); ++i)
    if (space.nodes[i].distance({48., 60.}) < 1e-9)
      return q[space.node_dofs[i][1]];
  return NAN;
}

TEST(MacroCells, DoNotLockInCooksMembrane) {
  EXPECT_NEAR(cook(2, ElementKind::macro_cells), 11.81566389, 1e-7);
  EXPECT_NEAR(cook(4, ElementKind::macro_cells), 15.74171781, 1e-7);
  EXPECT_NEAR(cook(8, ElementKind::macro_cells), 18.00300353, 1e-7);
  EXPECT_NEAR(cook(4, ElementKind::standard), 5.21, 0.005);
}

/// Returns the force per shortening of a block of height 1 between rough plates, over E.
template <int dim>
double block(const Mesh<dim> &mesh, ElementKind element) {
  System<dim> body(mesh, material<dim>(1., nearly_half, element), {});
  fix(body, "bottom");
  for (unsigned int d = 0; d < dim; ++d)
    body.prescribe("top", body.region("top"), d, PrescribedMotion<dim>::Kind::displacement,
                   Expression(d + 1 == dim ? "-1" : "0"));
  const Vector q = static_equilibrium(body, Preload{}, 0.);
  Vector force(q.size());
  multiply(body.operators.stiffness, q, force);
  double sum = 0;
  for (const unsigned int node : mesh.region("top").nodes)
    sum -= force[body.elastic.front()->space.node_dofs[node][dim - 1]];
  return sum;
}

TEST(MacroCells, DoNotLockBetweenRoughPlates) {
  const auto strip = [](unsigned int n) {
    return block(*test::divided(*test::rectangle(CellShape::simplex, 2, 1, n, n)),
                 ElementKind::macro_cells);
  };
  EXPECT_NEAR(strip(2), 5.78011307, 1e-7);
  EXPECT_NEAR(strip(4), 5.47699482, 1e-7);
  EXPECT_NEAR(strip(8), 5.41029188, 1e-7);
  const auto cube = [](unsigned int n, ElementKind element) {
    return block(*test::divided(*test::six_tetrahedra({2, 2, 1}, n)), element);
  };
  EXPECT_NEAR(cube(2, ElementKind::macro_cells), 7.99440682, 1e-7);
  EXPECT_NEAR(cube(4, ElementKind::macro_cells), 7.23041706, 1e-7);
  EXPECT_GT(cube(2, ElementKind::standard), 150.);
}

} // namespace macro_cells
