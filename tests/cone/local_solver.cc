#include <percussion/cone/local_solver.h>
#include <percussion/cone/residual.h>

#include <gtest/gtest.h>

#include "sample_problems.h"

using namespace percussion;

namespace {

FrictionContactProblem one_contact(const local::Block<2> &W, const local::Vector<2> &q, double mu) {
  FrictionContactProblem problem;
  problem.n_contacts = 1;
  problem.W = {W[0][0], W[0][1], W[1][0], W[1][1]};
  problem.q = {q[0], q[1]};
  problem.mu = {mu};
  return problem;
}

double residual(const local::Block<2> &W, const local::Vector<2> &q, double mu,
                const local::Vector<2> &p) {
  return natural_map_residual(one_contact(W, q, mu), {p[0], p[1]});
}

/// Returns the limit of the fixed-point iteration p ← P_K(p − ρ (u + μ|u_T| n)).
local::Vector<2> fixed_point(const local::Block<2> &W, const local::Vector<2> &q, double mu) {
  const double rho = 0.3 / (W[0][0] + W[1][1]);
  local::Vector<2> p{0., 0.};
  for (unsigned int k = 0; k < 4000; ++k) {
    const double u_T = W[1][0] * p[0] + W[1][1] * p[1] + q[1];
    const double u_N = W[0][0] * p[0] + W[0][1] * p[1] + q[0];
    p = {p[0] - rho * (u_N + mu * std::abs(u_T)), p[1] - rho * u_T};
    project_on_coulomb_cone(mu, 2, p.data());
  }
  return p;
}

} // namespace

TEST(LocalSolver, AgreesWithProjectionIterations) {
  sample::Random random(1);
  unsigned int seen[3] = {0, 0, 0};
  for (unsigned int k = 0; k < 300; ++k) {
    const double coupling = random(-0.3, 0.3);
    const local::Block<2> W{{{random(0.5, 2.), coupling}, {coupling, random(0.5, 2.)}}};
    const local::Vector<2> q{random(-1., 0.5), random(-1., 1.)};
    const double mu = k % 4 == 0 ? 0. : random(0., 1.);
    const local::Vector<2> p = local::solve_one_contact<2>(W, q, mu);
    const local::Vector<2> expected = fixed_point(W, q, mu);
    EXPECT_NEAR(p[0], expected[0], 1e-10) << "sample " << k;
    EXPECT_NEAR(p[1], expected[1], 1e-10) << "sample " << k;
    ++seen[p[0] == 0. ? 0 : std::abs(p[1]) < mu * p[0] ? 1 : 2];
  }
  for (const unsigned int count : seen)
    EXPECT_GT(count, 30U); // all three statuses occur
}

/// If u = 0 can be reached there is a solution for any coupling.
TEST(LocalSolver, SolvesStronglyCoupledAndSingularBlocks) {
  sample::Random random(2);
  for (unsigned int k = 0; k < 3000; ++k) {
    const bool rank_one = k % 3 == 0;
    const double a = random(0.1, 3.), b = random(-3., 3.), q_N = random(-1., 0.2);
    const local::Block<2> W{{{a, b}, {b, b * b / a + (rank_one ? 0. : random(0., 1.))}}};
    const local::Vector<2> q{q_N, rank_one ? q_N * b / a : random(-1., 1.)};
    const double mu = random(0., 3.);
    EXPECT_LT(residual(W, q, mu, local::solve_one_contact<2>(W, q, mu)), 1e-11) << "sample " << k;
  }
}

TEST(LocalSolver, SolvesDegenerateData) {
  const auto solve = local::solve_one_contact<2>;
  const local::Block<2> no_tangent{{{2., 0.}, {0., 0.}}};
  EXPECT_EQ(solve(no_tangent, {-1., 3.}, 0.), (local::Vector<2>{0.5, 0.}));

  const local::Block<2> W{{{2., 0.}, {0., 4.}}};
  EXPECT_EQ(solve(W, {0., 1.}, 0.5), (local::Vector<2>{0., 0.})); // grazing contact
  EXPECT_EQ(solve(W, {-2., 0.}, 0.), (local::Vector<2>{1., 0.})); // frictionless
  EXPECT_EQ(solve(W, {-2., 2.}, 0.5),
            (local::Vector<2>{1., -0.5})); // the limit between stick and slip
  EXPECT_EQ(solve(W, {-2., 3.}, 0.5), (local::Vector<2>{1., -0.5}));  // slip
  EXPECT_EQ(solve(W, {-2., 1.}, 0.5), (local::Vector<2>{1., -0.25})); // stick

  const local::Block<2> nothing{};
  EXPECT_EQ(solve(nothing, {-1., 0.}, 0.5),
            (local::Vector<2>{0., 0.})); // this problem has no solution
}

TEST(LocalSolver, ReadsTheStatusOffPercussionAndVelocity) {
  const local::Block<2> W{{{2., 0.}, {0., 4.}}};
  const auto state = [&](local::Vector<2> p, local::Vector<2> u, double mu) {
    return local::local_status<2>(p.data(), u.data(), mu, W);
  };
  EXPECT_EQ(state({0., 0.}, {0.1, 3.}, 0.5).status, ContactStatus::open);
  EXPECT_EQ(state({0., 0.}, {0., 3.}, 0.5).status, ContactStatus::open);
  EXPECT_EQ(state({1., 0.5}, {0., 0.}, 0.5).status, ContactStatus::stick);
  EXPECT_EQ(state({1., 0.5}, {0., -1.}, 0.5), (local::LocalStatus<2>{ContactStatus::slip, {1.}}));
  EXPECT_EQ(state({1., -0.5}, {0., 1.}, 0.5), (local::LocalStatus<2>{ContactStatus::slip, {-1.}}));
  EXPECT_EQ(state({1., 0.}, {0., 0.}, 0.).status, ContactStatus::slip);
  // rho is scaled by the diagonal of W: 1 − u_N / 2.
  EXPECT_EQ(state({1., 0.}, {1.9, 0.}, 0.5).status, ContactStatus::stick);
  EXPECT_EQ(state({1., 0.}, {2.1, 0.}, 0.5).status, ContactStatus::open);
}

TEST(LocalSolver, ReductionSpansWhatTheStatusLeaves) {
  EXPECT_EQ(local::reduce<2>({}, 0.5, {}).size, 0U);
  EXPECT_EQ(local::reduce<2>({ContactStatus::stick, {}}, 0.5, {}).size, 2U);
  const auto slip = local::reduce<2>({ContactStatus::slip, {-1.}}, 0.5, {});
  EXPECT_EQ(slip.size, 1U);
  EXPECT_EQ(slip.basis[0], (local::Vector<2>{1., -0.5}));
}
