// The solvers for programs in C.

#include <percussion/cone/percussion_cone.h>
#include <percussion/cone/residual.h>

#include <gtest/gtest.h>

#include "cone/sample_problems.h"
#include <memory>
#include <string>

using namespace percussion;

namespace {

using Numbers = std::vector<double>;

struct Problem {
  explicit Problem(unsigned int d, std::size_t n_contacts = 8) {
    sample::Random random(d);
    const std::size_t n = d * n_contacts;
    posed_problem.dimension = d;
    posed_problem.n_contacts = n_contacts;
    posed_problem.W = sample::random_gram_matrix(n, 2 * n, 0.1, random);
    for (std::size_t k = 0; k < n; ++k)
      posed_problem.q.push_back(random(-1., 0.5));
    posed_problem.mu.assign(n_contacts, 0.4);
    start = {0};
    for (std::size_t row = 0; row < n; ++row) {
      for (std::size_t column = n; column-- > 0;) // descending
        if (column != row) {
          columns.push_back(static_cast<int>(column));
          values.push_back(posed_problem.W[row * n + column]);
        }
      for (const double share : {0.25, 0.75}) { // adds each entry in two fractions
        columns.push_back(static_cast<int>(row));
        values.push_back(share * posed_problem.W[row * (n + 1)]);
      }
      start.push_back(static_cast<int>(columns.size()));
    }
  }

  percussion_cone_problem dense() const {
    return {static_cast<int>(posed_problem.dimension),
            static_cast<int>(posed_problem.n_contacts),
            {posed_problem.W.data(), nullptr, nullptr},
            posed_problem.q.data(),
            posed_problem.mu.data()};
  }
  percussion_cone_problem sparse() const {
    auto problem = dense();
    problem.W = {values.data(), start.data(), columns.data()};
    return problem;
  }

  FrictionContactProblem posed_problem;
  std::vector<int> start, columns;
  Numbers values;
};

class ConeInC : public testing::Test {
protected:
  ConeInC() { percussion_cone_set_tolerance(solver.get(), 1e-12); }

  int solve(const percussion_cone_problem &problem) {
    const auto n = static_cast<std::size_t>(problem.dimension * problem.n_contacts);
    p.resize(n);
    u.resize(n);
    status.resize(static_cast<std::size_t>(problem.n_contacts));
    return percussion_cone_solve(solver.get(), &problem, p.data(), u.data(), status.data(),
                                 &result);
  }

  /// Returns the message for refused data.
  std::string refusal(const percussion_cone_problem &problem) {
    EXPECT_EQ(solve(problem), PERCUSSION_BAD_INPUT);
    return percussion_cone_message(solver.get());
  }

  std::unique_ptr<percussion_cone, void (*)(percussion_cone *)> solver{percussion_cone_new(),
                                                                       percussion_cone_free};
  Numbers p, u;
  std::vector<int> status;
  percussion_cone_result result{};
};

} // namespace

TEST_F(ConeInC, SolvesDenseAndSparseProblems) {
  for (const unsigned int d : {2u, 3u}) {
    const Problem problem(d);
    p.clear();
    ASSERT_EQ(solve(problem.dense()), PERCUSSION_SOLVED) << percussion_cone_message(solver.get());
    EXPECT_LT(natural_map_residual(problem.posed_problem, p), 1e-11);
    EXPECT_STREQ(result.outcome, "converged");
    EXPECT_STRNE(result.method, "none");
    EXPECT_LE(result.residual, 1e-12);
    const std::size_t n = p.size();
    for (std::size_t row = 0; row < n; ++row) {
      double velocity = problem.posed_problem.q[row];
      for (std::size_t k = 0; k < n; ++k)
        velocity += problem.posed_problem.W[row * n + k] * p[k];
      EXPECT_NEAR(u[row], velocity, 1e-12);
    }
    for (std::size_t i = 0; i < status.size(); ++i)
      EXPECT_EQ(status[i] == PERCUSSION_OPEN, p[d * i] == 0.);
    const Numbers before = p;
    p.assign(n, 0.);
    ASSERT_EQ(solve(problem.sparse()), PERCUSSION_SOLVED);
    EXPECT_LT(sample::distance(p, before), 1e-10);
  }
}

TEST_F(ConeInC, DoesNotKnowTheUnits) {
  Problem problem(3);
  ASSERT_EQ(solve(problem.dense()), PERCUSSION_SOLVED);
  const Numbers before = p;
  const unsigned int iterations = result.iterations;
  for (double &w : problem.posed_problem.W)
    w *= 0x1p-40;
  p.assign(p.size(), 0.);
  ASSERT_EQ(solve(problem.dense()), PERCUSSION_SOLVED);
  EXPECT_EQ(result.iterations, iterations);
  for (std::size_t k = 0; k < p.size(); ++k)
    EXPECT_DOUBLE_EQ(p[k], 0x1p40 * before[k]);
}

TEST_F(ConeInC, StartsWarm) {
  const Problem problem(3);
  ASSERT_EQ(percussion_cone_set_method(solver.get(), "nsgs"), PERCUSSION_SOLVED);
  ASSERT_EQ(solve(problem.dense()), PERCUSSION_SOLVED);
  const unsigned int cold = result.iterations;
  ASSERT_EQ(solve(problem.dense()), PERCUSSION_SOLVED);
  EXPECT_LT(result.iterations, cold);
  status[3] = PERCUSSION_UNKNOWN;
  ASSERT_EQ(solve(problem.dense()), PERCUSSION_SOLVED);
  EXPECT_LT(result.iterations, cold);
  EXPECT_NE(status[3], PERCUSSION_UNKNOWN);
}

TEST_F(ConeInC, SolvesGlobalProblems) {
  // Three masses; H connects the last two to one contact.
  const Numbers M = {2., 0., 0., 0., 4., 0., 0., 0., 5.}, H = {1., 0., 0., 1., -1., 0.},
                q = {-2., 1., 0.5}, b = {0., 0.}, mu = {0.5};
  const percussion_cone_global_problem problem = {
      2,        1,        3,        {M.data(), nullptr, nullptr}, {H.data(), nullptr, nullptr},
      q.data(), b.data(), mu.data()};
  Numbers v(3, 0.);
  p.assign(2, 0.);
  u.assign(2, 0.);
  ASSERT_EQ(percussion_cone_solve_global(solver.get(), &problem, v.data(), p.data(), u.data(),
                                         nullptr, &result),
            PERCUSSION_SOLVED)
      << percussion_cone_message(solver.get());
  EXPECT_GT(p[0], 0.);
  EXPECT_NEAR(2. * v[0], p[0] - 2., 1e-12);
  EXPECT_NEAR(4. * v[1], p[1] + 1., 1e-12);
  EXPECT_NEAR(5. * v[2], -p[0] + 0.5, 1e-12);
  EXPECT_NEAR(u[0], v[0] - v[2], 1e-12);
  EXPECT_NEAR(u[1], v[1], 1e-12);
  EXPECT_EQ(percussion_cone_solve_global(solver.get(), &problem, nullptr, p.data(), u.data(),
                                         nullptr, nullptr),
            PERCUSSION_BAD_INPUT);
  EXPECT_STREQ(percussion_cone_message(solver.get()), "v is a null pointer; needed are 3 numbers");
}

TEST_F(ConeInC, SaysWhenItIsNotSolved) {
  percussion_cone_set_method(solver.get(), "nsgs");
  ASSERT_EQ(percussion_cone_set_limits(solver.get(), 1, 10.), PERCUSSION_SOLVED);
  EXPECT_EQ(solve(Problem(3).dense()), PERCUSSION_NOT_SOLVED);
  EXPECT_STREQ(result.outcome, "out of sweeps");
  EXPECT_STREQ(percussion_cone_message(solver.get()), "");
}

TEST_F(ConeInC, RefusesWrongData) {
  const Problem good(2, 2);
  auto problem = good.dense();
  problem.dimension = 4;
  p.assign(8, 0.);
  EXPECT_EQ(percussion_cone_solve(solver.get(), &problem, p.data(), nullptr, nullptr, nullptr),
            PERCUSSION_BAD_INPUT);
  EXPECT_STREQ(percussion_cone_message(solver.get()), "dimension is 4; allowed are 2 and 3");
  problem = good.dense();
  problem.n_contacts = -1;
  EXPECT_EQ(percussion_cone_solve(solver.get(), &problem, p.data(), nullptr, nullptr, nullptr),
            PERCUSSION_BAD_INPUT);
  EXPECT_STREQ(percussion_cone_message(solver.get()), "n_contacts is -1; allowed are numbers >= 0");
  problem = good.dense();
  problem.q = nullptr;
  EXPECT_EQ(refusal(problem), "q is a null pointer; needed are 4 numbers");

  Problem bad = good;
  bad.posed_problem.mu[1] = -1.;
  EXPECT_EQ(refusal(bad.dense()),
            "frictional contact problem: the friction coefficient of contact 1 "
            "is negative: -1");
  bad = good;
  bad.values[2] = NAN;
  EXPECT_EQ(refusal(bad.sparse()).substr(0, 35), "frictional contact problem: entry 1");
  bad = good;
  bad.columns[3] = 4;
  EXPECT_EQ(refusal(bad.sparse()), "W.column[3] is 4; allowed are 0 to 4 - 1");
  bad = good;
  bad.start[1] = 99;
  EXPECT_EQ(refusal(bad.sparse()), "W.row_start descends in row 1");
  bad = good;
  bad.start[0] = 1;
  EXPECT_EQ(refusal(bad.sparse()), "W.row_start[0] is 1; needed is 0");

  p.assign(4, 1.);
  status = {0, 7};
  problem = good.dense();
  EXPECT_EQ(
      percussion_cone_solve(solver.get(), &problem, p.data(), nullptr, status.data(), nullptr),
      PERCUSSION_BAD_INPUT);
  EXPECT_STREQ(percussion_cone_message(solver.get()), "status[1] is 7; allowed are -1, 0, 1 and 2");
  EXPECT_EQ(p, Numbers(4, 1.)); // the percussions are unchanged
}

TEST_F(ConeInC, RefusesWrongOptions) {
  EXPECT_EQ(percussion_cone_set_method(solver.get(), "newtn"), PERCUSSION_BAD_INPUT);
  const std::string message = percussion_cone_message(solver.get());
  EXPECT_EQ(message.find("there is no method 'newtn'; allowed are auto, nsgs, "), 0u) << message;
  EXPECT_NE(message.find("; did you mean 'newton'?"), std::string::npos) << message;
  EXPECT_EQ(percussion_cone_set_method(solver.get(), nullptr), PERCUSSION_BAD_INPUT);
  EXPECT_EQ(percussion_cone_set_tolerance(solver.get(), 0.), PERCUSSION_BAD_INPUT);
  EXPECT_EQ(percussion_cone_set_tolerance(solver.get(), NAN), PERCUSSION_BAD_INPUT);
  EXPECT_EQ(percussion_cone_set_limits(solver.get(), 0, 1.), PERCUSSION_BAD_INPUT);
  EXPECT_EQ(percussion_cone_set_limits(solver.get(), 1, -1.), PERCUSSION_BAD_INPUT);
  EXPECT_EQ(percussion_cone_set_tolerance(nullptr, 1.), PERCUSSION_BAD_INPUT);
  EXPECT_STREQ(percussion_cone_message(nullptr), "there is no solver: a null pointer");
  EXPECT_EQ(percussion_cone_solve(solver.get(), nullptr, nullptr, nullptr, nullptr, nullptr),
            PERCUSSION_BAD_INPUT);
  EXPECT_EQ(solve(Problem(2).dense()), PERCUSSION_SOLVED); // the options are unchanged
}
