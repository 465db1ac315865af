#include <percussion/cone/residual.h>

#include <gtest/gtest.h>

#include "sample_problems.h"
#include <array>

using namespace percussion;

/// Moreau's decomposition characterises the projection: x = P + N with P in the cone, N in its
/// polar cone { μ‖N_T‖ ≤ −N_N } and P ⟂ N.
TEST(CoulombCone, ProjectionObeysMoreausDecomposition) {
  sample::Random random(1);
  for (unsigned int k = 0; k < 1000; ++k) {
    const std::size_t d = 2 + k % 2;
    const double mu = k % 5 == 0 ? 0. : random(0., 2.);
    std::array<double, 3> x{random(-1., 1.), random(-1., 1.), d == 3 ? random(-1., 1.) : 0.};
    std::array<double, 3> P = x, N;
    project_on_coulomb_cone(mu, d, P.data());
    double product = 0.;
    for (std::size_t l = 0; l < 3; ++l) {
      N[l] = x[l] - P[l];
      product += P[l] * N[l];
    }
    EXPECT_LE(std::hypot(P[1], P[2]), mu * P[0] + 1e-15);
    EXPECT_GE(P[0], 0.);
    EXPECT_LE(mu * std::hypot(N[1], N[2]), -N[0] + 1e-15);
    EXPECT_NEAR(product, 0., 1e-15);
  }
}

TEST(NaturalMapResidual, HasTheValueFoundByHand) {
  FrictionContactProblem problem;
  problem.n_contacts = 1;
  problem.W = {1., 0., 0., 1.};
  problem.q = {-3., 4.};
  problem.mu = {0.5};
  // p = 0: −(u + μ|u_T| n) = (1, −4) projects on (2.4, −1.2).
  EXPECT_NEAR(natural_map_residual(problem, {0., 0.}), std::hypot(2.4, 1.2) / 6., 1e-15);
}

TEST(NaturalMapResidual, VanishesAtAnOpenContactWithoutFrictionOrTangentialVelocity) {
  FrictionContactProblem problem;
  problem.n_contacts = 1;
  problem.W = {1., 0., 0., 1.};
  problem.q = {3., 0.};
  problem.mu = {0.};
  EXPECT_EQ(natural_map_residual(problem, {0., 0.}), 0.);
}

TEST(NaturalMapResidual, VanishesAtSolutionsInThreeDimensions) {
  FrictionContactProblem problem;
  problem.dimension = 3;
  problem.n_contacts = 3;
  const std::vector<double> p{0., 0., 0., 2., 0.3, -0.4, 2., -0.6, 0.8}; // open, stick, slip
  const std::vector<double> u{1., 5., -7., 0., 0., 0., 0., 1.5, -2.};
  problem.mu = {0.5, 0.5, 0.5};
  sample::Random random(3);
  problem.W = sample::random_gram_matrix(9, 12, 0.1, random);
  problem.q = u;
  for (std::size_t row = 0; row < 9; ++row)
    for (std::size_t k = 0; k < 9; ++k)
      problem.q[row] -= problem.W[row * 9 + k] * p[k];
  EXPECT_LT(natural_map_residual(problem, p), 1e-15);

  for (std::size_t k = 0; k < 9; ++k) {
    std::vector<double> other = p;
    other[k] += 1e-3;
    EXPECT_GT(natural_map_residual(problem, other), 1e-6) << "component " << k;
  }
}
