// Linear elastic bodies in 3D, T4, H8, T10 and H27: the counterpart of elasticity.cc.

#include <percussion/algebra/cholesky.h>
#include <percussion/body/cell_stress.h>
#include <percussion/body/large_deformation.h>
#include <percussion/body/mass_redistribution.h>
#include <percussion/body/static_equilibrium.h>

#include <gtest/gtest.h>

#include "interpolate.h"
#include "support/meshes.h"
#include "support/second_order.h"
#include "support/sparse_matrices.h"
#include <cmath>
#include <functional>

namespace elasticity_in_space { // separates names from the 2D tests in unity builds

using namespace percussion;
using dealii::numbers::PI;
using Point = dealii::Point<3>;
using Value = std::array<double, 3>;
using Field = std::function<Value(const Point &)>;

constexpr double density = 7.8, young = 210., poisson = 0.3;

Material<3> material(LinearViscosity viscosity = {}) {
  return {density, 1., LinearElastic<3>::from_young(young, poisson, Plane::strain), viscosity};
}

Vector interpolate(const Space<3> &space, const Field &field) {
  Vector u(space.n_dofs());
  for (unsigned int i = 0; i < space.n_nodes(); ++i)
    for (unsigned int d = 0; d < 3; ++d)
      u[space.node_dofs[i][d]] = field(space.nodes[i])[d];
  return u;
}

/// Returns the translations along and rotations about x, y and z.
std::vector<Vector> rigid_motions(const Space<3> &space) {
  std::vector<Vector> motions;
  for (unsigned int d = 0; d < 3; ++d)
    motions.push_back(interpolate(space, [d](const Point &) {
      Value u{};
      u[d] = 1.;
      return u;
    }));
  for (unsigned int r = 0; r < 3; ++r)
    motions.push_back(interpolate(space, [r](const Point &x) -> Value {
      const auto lever = levers<3>(x);
      return {{lever[0][r], lever[1][r], lever[2][r]}};
    }));
  return motions;
}

struct Discretisation {
  CellShape shape;
  unsigned int order = 1;
};

class InSpace : public ::testing::TestWithParam<Discretisation> {
protected:
  /// Returns a box; of second order, its displacements are linear on the faces of a region.
  static std::unique_ptr<Mesh<3>> box(const Point &size, const std::vector<unsigned int> &n,
                                      double distortion,
                                      const std::vector<std::string> &linear = {"bottom"}) {
    auto mesh = test::box(GetParam().shape, size, n, distortion);
    return GetParam().order == 1 ? std::move(mesh) : test::second_order(std::move(mesh), linear);
  }
  std::unique_ptr<Mesh<3>> mesh = box(Point(2, 1, 1.5), {5, 3, 4}, 0.25);
  static const Space<3> &space(const System<3> &body) { return body.elastic.front()->space; }
};

const Field linear = [](const Point &x) -> Value {
  return {{1e-2 + 2e-3 * x[0] - 3e-3 * x[1] + 1e-3 * x[2],
           -5e-3 + 1e-3 * x[0] + 4e-3 * x[1] - 2e-3 * x[2],
           2e-3 - 1e-3 * x[0] + 2e-3 * x[1] + 3e-3 * x[2]}};
};

TEST_P(InSpace, LinearDisplacementIsReproduced) {
  const System<3> body(*mesh, material(), {});
  const Vector exact = interpolate(space(body), linear);
  Preload preload;
  for (const unsigned int node : mesh->region("boundary").nodes)
    for (const unsigned int dof : space(body).node_dofs[node])
      preload.displacements.emplace_back(dof, exact[dof]);
  const Vector q = static_equilibrium(body, preload, 0.);
  for (unsigned int i = 0; i < body.n_dofs(); ++i)
    EXPECT_NEAR(q[i], exact[i], 1e-12 * 1e-2);
  dealii::SymmetricTensor<2, 3> strain;
  strain[0][0] = 2e-3;
  strain[1][1] = 4e-3;
  strain[2][2] = 3e-3;
  strain[0][1] = -1e-3;
  strain[0][2] = strain[1][2] = 0.;
  const auto expected = material().elastic.full_stress(strain);
  const CellStress<3> stress(*body.elastic.front());
  for (unsigned int c = 0; c < stress.n_cells(); ++c)
    EXPECT_LT((stress(c, q) - expected).norm(), 1e-12 * expected.norm());
}

/// A bar under a traction at its end obeys Hooke's law exactly.
TEST_P(InSpace, UniaxialTractionGivesHookesStrain) {
  const double traction = 0.07;
  System<3> body(*mesh, material(), {});
  body.loads.add_traction(*body.elastic.front(), mesh->region("top"), 2, Expression("0.07"));
  Preload preload;
  preload.tractions = true;
  const std::string sides[] = {"left", "front", "bottom"};
  for (unsigned int d = 0; d < 3; ++d)
    for (const unsigned int node : mesh->region(sides[d]).nodes)
      preload.displacements.emplace_back(space(body).node_dofs[node][d], 0.);
  const Vector q = static_equilibrium(body, preload, 0.);
  for (unsigned int i = 0; i < space(body).n_nodes(); ++i)
    for (unsigned int d = 0; d < 3; ++d)
      EXPECT_NEAR(q[space(body).node_dofs[i][d]],
                  (d == 2 ? 1. : -poisson) * traction / young * space(body).nodes[i][d], 2e-16);
}

TEST_P(InSpace, RigidMotionsStoreNoEnergyAndInertiaIsComplete) {
  const System<3> body(*mesh, material(), {});
  const auto motions = rigid_motions(space(body));
  Vector motion_force(body.n_dofs());
  for (const Vector &motion : motions) {
    multiply(body.operators.stiffness, motion, motion_force);
    EXPECT_LT(motion_force.linfty_norm(), 1e-12 * test::linfty_norm(body.operators.stiffness));
  }
  // The box [0, 2] × [0, 1] × [0, 1.5]; both quadrature rules integrate these polynomials exactly.
  const double mass = density * 3., x = 1., y = 0.5, z = 0.75, xx = 4. / 3., yy = 1. / 3.,
               zz = 0.75;
  const double expected[6][6] = {{1, 0, 0, 0, z, -y},
                                 {0, 1, 0, -z, 0, x},
                                 {0, 0, 1, y, -x, 0},
                                 {0, -z, y, yy + zz, -x * y, -x * z},
                                 {z, 0, -x, -x * y, xx + zz, -y * z},
                                 {-y, x, 0, -x * z, -y * z, xx + yy}};
  for (unsigned int i = 0; i < 6; ++i)
    for (unsigned int j = 0; j < 6; ++j)
      EXPECT_NEAR(test::product(body.operators.mass, motions[i], motions[j]), mass * expected[i][j],
                  1e-12 * mass)
          << i << ' ' << j;
}

TEST_P(InSpace, DeformationIsFreeOfRigidMotions) {
  const System<3> body(*mesh, material(), {});
  const Vector strain = interpolate(space(body), [](const Point &x) -> Value {
    return {{1e-3 * x[0] * x[1], 2e-3 * x[2], -1e-3 * x[1] * x[1]}};
  });
  Vector q = strain, deformed = strain, strain_deformation = strain, K_strain = strain,
         K_q = strain;
  const auto motions = rigid_motions(space(body));
  for (unsigned int m = 0; m < 6; ++m)
    q.add(100. * (m + 1.), motions[m]);
  body.deformation(q, deformed);
  body.deformation(strain, strain_deformation);
  deformed -= strain_deformation;
  EXPECT_LT(deformed.linfty_norm(), 2e-11); // round-off of q
  multiply(body.operators.stiffness, strain, K_strain);
  multiply(body.operators.stiffness, strain_deformation, K_q);
  K_q -= K_strain;
  EXPECT_LT(K_q.linfty_norm(), 1e-12 * K_strain.linfty_norm());
}

TEST_P(InSpace, ViscousPowerOfAUniformStrainRate) {
  const System<3> body(*mesh, material({0.6, 0.11, 0.013}), {});
  const Vector v = interpolate(space(body), [](const Point &x) -> Value {
    return {{0.2 * x[0] + 0.1 * x[1], 0.1 * x[0] - 0.3 * x[1], 0.4 * x[2]}};
  });
  const double squared = 0.2 * 0.2 + 0.3 * 0.3 + 0.4 * 0.4 + 2 * 0.1 * 0.1;
  EXPECT_NEAR(test::product(body.operators.viscosity, v, v),
              0.6 * squared * 3. + 0.11 * test::product(body.operators.mass, v, v) +
                  0.013 * test::product(body.operators.stiffness, v, v),
              1e-11);
}

/// Tributary areas add up to the area, and a traction linear in position has its exact resultant
/// and moment.
TEST_P(InSpace, TractionsHaveTheirResultants) {
  System<3> body(*mesh, material(), {});
  const auto area = unit_traction(*body.elastic.front(), mesh->region("top"), 1);
  double sum = 0;
  for (const double share : area)
    sum += share;
  EXPECT_NEAR(sum, 2., 1e-14);
  body.loads.add_traction(*body.elastic.front(), mesh->region("right"), 2,
                          Expression("y + 2*z + x*t"));
  Vector force(body.n_dofs());
  body.loads.evaluate(0.5, force);
  const auto motions = rigid_motions(space(body));
  // Over y in [0, 1], z in [0, 1.5] at x = 2: ∫ y + 2 z + 1 = 0.75 + 2.25 + 1.5.
  EXPECT_NEAR(dot(force, motions[2]), 4.5, 1e-13);
  // Moment about x: ∫ y (y + 2 z + 1) = 0.5 + 1.125 + 0.75.
  EXPECT_NEAR(dot(force, motions[3]), 2.375, 1e-13);
}

/// The L2 error of u = sin πx sin πy sin πz (1, 0, 0) with its body force decreases with order 2,
/// with cells of second order with order 3.
TEST_P(InSpace, ManufacturedSolutionConvergesWithFullOrder) {
  const unsigned int order = GetParam().order;
  std::vector<double> errors;
  for (const unsigned int n : {6u / order, 12u / order}) {
    const auto cube = box(Point(1, 1, 1), {n, n, n}, 0.1, {});
    const System<3> body(*cube, material(), {});
    const double lambda = material().elastic.lambda, mu = material().elastic.mu;
    const auto s = [](double x) { return std::sin(PI * x); };
    const auto c = [](double x) { return std::cos(PI * x); };
    const Field solution = [&](const Point &x) -> Value {
      return {{s(x[0]) * s(x[1]) * s(x[2]), 0., 0.}};
    };
    // −div σ = −µ Δu − (λ + µ) ∇ div u, divided by ρ, so that M b is the load.
    const Field body_force = [&](const Point &x) -> Value {
      const double a = PI * PI / density, b = (lambda + mu) * a;
      return {{3. * mu * a * solution(x)[0] + b * solution(x)[0], -b * c(x[0]) * c(x[1]) * s(x[2]),
               -b * c(x[0]) * s(x[1]) * c(x[2])}};
    };
    std::vector<bool> is_held(body.n_dofs(), false);
    for (const unsigned int node : cube->region("boundary").nodes)
      for (const unsigned int dof : space(body).node_dofs[node])
        is_held[dof] = true;
    std::vector<unsigned int> free;
    for (unsigned int i = 0; i < body.n_dofs(); ++i)
      if (!is_held[i])
        free.push_back(i);
    Vector load(body.n_dofs()), q = load;
    multiply(body.operators.mass, interpolate(space(body), body_force), load);
    Cholesky factor(body.operators.stiffness, free);
    factor.set_values(body.operators.stiffness);
    ASSERT_TRUE(factor.factorise());
    factor.solve(load, q);
    errors.push_back(test::l2_error(space(body), q, solution));
  }
  EXPECT_GT(std::log2(errors[0] / errors[1]), order + 0.8);
  EXPECT_LT(std::log2(errors[0] / errors[1]), order + 1.6);
}

TEST_P(InSpace, LargeDeformationIsMeasuredInSpace) {
  const System<3> body(*mesh, material(), {});
  const auto &elastic = *body.elastic.front();
  EXPECT_FALSE(beyond_linear_law(elastic, interpolate(space(body), linear)));
  const auto rotated = [&](double degrees, double stretch) {
    // Rotation about (1, 2, 2)/3 by Rodrigues' formula.
    const double angle = degrees * PI / 180.;
    return interpolate(space(body), [=](const Point &x) -> Value {
      const dealii::Tensor<1, 3> k({1. / 3., 2. / 3., 2. / 3.}), y = stretch * x;
      const dealii::Tensor<1, 3> turned = std::cos(angle) * y +
                                          std::sin(angle) * cross_product_3d(k, y) +
                                          (1. - std::cos(angle)) * (k * y) * k;
      return {{turned[0] - x[0], turned[1] - x[1], turned[2] - x[2]}};
    });
  };
  const auto turned = beyond_linear_law(elastic, rotated(40., 1.));
  ASSERT_TRUE(turned);
  EXPECT_NEAR(turned->angle, 40., 1e-10);
  EXPECT_NEAR(turned->stretch, 0., 1e-12);
  EXPECT_FALSE(turned->is_inverted);
  const auto stretched = beyond_linear_law(elastic, rotated(3., 0.7));
  ASSERT_TRUE(stretched);
  EXPECT_NEAR(stretched->stretch, 0.3, 1e-12);
  const auto mirrored =
      beyond_linear_law(elastic, interpolate(space(body), [](const Point &x) -> Value {
                          return {{-2 * x[0], 0, 0}};
                        }));
  ASSERT_TRUE(mirrored);
  EXPECT_TRUE(mirrored->is_inverted);
}

/// Contact nodes lose their inertia; mass, centre and the whole inertia tensor are preserved.
TEST_P(InSpace, RedistributedMassKeepsTheInertiaTensor) {
  const auto fine = box(Point(2, 1, 1.5), {8, 5, 8}, 0.2);
  System<3> body(*fine, material(), {});
  const auto motions = rigid_motions(space(body));
  std::array<std::array<double, 6>, 6> before;
  for (unsigned int i = 0; i < 6; ++i)
    for (unsigned int j = 0; j < 6; ++j)
      before[i][j] = test::product(body.operators.mass, motions[i], motions[j]);
  const auto &nodes = fine->region("bottom").nodes;
  body.redistribute_inertia(*body.elastic.front(), nodes);
  for (unsigned int i = 0; i < 6; ++i)
    for (unsigned int j = 0; j < 6; ++j)
      EXPECT_NEAR(test::product(body.operators.mass, motions[i], motions[j]), before[i][j],
                  1e-11 * before[0][0]);
  for (const unsigned int node : nodes)
    for (const unsigned int dof : space(body).node_dofs[node])
      EXPECT_EQ(body.operators.mass(dof, dof), 0.);
}

INSTANTIATE_TEST_SUITE_P(Elasticity, InSpace,
                         ::testing::Values(Discretisation{CellShape::simplex},
                                           Discretisation{CellShape::hypercube},
                                           Discretisation{CellShape::simplex, 2},
                                           Discretisation{CellShape::hypercube, 2}),
                         [](const auto &test) {
                           const bool is_simplex = test.param.shape == CellShape::simplex;
                           return test.param.order == 1 ? (is_simplex ? "T4" : "H8")
                                                        : (is_simplex ? "T10" : "H27");
                         });

} // namespace elasticity_in_space
