#include <percussion/base/error.h>
#include <percussion/body/static_equilibrium.h>

#include <gtest/gtest.h>

#include "support/meshes.h"
#include <algorithm>
#include <cmath>

namespace {

using namespace percussion;

class LoadsAndMotion : public ::testing::Test {
protected:
  std::unique_ptr<Mesh<2>> mesh = test::rectangle(CellShape::simplex, 2, 1, 8, 4, 0.2);
  System<2> body{*mesh,
                 Material<2>{3., 0.5, LinearElastic<2>::from_young(1., 0.3, Plane::strain), {}},
                 dealii::Tensor<1, 2>({0.3, -9.81})};

  std::array<double, 2> resultant(const Vector &force) const {
    std::array<double, 2> sum{};
    for (const auto &dofs : body.elastic.front()->space.node_dofs)
      for (unsigned int d = 0; d < 2; ++d)
        sum[d] += force[dofs[d]];
    return sum;
  }
};

TEST_F(LoadsAndMotion, GravityIsTheWeight) {
  const auto sum = resultant(body.loads.gravity_force(0.));
  EXPECT_NEAR(sum[0], 3. * 2 * 0.5 * 0.3, 1e-13);
  EXPECT_NEAR(sum[1], 3. * 2 * 0.5 * -9.81, 1e-12);
}

TEST_F(LoadsAndMotion, TractionsIntegrateFormulasOfTimeAndPlace) {
  Loads<2> loads(Vector(body.n_dofs()));
  loads.add_traction(*body.elastic.front(), mesh->region("right"), 0, Expression("2*t"));
  loads.add_traction(*body.elastic.front(), mesh->region("top"), 1, Expression("x*x"));
  EXPECT_TRUE(loads.depend_on_time());
  Vector force;
  loads.evaluate(1.5, force);
  const auto sum = resultant(force);
  EXPECT_NEAR(sum[0], 3. * 1 * 0.5, 1e-14);
  EXPECT_NEAR(sum[1], 8. / 3. * 0.5, 1e-14); // two Gauss points for each face integrate x² exactly
  loads.evaluate(0., force);
  EXPECT_NEAR(resultant(force)[0], 0., 1e-15);
}

/// Under a uniform traction the nodes of a straight edge carry half of their adjacent faces: the
/// tributary length.
TEST_F(LoadsAndMotion, UnitTractionIsTheTributaryArea) {
  const auto area = unit_traction(*body.elastic.front(), mesh->region("bottom"), 1);
  for (const unsigned int node : mesh->region("bottom").nodes) {
    const double x = body.elastic.front()->space.nodes[node][0];
    const bool corner = x < 1e-12 || x > 2 - 1e-12;
    EXPECT_NEAR(area[body.elastic.front()->space.node_dofs[node][1]],
                0.25 * 0.5 * (corner ? 0.5 : 1.), 1e-15);
  }
}

TEST_F(LoadsAndMotion, PrescribedDisplacementIsMetExactlyAtTheEndOfAStep) {
  using Kind = PrescribedMotion<2>::Kind;
  body.prescribe("top", body.region("top"), 1, Kind::displacement, Expression("0.1*t*(1+x)"));
  body.prescribe("left", body.region("left"), 0, Kind::velocity, Expression("3*t"));
  const double t0 = 0.2, h = 0.1, theta = 0.75;
  Vector q(body.n_dofs());
  body.motion.set_displacement(t0, q);
  std::vector<double> v_theta;
  body.motion.theta_velocity(t0, t0 + h, h, theta, q, v_theta);
  const auto &dofs = body.motion.dofs();
  ASSERT_EQ(v_theta.size(), dofs.size());
  for (std::size_t i = 0; i < dofs.size(); ++i)
    q[dofs[i]] += h * v_theta[i];
  for (const unsigned int node : mesh->region("top").nodes)
    EXPECT_NEAR(q[body.elastic.front()->space.node_dofs[node][1]],
                0.1 * 0.3 * (1 + body.elastic.front()->space.nodes[node][0]), 1e-16);
  for (const unsigned int node : mesh->region("left").nodes) {
    const unsigned int dof = body.elastic.front()->space.node_dofs[node][0];
    const auto i = std::find(dofs.begin(), dofs.end(), dof) - dofs.begin();
    EXPECT_NEAR(v_theta[static_cast<std::size_t>(i)], 0.25 * 3 * t0 + 0.75 * 3 * (t0 + h), 1e-15);
  }
}

TEST_F(LoadsAndMotion, TwoRegionsMayAgreeOnACornerButNotContradict) {
  using Kind = PrescribedMotion<2>::Kind;
  body.prescribe("top", body.region("top"), 1, Kind::displacement, Expression("0"));
  const std::size_t n = body.motion.dofs().size();
  body.prescribe("left", body.region("left"), 1, Kind::displacement, Expression("0"));
  EXPECT_EQ(body.motion.dofs().size(), n + mesh->region("left").nodes.size() - 1);
  EXPECT_THROW(
      body.prescribe("right", body.region("right"), 1, Kind::displacement, Expression("t")),
      InputError);
}

TEST_F(LoadsAndMotion, StaticEquilibriumUnderItsWeight) {
  Preload preload;
  preload.gravity = true;
  EXPECT_THROW(static_equilibrium(body, preload, 0.), RunError); // the body is not held
  for (const unsigned int node : mesh->region("bottom").nodes)
    for (const unsigned int dof : body.elastic.front()->space.node_dofs[node])
      preload.displacements.emplace_back(dof, 0.);
  const Vector q = static_equilibrium(body, preload, 0.);
  Vector reaction(body.n_dofs());
  multiply(body.operators.stiffness, q, reaction);
  reaction -= body.loads.gravity_force(0.);
  EXPECT_NEAR(resultant(reaction)[1], 3. * 2 * 0.5 * 9.81, 1e-11);
  for (unsigned int i = 0; i < body.elastic.front()->space.n_nodes(); ++i) {
    if (body.elastic.front()->space.nodes[i][1] > 1e-12) {
      EXPECT_NEAR(reaction[body.elastic.front()->space.node_dofs[i][1]], 0., 1e-12);
    }
  }
}

} // namespace
