// The element that element.patch adds: constant strains are exact, no motion but a rigid one is
// free of energy, and slender and nearly incompressible bodies are not too stiff.

#include <percussion/body/static_equilibrium.h>

#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/lapack_full_matrix.h>
#include <gtest/gtest.h>

#include "cases/stepped.h"
#include "elements.h"
#include "support/meshes.h"
#include "support/sparse_matrices.h"

namespace {

using namespace percussion;

constexpr double young = 210.;

template <int dim>
Material<dim> material(double poisson, ElementKind element = ElementKind::uniform_strain) {
  return {7.8, 1., LinearElastic<dim>::from_young(young, poisson, Plane::strain), {}, {}, element};
}

std::unique_ptr<Mesh<2>> distorted(std::integral_constant<int, 2>) {
  return test::rectangle(CellShape::hypercube, 2, 1, 7, 5, 0.35);
}

std::unique_ptr<Mesh<3>> distorted(std::integral_constant<int, 3>) {
  return test::box(CellShape::hypercube, {2, 1, 1}, {4, 3, 3}, 0.25);
}

template <typename Dimension>
class UniformStrain : public testing::Test {};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(UniformStrain, Dimensions);

TYPED_TEST(UniformStrain, PassesThePatchTest) {
  constexpr int dim = TypeParam::value;
  const auto mesh = distorted(TypeParam());
  const System<dim> standard(*mesh, material<dim>(0.3, ElementKind::standard), {}),
      uniform(*mesh, material<dim>(0.3), {});
  const Space<dim> &space = standard.elastic.front()->space;
  Vector q(space.n_dofs()), expected(q.size()), found(q.size());
  for (unsigned int i = 0; i < space.n_nodes(); ++i)
    for (unsigned int d = 0; d < dim; ++d)
      q[space.node_dofs[i][d]] =
          0.2 + (d + 1.) * space.nodes[i][0] - (2. - d) * space.nodes[i][dim - 1];
  multiply(standard.operators.stiffness, q, expected);
  multiply(uniform.operators.stiffness, q, found);
  const double scale = expected.linfty_norm();
  found -= expected;
  EXPECT_LT(found.linfty_norm(), 1e-13 * scale);
  const double norm = test::frobenius_norm(standard.operators.stiffness);
  EXPECT_GT(std::abs(test::frobenius_norm(uniform.operators.stiffness) - norm), 0.01 * norm);
}

TYPED_TEST(UniformStrain, OnlyRigidMotionsHaveNoEnergy) {
  constexpr int dim = TypeParam::value;
  constexpr unsigned int n = dim == 2 ? 8 : 24, n_rigid = dim == 2 ? 3 : 6;
  const auto mesh = [] {
    if constexpr (dim == 2)
      return test::rectangle(CellShape::hypercube, 1, 1, 1, 1, 0.);
    else
      return test::box(CellShape::hypercube, {1, 1, 1}, {1, 1, 1}, 0.);
  }();
  const System<dim> body(*mesh, material<dim>(0.3), {});
  dealii::FullMatrix<double> dense(n, n);
  for (unsigned int i = 0; i < n; ++i)
    for (unsigned int j = 0; j < n; ++j) {
      dense(i, j) = body.operators.stiffness(i, j);
      EXPECT_NEAR(dense(i, j), body.operators.stiffness(j, i), 1e-13 * young);
    }
  dealii::LAPACKFullMatrix<double> eigen(n);
  eigen = dense;
  dealii::Vector<double> values;
  dealii::FullMatrix<double> vectors(n, n);
  eigen.compute_eigenvalues_symmetric(-1e6, 1e6, 0., values, vectors);
  ASSERT_EQ(values.size(), n);
  for (unsigned int i = 0; i < n_rigid; ++i)
    EXPECT_NEAR(values[i], 0., 1e-12 * young);
  EXPECT_GT(values[n_rigid], 1e-2 * young);
}

/// Returns the deflection of a cantilever of 10 squares under a force at its end, over that of a
/// beam that bends as a plate.
double deflection(ElementKind element, double poisson) {
  constexpr double length = 10, traction = 1e-3;
  const auto mesh = test::rectangle(CellShape::hypercube, length, 1, 10, 1);
  System<2> body(*mesh, material<2>(poisson, element), {});
  body.loads.add_traction(*body.elastic.front(), mesh->region("right"), 1,
                          Expression(std::to_string(traction)));
  for (unsigned int d = 0; d < 2; ++d)
    body.prescribe("left", body.region("left"), d, PrescribedMotion<2>::Kind::displacement,
                   Expression("0"));
  Preload preload;
  preload.tractions = true;
  const Vector q = static_equilibrium(body, preload, 0.);
  const unsigned int tip = mesh->region("right").nodes.front();
  return q[body.elastic.front()->space.node_dofs[tip][1]] * 3. * young /
         ((1. - poisson * poisson) * 12. * traction * length * length * length);
}

TEST(UniformStrain, BendsNearIncompressibilityWithOneRow) {
  EXPECT_LT(deflection(ElementKind::standard, 0.4999), 0.02);
  EXPECT_NEAR(deflection(ElementKind::uniform_strain, 0.4999), 1., 0.02);
}

const std::string block = R"(subsection Mesh
  set File = meshes/block_q4.msh
end
subsection Material
  set Density = 1000
  set Young modulus = 2e6
  set Poisson ratio = 0.49
  set Element = uniform strain
end
subsection Initial state
  set Velocity x = 3*y
  set Velocity y = x
end
subsection Time
  set Scheme = moreau-jean-fremond
  set Step = 5e-4
  set End = 0.2
end
)";

/// The element of a parameter file, and its energy balance in free flight.
TEST(UniformStrain, ClosesTheBalanceOfAFlyingBlock) {
  cases_in_space::Stepped<2> run(
      cases_in_space::build<2>(ParameterFile::parse(block, PERCUSSION_REPOSITORY "/flight.prm")));
  ASSERT_EQ(run.c.bodies->elastic.front()->materials.list.front().element,
            ElementKind::uniform_strain);
  const double energy = run.state.energy();
  double strain = 0;
  for (unsigned int k = 0; k < run.c.span.n_steps; ++k) {
    ASSERT_LT(std::abs(run.advance().balance_residual), 1e-13 * energy) << k;
    strain = std::max(strain, run.state.strain);
  }
  EXPECT_GT(strain, 0.1 * energy);
}

} // namespace
