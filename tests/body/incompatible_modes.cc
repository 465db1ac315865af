// Quadrilaterals that can bend: constant strains are exact, and slender beams are not too stiff.

#include <percussion/body/static_equilibrium.h>

#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/lapack_full_matrix.h>
#include <gtest/gtest.h>

#include "support/meshes.h"
#include "support/sparse_matrices.h"
#include <cmath>

namespace {

using namespace percussion;

constexpr double young = 210., plate_thickness = 0.5;

Material<2> material(Plane plane, double poisson, bool incompatible_modes) {
  Material<2> m{7.8, plate_thickness, LinearElastic<2>::from_young(young, poisson, plane), {}};
  if (incompatible_modes)
    m.element = ElementKind::incompatible_modes;
  return m;
}

Vector affine(const Space<2> &space) {
  Vector q(space.n_dofs());
  for (unsigned int i = 0; i < space.n_nodes(); ++i) {
    const auto &x = space.nodes[i];
    q[space.node_dofs[i][0]] = 0.1 + 2. * x[0] - 3. * x[1];
    q[space.node_dofs[i][1]] = -0.5 + 1. * x[0] + 4. * x[1];
  }
  return q;
}

/// On a distorted mesh, the forces of any affine displacement equal the forces of standard
/// elements.
TEST(IncompatibleModes, PassThePatchTest) {
  const auto mesh = test::rectangle(CellShape::hypercube, 2, 1, 7, 5, 0.35);
  for (const Plane plane : {Plane::strain, Plane::stress}) {
    const System<2> standard(*mesh, material(plane, 0.3, false), {}),
        bending(*mesh, material(plane, 0.3, true), {});
    const Vector q = affine(standard.elastic.front()->space);
    Vector expected(q.size()), found = expected;
    multiply(standard.operators.stiffness, q, expected);
    multiply(bending.operators.stiffness, q, found);
    const double scale = expected.linfty_norm();
    found -= expected;
    EXPECT_LT(found.linfty_norm(), 1e-13 * scale);
    EXPECT_LT(test::frobenius_norm(bending.operators.stiffness),
              0.95 * test::frobenius_norm(standard.operators.stiffness)); // others are softer
  }
}

/// K is symmetric without negative energies, and rigid motions have no energy.
TEST(IncompatibleModes, KeepWhatAStiffnessHas) {
  const auto mesh = test::rectangle(CellShape::hypercube, 1, 1, 1, 1, 0.);
  const System<2> body(*mesh, material(Plane::strain, 0.3, true), {});
  const auto &K = body.operators.stiffness;
  dealii::FullMatrix<double> dense(8, 8);
  for (unsigned int i = 0; i < 8; ++i)
    for (unsigned int j = 0; j < 8; ++j) {
      EXPECT_NEAR(K(i, j), K(j, i), 1e-13 * young);
      dense(i, j) = K(i, j);
    }
  dealii::LAPACKFullMatrix<double> eigen(8);
  eigen = dense;
  dealii::Vector<double> values;
  dealii::FullMatrix<double> vectors(8, 8);
  eigen.compute_eigenvalues_symmetric(-1e6, 1e6, 0., values, vectors);
  ASSERT_EQ(values.size(), 8u);
  for (unsigned int i = 0; i < 3; ++i)
    EXPECT_NEAR(values[i], 0., 1e-12 * young);
  EXPECT_GT(values[3], 1e-2 * young);
}

/// Returns the tip deflection of a cantilever of length ten times its height under a shear force,
/// with two elements over its height, relative to Timoshenko's deflection with Cowper's
/// coefficient.
double tip_deflection(bool incompatible_modes, unsigned int n, unsigned int m, double poisson,
                      Plane plane) {
  constexpr double length = 10, height = 1, traction = 1e-3;
  const auto mesh = test::rectangle(CellShape::hypercube, length, height, n, m);
  System<2> body(*mesh, material(plane, poisson, incompatible_modes), {});
  body.loads.add_traction(*body.elastic.front(), mesh->region("right"), 1,
                          Expression(std::to_string(traction)));
  for (unsigned int d = 0; d < 2; ++d)
    body.prescribe("left", body.region("left"), d, PrescribedMotion<2>::Kind::displacement,
                   Expression("0"));
  Preload preload;
  preload.tractions = true;
  const Vector q = static_equilibrium(body, preload, 0.);
  double sum = 0;
  const auto &tip = mesh->region("right").nodes;
  for (const unsigned int node : tip)
    sum += q[body.elastic.front()->space.node_dofs[node][1]];
  const double E = plane == Plane::strain ? young / (1. - poisson * poisson) : young;
  const double force = traction * height * plate_thickness,
               bending = E * plate_thickness * height * height * height / 12.,
               shear = young / (2. * (1. + poisson)) * plate_thickness * height * 10. *
                       (1. + poisson) / (12. + 11. * poisson);
  return sum / static_cast<double>(tip.size()) /
         (force * length * length * length / (3. * bending) + force * length / shear);
}

TEST(IncompatibleModes, MendTheBendingOfACantilever) {
  for (const double poisson : {0., 0.3}) {
    EXPECT_LT(tip_deflection(false, 20, 2, poisson, Plane::stress), 0.96);
    EXPECT_NEAR(tip_deflection(true, 20, 2, poisson, Plane::stress), 1., 0.01);
  }
  EXPECT_NEAR(tip_deflection(true, 40, 4, 0.3, Plane::stress), 1., 0.005);
}

// ---- hexahedra ----

Material<3> solid(double poisson, ElementKind element) {
  return {7.8, 1., LinearElastic<3>::from_young(young, poisson, Plane::strain), {}, {}, element};
}

TEST(IncompatibleModesInSpace, PassThePatchTest) {
  const auto mesh = test::box(CellShape::hypercube, {2, 1, 1}, {4, 3, 3}, 0.25);
  const System<3> standard(*mesh, solid(0.3, ElementKind::standard), {}),
      bending(*mesh, solid(0.3, ElementKind::incompatible_modes), {});
  const Space<3> &space = standard.elastic.front()->space;
  Vector q(space.n_dofs());
  for (unsigned int i = 0; i < space.n_nodes(); ++i)
    for (unsigned int d = 0; d < 3; ++d)
      q[space.node_dofs[i][d]] =
          0.2 + (d + 1.) * space.nodes[i][0] - 2. * space.nodes[i][1] + 0.5 * d * space.nodes[i][2];
  Vector expected(q.size()), found = expected;
  multiply(standard.operators.stiffness, q, expected);
  multiply(bending.operators.stiffness, q, found);
  const double scale = expected.linfty_norm();
  found -= expected;
  EXPECT_LT(found.linfty_norm(), 1e-13 * scale);
  EXPECT_LT(test::frobenius_norm(bending.operators.stiffness),
            0.95 * test::frobenius_norm(standard.operators.stiffness));
}

/// Returns the deflection of a clamped bar of 10 × 1 × 1 under a shear traction, over Timoshenko's,
/// with n² hexahedra of 2 : 1 : 1 in its cross section.
double bar_deflection(ElementKind element, unsigned int n, double poisson) {
  constexpr double traction = 1e-3;
  const auto mesh = test::box(CellShape::hypercube, {10, 1, 1}, {5 * n, n, n});
  System<3> body(*mesh, solid(poisson, element), {});
  body.loads.add_traction(*body.elastic.front(), mesh->region("right"), 2,
                          Expression(std::to_string(traction)));
  for (unsigned int d = 0; d < 3; ++d)
    body.prescribe("left", body.region("left"), d, PrescribedMotion<3>::Kind::displacement,
                   Expression("0"));
  Preload preload;
  preload.tractions = true;
  const Vector q = static_equilibrium(body, preload, 0.);
  double sum = 0;
  const auto &tip = mesh->region("right").nodes;
  for (const unsigned int node : tip)
    sum += q[body.elastic.front()->space.node_dofs[node][2]];
  const double bending = young / 12.,
               shear = young / (2. * (1. + poisson)) * 10. * (1. + poisson) / (12. + 11. * poisson);
  return sum / static_cast<double>(tip.size()) /
         (traction * (1000. / (3. * bending) + 10. / shear));
}

TEST(IncompatibleModesInSpace, MendTheBendingOfABar) {
  EXPECT_LT(bar_deflection(ElementKind::standard, 1, 0.), 0.6);
  EXPECT_NEAR(bar_deflection(ElementKind::incompatible_modes, 1, 0.), 1., 0.015);
  // The clamp cannot contract, which takes about 2 % of the deflection.
  const double finer = bar_deflection(ElementKind::incompatible_modes, 4, 0.3);
  EXPECT_NEAR(finer, 0.98, 0.01);
  EXPECT_NEAR(bar_deflection(ElementKind::incompatible_modes, 2, 0.3), finer, 0.01);
  EXPECT_LT(bar_deflection(ElementKind::standard, 2, 0.3), 0.9);
}

/// Standard elements lock in a nearly incompressible material; incompatible modes do not.
TEST(IncompatibleModes, DoNotLockNearIncompressibility) {
  const double converged = tip_deflection(true, 80, 8, 0.4999, Plane::strain);
  EXPECT_NEAR(converged, 1., 0.03); // the clamp cannot contract
  EXPECT_LT(tip_deflection(false, 20, 2, 0.4999, Plane::strain), 0.5 * converged);
  EXPECT_NEAR(tip_deflection(true, 20, 2, 0.4999, Plane::strain), converged, 0.03);
}

} // namespace
