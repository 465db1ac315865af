// The discrete gradient of hyperelastic, viscous bodies in 3D on T4, H8, T10 and H27: its
// identities.

#include <percussion/body/finite_strain.h>
#include <percussion/body/system.h>
#include <percussion/material/cauchy_stress.h>
#include <percussion/material/discrete_gradient.h>
#include <percussion/material/hyperelastic.h>

#include <gtest/gtest.h>

#include "support/meshes.h"
#include "support/second_order.h"
#include <cmath>
#include <functional>
#include <stdexcept>

namespace finite_strain_in_space { // separates names from the 2D tests in unity builds

using namespace percussion;
using Point = dealii::Point<3>;
using Matrix = dealii::Tensor<2, 3>;
using Deformation = std::function<Point(const Point &)>;

struct Choice {
  const char *name;
  CellShape shape;
  HyperelasticLaw law;
  FiniteViscosity viscosity;
  ElementKind element = ElementKind::standard;
  unsigned int order = 1;
};

const std::vector<Choice> choices = {
    {"T4Ogden", CellShape::simplex, Ogden{0.5, 0.15, 0.35, Plane::strain}, {}},
    {"T4NeoHookeCurnier", CellShape::simplex, NeoHooke{1.5, 0.8}, {ViscosityKind::curnier, 0.4}},
    {"H8OgdenPioletti",
     CellShape::hypercube,
     Ogden{0.5, 0.15, 0.35, Plane::strain},
     {ViscosityKind::pioletti, 0.9}},
    {"H8NeoHooke", CellShape::hypercube, NeoHooke{1.5, 0.8}, {}},
    {"H8MooneyRivlin", CellShape::hypercube, MooneyRivlin{{0.5, 0.15, 2.}}, {}},
    {"T4Yeoh", CellShape::simplex, Yeoh{{{0.7, -0.1, 0.05}, 2.}}, {}},
    {"T4ArrudaBoyceCurnier",
     CellShape::simplex,
     eight_chains(1.4, 2.5, 2.),
     {ViscosityKind::curnier, 0.4}},
    {"H8HolzapfelGasserOgden",
     CellShape::hypercube,
     HolzapfelGasserOgden{{0.8,
                           0.9,
                           1.1,
                           0.1,
                           {FibreDirection({0.6, 0.64, 0.48}), FibreDirection({0.8, -0.6, 0.})},
                           2.}},
     {}},
    {"H8MeanOgdenPioletti",
     CellShape::hypercube,
     Ogden{0.5, 0.15, 0.35, Plane::strain},
     {ViscosityKind::pioletti, 0.9},
     ElementKind::mean_dilatation},
    {"T4MacroNeoHookeCurnier",
     CellShape::simplex,
     NeoHooke{1.5, 0.8},
     {ViscosityKind::curnier, 0.4},
     ElementKind::macro_cells},
    {"T4MacroMooneyRivlin",
     CellShape::simplex,
     MooneyRivlin{{0.5, 0.15, 2.}},
     {},
     ElementKind::macro_cells},
    {"H8MeanNeoHooke", CellShape::hypercube, NeoHooke{1.5, 0.8}, {}, ElementKind::mean_dilatation},
    {"H8MeanMooneyRivlin",
     CellShape::hypercube,
     MooneyRivlin{{0.5, 0.15, 2.}},
     {},
     ElementKind::mean_dilatation},
    {"T10NeoHookeCurnier",
     CellShape::simplex,
     NeoHooke{1.5, 0.8},
     {ViscosityKind::curnier, 0.4},
     ElementKind::standard,
     2},
    {"T10MeanMooneyRivlin",
     CellShape::simplex,
     MooneyRivlin{{0.5, 0.15, 2.}},
     {},
     ElementKind::mean_dilatation,
     2},
    {"H27Yeoh", CellShape::hypercube, Yeoh{{{0.7, -0.1, 0.05}, 2.}}, {}, ElementKind::standard, 2},
    {"H27MeanOgdenPioletti",
     CellShape::hypercube,
     Ogden{0.5, 0.15, 0.35, Plane::strain},
     {ViscosityKind::pioletti, 0.9},
     ElementKind::mean_dilatation,
     2}};

/// Returns the stress of a step of uniform deformation.
SpaceTensor uniform_stress(const Choice &choice, const SpaceTensor &A0, const SpaceTensor &A1) {
  return std::visit(
      [&](const auto &law) -> SpaceTensor {
        using Law = std::decay_t<decltype(law)>;
        if constexpr (has_history<Law>)
          throw std::logic_error("laws with memory are tested elsewhere");
        else {
          if constexpr (has_volumetric_part<Law>)
            if (choice.element != ElementKind::standard) {
              const auto J = volume_change(A0, A1);
              return algorithmic_stress(law.local_part(), A0, A1) +
                     2. * law.volumetric_part().change(J.start, J.end).quotient * J.gradient;
            }
          return algorithmic_stress(law, A0, A1);
        }
      },
      choice.law);
}

const Matrix unit = dealii::unit_symmetric_tensor<3>();

/// Returns a point in a deformation that is not affine, with stretches between about 0.6 and 1.6.
Point bent(const Point &x) {
  return {1.2 * x[0] + 0.15 * x[0] * x[1] + 0.1 * std::sin(2. * x[2]),
          0.9 * x[1] - 0.1 * x[0] * x[0] + 0.1 * x[2], x[2] + 0.2 * x[0] * x[1]};
}
Point swollen(const Point &x) {
  return {1.1 * x[0] - 0.2 * x[1] + 0.05 * std::cos(3. * x[2]), 1.3 * x[1] + 0.2 * x[2],
          0.8 * x[2] + 0.1 * x[0] * x[0] - 0.2 * x[1]};
}
/// Returns the rotation about (1, 2, 2)/3.
Matrix rotation(double angle) {
  const dealii::Tensor<1, 3> k({1. / 3., 2. / 3., 2. / 3.});
  Matrix K;
  K[0][1] = -k[2];
  K[1][0] = k[2];
  K[0][2] = k[1];
  K[2][0] = -k[1];
  K[1][2] = -k[0];
  K[2][1] = k[0];
  return unit + std::sin(angle) * K + (1. - std::cos(angle)) * (K * K);
}

std::unique_ptr<Mesh<3>> make_mesh(const Choice &choice) {
  if (choice.element == ElementKind::macro_cells)
    return test::divided(*test::box(choice.shape, Point(2, 1, 1), {2, 1, 1}));
  if (choice.order == 1)
    return test::box(choice.shape, Point(2, 1, 1), {3, 2, 3}, 0.2);
  return test::second_order(test::box(choice.shape, Point(2, 1, 1), {2, 2, 2}, 0.2), {"right"});
}

class FiniteStrainInSpace : public ::testing::TestWithParam<Choice> {
protected:
  static constexpr double h = 0.3;

  std::unique_ptr<Mesh<3>> mesh = make_mesh(GetParam());
  System<3> body{*mesh,
                 Material<3>{1.,
                             1.,
                             small_strain_limit<3>(GetParam().law),
                             {},
                             FiniteStrainMaterial{GetParam().law, GetParam().viscosity},
                             GetParam().element},
                 {}};
  const Space<3> &space = body.elastic.front()->space;
  FiniteStrain<3> strains{*body.elastic.front(), 0};
  double stiffness =
      small_strain_limit<3>(GetParam().law).lambda + 2. * small_strain_limit<3>(GetParam().law).mu;

  Vector displacement(const Deformation &x) const {
    Vector q(body.n_dofs());
    for (unsigned int i = 0; i < space.n_nodes(); ++i)
      for (unsigned int d = 0; d < 3; ++d)
        q[space.node_dofs[i][d]] = x(space.nodes[i])[d] - space.nodes[i][d];
    return q;
  }
  Vector affine(const Matrix &F) const {
    return displacement([&](const Point &x) { return Point(F * x); });
  }
  Vector force(const Vector &q0, const Vector &q1) {
    Vector f(body.n_dofs());
    strains.begin_step(q0);
    EXPECT_TRUE(strains.evaluate(q1, h, f));
    return f;
  }
  dealii::Tensor<1, 3> at(const Vector &v, unsigned int node) const {
    const auto &dofs = space.node_dofs[node];
    return dealii::Tensor<1, 3>({v[dofs[0]], v[dofs[1]], v[dofs[2]]});
  }
};

TEST_P(FiniteStrainInSpace, StepsKeepTheEnergyIdentity) {
  const Vector start = displacement(bent), end = displacement(swollen);
  for (const double share : {1., 0.3, 0.01}) {
    Vector q1 = start, step = end;
    step -= start;
    step *= share;
    q1 += step;
    const Vector f = force(start, q1);
    const double before = strains.strain_energy(start), after = strains.strain_energy(q1);
    EXPECT_NEAR(dot(f, step), after - before + strains.dissipation(),
                1e-14 * (before + after + f.l2_norm() * step.l2_norm()));
    EXPECT_GE(strains.dissipation(), 0.);
    EXPECT_EQ(strains.dissipation() > 0., GetParam().viscosity.present());
  }
}

TEST_P(FiniteStrainInSpace, RigidMotionCostsNothing) {
  const Vector rest(body.n_dofs());
  for (const double angle : {0.1, 2.5}) {
    EXPECT_LT(std::abs(strains.strain_energy(affine(rotation(angle)))), 1e-14 * stiffness);
    EXPECT_LT(force(rest, affine(rotation(angle))).linfty_norm(), 1e-14 * stiffness);
  }
}

TEST_P(FiniteStrainInSpace, ForcesHaveNeitherResultantNorMomentAboutTheMiddle) {
  const Vector q0 = displacement(bent), q1 = displacement(swollen), f = force(q0, q1);
  dealii::Tensor<1, 3> resultant, moment;
  for (unsigned int i = 0; i < space.n_nodes(); ++i) {
    resultant += at(f, i);
    moment += cross_product_3d(space.nodes[i] + 0.5 * (at(q0, i) + at(q1, i)), at(f, i));
  }
  EXPECT_LT(resultant.norm(), 2e-14 * stiffness);
  EXPECT_LT(moment.norm(), 4e-14 * stiffness);
}

/// Between two affine deformations Σ f ⊗ X is the first Piola–Kirchhoff stress times the volume,
/// forces on inner nodes vanish, and the Cauchy stress is the stress of the law at a point.
TEST_P(FiniteStrainInSpace, PassesThePatchTest) {
  Matrix F0 = unit, F1 = unit;
  F0[0][1] = 0.3;
  F0[2][0] = -0.2;
  F1[1][1] = 1.4;
  F1[0][2] = 0.2;
  F1 = rotation(0.7) * F1;
  const SpaceTensor A0 = doubled_strain(Matrix(F0 - unit)), A1 = doubled_strain(Matrix(F1 - unit));
  SpaceTensor stress = uniform_stress(GetParam(), A0, A1);
  if (GetParam().viscosity.present())
    stress += GetParam().viscosity.stress(A0, A1, h);
  const Matrix expected = 2. * (0.5 * (F0 + F1) * Matrix(stress));
  const Vector f = force(affine(F0), affine(F1));
  std::vector<bool> is_outside(space.n_nodes(), false);
  for (const unsigned int node : mesh->region("boundary").nodes)
    is_outside[node] = true;
  Matrix moment;
  for (unsigned int i = 0; i < space.n_nodes(); ++i) {
    moment += outer_product(at(f, i), space.nodes[i]);
    if (!is_outside[i]) {
      EXPECT_LT(at(f, i).norm(), 2e-14 * stiffness);
    }
  }
  EXPECT_LT((moment - expected).norm(), 1e-13 * expected.norm());
  const auto cauchy = std::visit(
      [&](const auto &law) -> dealii::SymmetricTensor<2, 3> {
        if constexpr (has_history<std::decay_t<decltype(law)>>)
          throw std::logic_error("laws with memory are tested elsewhere");
        else
          return cauchy_stress(law, Matrix(F1 - unit));
      },
      GetParam().law);
  for (unsigned int cell = 0; cell < strains.n_cells(); ++cell)
    EXPECT_LT((strains.cauchy_stress(cell, affine(F1)) - cauchy).norm(), 1e-13 * stiffness);
}

/// Some columns of the tangent of the whole body are compared with differences of fourth order.
TEST_P(FiniteStrainInSpace, TangentIsTheDifferenceQuotient) {
  const unsigned int n = body.n_dofs(), m = strains.dofs_per_group();
  const Vector q0 = displacement(bent), q1 = displacement(swollen);
  force(q0, q1);
  std::vector<double> group_tangent(m * m), tangent(n * n, 0.);
  for (unsigned int group = 0; group < strains.n_groups(); ++group) {
    strains.group_tangent(group, h, group_tangent.data());
    const unsigned int *const dofs = strains.dofs_of_group(group);
    for (unsigned int i = 0; i < m; ++i)
      for (unsigned int j = 0; j < m; ++j)
        tangent[dofs[i] * n + dofs[j]] += group_tangent[i * m + j];
  }
  const double step = 2e-4;
  for (unsigned int j = 0; j < n; ++j) {
    const auto moved_by = [&](double size) {
      Vector moved = q1;
      moved[j] += size;
      return force(q0, moved);
    };
    Vector slope = moved_by(step);
    slope -= moved_by(-step);
    slope *= 8.;
    slope -= moved_by(2. * step);
    slope += moved_by(-2. * step);
    slope /= 12. * step;
    for (unsigned int i = 0; i < n; ++i)
      EXPECT_NEAR(tangent[i * n + j], slope[i], 3e-11 * stiffness);
  }
}

TEST_P(FiniteStrainInSpace, InvertedElementsAreRefused) {
  Vector f(body.n_dofs());
  strains.begin_step(Vector(body.n_dofs()));
  Matrix F = unit;
  F[2][2] = -0.1;
  EXPECT_FALSE(strains.evaluate(affine(F), h, f));
}

INSTANTIATE_TEST_SUITE_P(Laws, FiniteStrainInSpace, ::testing::ValuesIn(choices),
                         [](const auto &test) { return test.param.name; });

} // namespace finite_strain_in_space
