// Four triangles or eight tetrahedra with one volume change: they do not lock. Numbers of an
// independent program, on meshes of as many nodes.

#include <percussion/body/cell_stress.h>
#include <percussion/body/static_equilibrium.h>

#include <deal.II/grid/grid_tools.h>
#include <gtest/gtest.h>

#include "support/meshes.h"
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

/// Returns a box of n³ cubes in six tetrahedra each, around the diagonal of the cube.
std::unique_ptr<Mesh<3>> six_tetrahedra(const dealii::Point<3> &size, unsigned int n) {
  auto mesh = std::make_unique<Mesh<3>>();
  mesh->file = "box";
  std::vector<dealii::Point<3>> points;
  const unsigned int stride[] = {(n + 1) * (n + 1), n + 1, 1};
  for (unsigned int i = 0; i <= n; ++i)
    for (unsigned int j = 0; j <= n; ++j)
      for (unsigned int k = 0; k <= n; ++k)
        points.emplace_back(size[0] * i / n, size[1] * j / n, size[2] * k / n);
  std::vector<dealii::CellData<3>> cells;
  for (unsigned int corner = 0; corner < points.size(); ++corner) {
    if (corner / stride[0] == n || corner / stride[1] % (n + 1) == n || corner % (n + 1) == n)
      continue;
    for (const auto &axes : {std::array<unsigned int, 3>{0, 1, 2},
                             {1, 2, 0},
                             {2, 0, 1},
                             {0, 2, 1},
                             {1, 0, 2},
                             {2, 1, 0}}) {
      dealii::CellData<3> cell(4);
      cell.vertices[0] = corner;
      for (unsigned int a = 0; a < 3; ++a)
        cell.vertices[a + 1] = cell.vertices[a] + stride[axes[a]];
      const auto edge = [&](unsigned int v) {
        return points[cell.vertices[v]] - points[cell.vertices[0]];
      };
      if (cross_product_3d(edge(1), edge(2)) * edge(3) < 0.)
        std::swap(cell.vertices[0], cell.vertices[1]);
      cells.push_back(cell);
    }
  }
  mesh->triangulation.create_triangulation(points, cells, dealii::SubCellData());
  test::add_region<3>(*mesh, "bottom", [](const auto &x) { return x[2] < 1e-9; });
  test::add_region<3>(*mesh, "top", [&](const auto &x) { return x[2] > size[2] - 1e-9; });
  return mesh;
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
  EXPECT_EQ(mesh->region("left").vertices.size(), 5u);
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
  for (const unsigned int node : mesh.region("top").vertices)
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
    return block(*test::divided(*six_tetrahedra({2, 2, 1}, n)), element);
  };
  EXPECT_NEAR(cube(2, ElementKind::macro_cells), 7.99440682, 1e-7);
  EXPECT_NEAR(cube(4, ElementKind::macro_cells), 7.23041706, 1e-7);
  EXPECT_GT(cube(2, ElementKind::standard), 150.);
}

} // namespace macro_cells
