#include <percussion/algebra/cholesky.h>
#include <percussion/body/cell_stress.h>
#include <percussion/body/static_equilibrium.h>

#include <gtest/gtest.h>

#include "interpolate.h"
#include "support/meshes.h"
#include "support/second_order.h"
#include "support/sparse_matrices.h"
#include <cmath>

namespace {

using namespace percussion;
using dealii::numbers::PI;
using test::interpolate;

Material<2> elastic(Plane plane, double poisson = 0.3, LinearViscosity viscosity = {}) {
  return {7.8, 0.5, LinearElastic<2>::from_young(210., poisson, plane), viscosity};
}

struct Discretisation {
  CellShape shape;
  Plane plane;
  unsigned int order = 1;
};

class PatchTest : public ::testing::TestWithParam<Discretisation> {
protected:
  /// Returns a rectangle; of second order, its displacements are linear on the faces of a region.
  static std::unique_ptr<Mesh<2>> rectangle(double width, double height, unsigned int n,
                                            unsigned int m, double distortion,
                                            const std::vector<std::string> &linear = {"top"}) {
    auto mesh = test::rectangle(GetParam().shape, width, height, n, m, distortion);
    return GetParam().order == 1 ? std::move(mesh) : test::second_order(std::move(mesh), linear);
  }
};

/// For a linear displacement on the boundary of a distorted mesh, the inner nodes have the same
/// linear displacement, and the stress is the stress of the law everywhere.
TEST_P(PatchTest, LinearDisplacementIsReproduced) {
  const auto mesh = rectangle(2, 1, 7, 5, 0.35);
  const auto of = elastic(GetParam().plane);
  const System<2> body(*mesh, of, {});
  const auto linear = [](const dealii::Point<2> &x) -> std::array<double, 2> {
    return {{1e-2 + 2e-3 * x[0] - 3e-3 * x[1], -5e-3 + 1e-3 * x[0] + 4e-3 * x[1]}};
  };
  const Vector exact = interpolate(body.elastic.front()->space, linear);
  Preload preload;
  for (const unsigned int node : mesh->region("boundary").nodes)
    for (const unsigned int dof : body.elastic.front()->space.node_dofs[node])
      preload.displacements.emplace_back(dof, exact[dof]);
  const Vector q = static_equilibrium(body, preload, 0.);
  for (unsigned int i = 0; i < body.n_dofs(); ++i)
    EXPECT_NEAR(q[i], exact[i], 1e-12 * 1e-2);

  dealii::SymmetricTensor<2, 2> strain;
  strain[0][0] = 2e-3;
  strain[1][1] = 4e-3;
  strain[0][1] = -1e-3;
  const auto expected = of.elastic.full_stress(strain);
  const CellStress<2> stress(*body.elastic.front());
  for (unsigned int c = 0; c < stress.n_cells(); ++c)
    EXPECT_LT((stress(c, q) - expected).norm(), 1e-12 * expected.norm());
}

/// A bar under a uniform traction at its ends obeys Hooke's law exactly on any mesh.
TEST_P(PatchTest, UniaxialTractionGivesHookesStrain) {
  const auto mesh = rectangle(2, 1, 6, 4, 0.3);
  const double poisson = 0.3, traction = 0.07;
  System<2> body(*mesh, elastic(GetParam().plane, poisson), {});
  body.loads.add_traction(*body.elastic.front(), mesh->region("right"), 0, Expression("0.07"));
  Preload preload;
  preload.tractions = true;
  for (const unsigned int node : mesh->region("left").nodes)
    preload.displacements.emplace_back(body.elastic.front()->space.node_dofs[node][0], 0.);
  for (unsigned int i = 0; i < body.elastic.front()->space.n_nodes(); ++i)
    if (body.elastic.front()->space.nodes[i].norm() < 1e-12)
      preload.displacements.emplace_back(body.elastic.front()->space.node_dofs[i][1], 0.);
  const Vector q = static_equilibrium(body, preload, 0.);
  const bool stress = GetParam().plane == Plane::stress;
  const double along = traction / 210. * (stress ? 1. : 1. - poisson * poisson);
  const double across = -traction / 210. * poisson * (stress ? 1. : 1. + poisson);
  for (unsigned int i = 0; i < body.elastic.front()->space.n_nodes(); ++i) {
    EXPECT_NEAR(q[body.elastic.front()->space.node_dofs[i][0]],
                along * body.elastic.front()->space.nodes[i][0], 1e-16);
    EXPECT_NEAR(q[body.elastic.front()->space.node_dofs[i][1]],
                across * body.elastic.front()->space.nodes[i][1], 1e-16);
  }
}

TEST_P(PatchTest, RigidMotionsStoreNoEnergyAndMassIsComplete) {
  const auto mesh = rectangle(2, 1, 6, 4, 0.3);
  const System<2> body(*mesh, elastic(GetParam().plane), {});
  const auto translation =
      interpolate(body.elastic.front()->space, [](const auto &) -> std::array<double, 2> {
        return {{1., -2.}};
      });
  const auto rotation =
      interpolate(body.elastic.front()->space, [](const auto &x) -> std::array<double, 2> {
        return {{-x[1], x[0]}};
      });
  Vector product(body.n_dofs());
  for (const Vector *motion : {&translation, &rotation}) {
    multiply(body.operators.stiffness, *motion, product);
    EXPECT_LT(product.linfty_norm(), 1e-12 * test::linfty_norm(body.operators.stiffness));
  }
  const double mass = 7.8 * 0.5 * 2;
  multiply(body.operators.mass, translation, product);
  EXPECT_NEAR(dot(translation, product), 5 * mass, 1e-13 * mass);
  // The moment of inertia about the origin, ρ t ∫ x² + y², is exact, because the integrand is
  // quadratic.
  multiply(body.operators.mass, rotation, product);
  EXPECT_NEAR(dot(rotation, product), mass * (4. + 1.) / 3., 1e-12 * mass);
}

TEST_P(PatchTest, ViscousPowerOfAUniformStrainRate) {
  const auto mesh = rectangle(2, 1, 6, 4, 0.3);
  const LinearViscosity viscosity{0.6, 0.11, 0.013};
  const System<2> body(*mesh, elastic(GetParam().plane, 0.3, viscosity), {});
  const auto v =
      interpolate(body.elastic.front()->space, [](const auto &x) -> std::array<double, 2> {
        return {{0.2 * x[0] + 0.1 * x[1], 0.1 * x[0] - 0.3 * x[1]}};
      });
  const double volume = 2 * 0.5;
  const double squared = 0.2 * 0.2 + 0.3 * 0.3 + 2 * 0.1 * 0.1;
  Vector Cv(body.n_dofs()), Mv = Cv, Kv = Cv;
  multiply(body.operators.viscosity, v, Cv);
  multiply(body.operators.mass, v, Mv);
  multiply(body.operators.stiffness, v, Kv);
  EXPECT_NEAR(dot(v, Cv), 0.6 * squared * volume + 0.11 * dot(v, Mv) + 0.013 * dot(v, Kv), 1e-12);
}

/// The L2 error of u = (sin πx sin πy, sin 2πx sin πy) with its body force decreases with order 2,
/// with cells of second order with order 3.
TEST_P(PatchTest, ManufacturedSolutionConvergesWithFullOrder) {
  const unsigned int order = GetParam().order;
  std::vector<double> errors;
  for (const unsigned int n : {16u, 32u, 64u}) {
    const auto mesh = rectangle(1, 1, n / order, n / order, 0.15, {});
    const auto of = elastic(GetParam().plane);
    const System<2> body(*mesh, of, {});
    const double lambda = of.elastic.lambda, mu = of.elastic.mu;
    const auto solution = [](const dealii::Point<2> &x) -> std::array<double, 2> {
      return {{std::sin(PI * x[0]) * std::sin(PI * x[1]),
               std::sin(2 * PI * x[0]) * std::sin(PI * x[1])}};
    };
    // b = −div σ / ρ, so that M b is the load.
    const auto body_force = [&](const dealii::Point<2> &x) -> std::array<double, 2> {
      const double sx = std::sin(PI * x[0]), sy = std::sin(PI * x[1]), cx = std::cos(PI * x[0]),
                   cy = std::cos(PI * x[1]), s2 = std::sin(2 * PI * x[0]),
                   c2 = std::cos(2 * PI * x[0]);
      const double uxx = -PI * PI * sx * sy, uyy = uxx, uxy = PI * PI * cx * cy;
      const double wxx = -4 * PI * PI * s2 * sy, wyy = -PI * PI * s2 * sy,
                   wxy = 2 * PI * PI * c2 * cy;
      return {{-((lambda + 2 * mu) * uxx + mu * uyy + (lambda + mu) * wxy) / of.density,
               -((lambda + 2 * mu) * wyy + mu * wxx + (lambda + mu) * uxy) / of.density}};
    };
    Vector load(body.n_dofs()), q = load;
    multiply(body.operators.mass, interpolate(body.elastic.front()->space, body_force), load);
    std::vector<bool> held(body.n_dofs(), false);
    for (const unsigned int node : mesh->region("boundary").nodes)
      for (const unsigned int dof : body.elastic.front()->space.node_dofs[node])
        held[dof] = true;
    std::vector<unsigned int> free;
    for (unsigned int i = 0; i < body.n_dofs(); ++i)
      if (!held[i])
        free.push_back(i);
    Cholesky factor(body.operators.stiffness, free);
    factor.set_values(body.operators.stiffness);
    ASSERT_TRUE(factor.factorise());
    factor.solve(load, q);
    errors.push_back(test::l2_error(body.elastic.front()->space, q, solution));
  }
  for (std::size_t i = 1; i < errors.size(); ++i)
    EXPECT_NEAR(std::log2(errors[i - 1] / errors[i]), order + 1., 0.1)
        << errors[i - 1] << " " << errors[i];
}

std::string discretisation_name(const ::testing::TestParamInfo<Discretisation> &info) {
  const bool is_simplex = info.param.shape == CellShape::simplex;
  return std::string(info.param.order == 1 ? (is_simplex ? "T3" : "Q4")
                                           : (is_simplex ? "T6" : "Q9")) +
         (info.param.plane == Plane::strain ? "Strain" : "Stress");
}

INSTANTIATE_TEST_SUITE_P(Elements, PatchTest,
                         ::testing::Values(Discretisation{CellShape::simplex, Plane::strain},
                                           Discretisation{CellShape::simplex, Plane::stress},
                                           Discretisation{CellShape::hypercube, Plane::strain},
                                           Discretisation{CellShape::hypercube, Plane::stress},
                                           Discretisation{CellShape::simplex, Plane::strain, 2},
                                           Discretisation{CellShape::hypercube, Plane::stress, 2}),
                         discretisation_name);

} // namespace
