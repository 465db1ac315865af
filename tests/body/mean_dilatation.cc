// Quadrilaterals and hexahedra with one volume change: they do not lock. Numbers of an independent
// program, which assembles the deviatoric and the volumetric part apart.

#include <percussion/body/static_equilibrium.h>
#include <percussion/material/hyperelastic.h>

#include <deal.II/grid/grid_tools.h>
#include <gtest/gtest.h>

#include "support/meshes.h"
#include "support/sparse_matrices.h"
#include <cmath>

namespace mean_dilatation { // separates names from the other tests in unity builds

using namespace percussion;

constexpr double nearly_half = 0.4999;

template <int dim>
Material<dim> linear_material(double young, double poisson, ElementKind element) {
  Material<dim> m{1., 1., LinearElastic<dim>::from_young(young, poisson, Plane::strain), {}};
  m.element = element;
  return m;
}

/// Returns the law W = µ/2 (Ī₁ − 3) + κ/2 (J − 1)².
template <int dim>
Material<dim> rubber(double young, double poisson, ElementKind element) {
  Material<dim> m = linear_material<dim>(young, poisson, element);
  const double mu = 0.5 * young / (1. + poisson), bulk = young / (3. * (1. - 2. * poisson));
  m.finite_strain = FiniteStrainMaterial{MooneyRivlin{{0.5 * mu, 0., bulk}}, {}};
  return m;
}

template <int dim>
Vector affine(const Space<dim> &space) {
  Vector q(space.n_dofs());
  for (unsigned int i = 0; i < space.n_nodes(); ++i)
    for (unsigned int d = 0; d < dim; ++d)
      q[space.node_dofs[i][d]] =
          0.1 + (d + 1.) * space.nodes[i][0] - 3. * d * space.nodes[i][dim - 1] + space.nodes[i][1];
  return q;
}

template <int dim>
void fix(System<dim> &body, const std::string &region) {
  for (unsigned int d = 0; d < dim; ++d)
    body.prescribe(region, body.region(region), d, PrescribedMotion<dim>::Kind::displacement,
                   Expression("0"));
}

/// On distorted meshes, the forces of any affine displacement equal the forces of standard
/// elements, and other displacements need less.
template <int dim>
void expect_patch_test(const Mesh<dim> &mesh) {
  const System<dim> standard(mesh, linear_material<dim>(210., 0.3, ElementKind::standard), {}),
      mean(mesh, linear_material<dim>(210., 0.3, ElementKind::mean_dilatation), {});
  const Vector q = affine(standard.elastic.front()->space);
  Vector expected(q.size()), found = expected;
  multiply(standard.operators.stiffness, q, expected);
  multiply(mean.operators.stiffness, q, found);
  const double scale = expected.linfty_norm();
  found -= expected;
  EXPECT_LT(found.linfty_norm(), 1e-13 * scale);
  EXPECT_LT(test::frobenius_norm(mean.operators.stiffness),
            0.97 * test::frobenius_norm(standard.operators.stiffness));
}

TEST(MeanDilatation, PassesThePatchTest) {
  expect_patch_test<2>(*test::rectangle(CellShape::hypercube, 2, 1, 7, 5, 0.35));
  expect_patch_test<3>(*test::box(CellShape::hypercube, {2, 1, 1}, {4, 3, 3}, 0.25));
}

/// Rayleigh's β K contains the same K.
TEST(MeanDilatation, IsPartOfTheDamping) {
  const auto mesh = test::rectangle(CellShape::hypercube, 2, 1, 3, 2, 0.2);
  Material<2> material = linear_material<2>(3., 0.4, ElementKind::mean_dilatation);
  material.viscosity.beta = 0.25;
  const System<2> body(*mesh, material, {});
  const auto &K = body.operators.stiffness, &C = body.operators.viscosity;
  for (unsigned int i = 0; i < body.n_dofs(); ++i)
    for (unsigned int j = 0; j < body.n_dofs(); ++j)
      ASSERT_NEAR(C(i, j), 0.25 * K(i, j), 1e-14);
}

/// Returns the displacement of the upper right corner of Cook's membrane in n × n cells.
double cook(const Material<2> &material, unsigned int n, double load) {
  const auto mesh = test::rectangle(CellShape::hypercube, 1, 1, n, n);
  dealii::GridTools::transform(
      [](const dealii::Point<2> &x) {
        return dealii::Point<2>(48. * x[0], 44. * x[0] + x[1] * (44. - 28. * x[0]));
      },
      mesh->triangulation);
  System<2> body(*mesh, material, {});
  body.loads.add_traction(*body.elastic.front(), mesh->region("right"), 1,
                          Expression(std::to_string(load / 16.)));
  fix(body, "left");
  Preload preload;
  preload.tractions = true;
  const Vector q = static_equilibrium(body, preload, 0.);
  const Space<2> &space = body.elastic.front()->space;
  for (unsigned int i = 0; i < space.n_nodes(); ++i)
    if (space.nodes[i].distance({48., 60.}) < 1e-9)
      return q[space.node_dofs[i][1]];
  return NAN;
}

TEST(MeanDilatation, DoesNotLockInCooksMembrane) {
  const auto mean = linear_material<2>(1., nearly_half, ElementKind::mean_dilatation);
  EXPECT_NEAR(cook(mean, 4, 1.), 16.36326706, 1e-7);
  EXPECT_NEAR(cook(mean, 8, 1.), 18.29228220, 1e-7);
  EXPECT_NEAR(cook(mean, 16, 1.), 18.97728318, 1e-7);
  const auto standard = linear_material<2>(1., nearly_half, ElementKind::standard);
  EXPECT_NEAR(cook(standard, 8, 1.), 5.35028547, 1e-7);
}

/// Large deflections of rubber.
TEST(MeanDilatation, DoesNotLockInCooksMembraneOfRubber) {
  struct Row {
    double poisson;
    unsigned int n;
    double standard, mean;
  };
  for (const auto &[poisson, n, standard, mean] :
       {Row{0.3, 2, 4.1599, 5.1442}, Row{0.3, 4, 6.1234, 6.8510}, Row{0.3, 8, 7.2317, 7.5231},
        Row{nearly_half, 2, 2.1135, 4.5125}, Row{nearly_half, 4, 2.1634, 6.0199},
        Row{nearly_half, 8, 2.2191, 6.6186}}) {
    constexpr double young = 240.565, load = 100.;
    EXPECT_NEAR(cook(rubber<2>(young, poisson, ElementKind::standard), n, load), standard, 6e-5)
        << poisson << ' ' << n;
    EXPECT_NEAR(cook(rubber<2>(young, poisson, ElementKind::mean_dilatation), n, load), mean, 6e-5)
        << poisson << ' ' << n;
  }
}

/// Returns the force per shortening of a block of height 1 between rough plates, over E.
template <int dim>
double block(const Mesh<dim> &mesh, ElementKind element) {
  System<dim> body(mesh, linear_material<dim>(1., nearly_half, element), {});
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

TEST(MeanDilatation, DoesNotLockBetweenRoughPlates) {
  const auto strip = [](unsigned int n) {
    return block(*test::rectangle(CellShape::hypercube, 2, 1, n, n), ElementKind::mean_dilatation);
  };
  EXPECT_NEAR(strip(4), 5.79817157, 1e-7);
  EXPECT_NEAR(strip(8), 5.55028037, 1e-7);
  EXPECT_NEAR(strip(16), 5.43166106, 1e-7);
  const auto cube = [](unsigned int n, ElementKind element) {
    return block(*test::box(CellShape::hypercube, {2, 2, 1}, {n, n, n}), element);
  };
  EXPECT_NEAR(cube(4, ElementKind::mean_dilatation), 7.20081325, 1e-7);
  EXPECT_NEAR(cube(8, ElementKind::mean_dilatation), 6.93093761, 1e-7);
  EXPECT_NEAR(cube(4, ElementKind::standard), 423.6, 0.05);
}

/// Returns the deflection of a clamped strip of length 10 and height 1 under a parabolic shear
/// traction, over the one of Timoshenko and Goodier's cantilever, with n cells of 2:1 through its
/// height.
double cantilever(double poisson, unsigned int n, ElementKind element) {
  const auto mesh = test::rectangle(CellShape::hypercube, 10, 1, 5 * n, n);
  System<2> body(*mesh, linear_material<2>(1., poisson, element), {});
  body.loads.add_traction(*body.elastic.front(), mesh->region("right"), 1, Expression("6*y*(1-y)"));
  fix(body, "left");
  Preload preload;
  preload.tractions = true;
  const Vector q = static_equilibrium(body, preload, 0.), force = preload_force(body, preload, 0.);
  const double plane_young = 1. / (1. - poisson * poisson),
               plane_poisson = poisson / (1. - poisson);
  return (force * q) / ((4000. + 5. * (4. + 5. * plane_poisson)) / plane_young);
}

/// Bending keeps its shear stiffness: one deflection in eight is missing with two rows.
TEST(MeanDilatation, BendsAsItsReference) {
  const auto mean = ElementKind::mean_dilatation;
  EXPECT_NEAR(cantilever(0.3, 2, mean), 0.81465693, 1e-7);
  EXPECT_NEAR(cantilever(0.3, 4, mean), 0.94298937, 1e-7);
  EXPECT_NEAR(cantilever(0.49, 2, mean), 0.87786824, 1e-7);
  EXPECT_NEAR(cantilever(nearly_half, 2, mean), 0.87964108, 1e-7);
  EXPECT_NEAR(cantilever(nearly_half, 4, mean), 0.95009228, 1e-7);
  EXPECT_NEAR(cantilever(nearly_half, 4, ElementKind::standard), 0.02057746, 1e-7);
}

} // namespace mean_dilatation
