// Random 3D problems constructed from their solutions.

#include <percussion/cone/residual.h>
#include <percussion/cone/solver.h>

#include <gtest/gtest.h>

#include "sample_problems.h"
#include <string>

using namespace percussion;

namespace {

enum class Kind { definite, body, low_rank };

struct Sample {
  FrictionContactProblem problem;
  ConeSolution known;
  Kind kind = Kind::definite;
  std::string name;
};

/// Returns a problem of 1 to 25 contacts; each has its own friction coefficient up to a bound of
/// the problem, which is at most 1.2.
Sample make_sample(unsigned int seed) {
  sample::Random random(seed);
  Sample result;
  result.kind = static_cast<Kind>(seed % 3);
  const std::size_t n = 3 * (1 + static_cast<std::size_t>(random(0., 25.)));
  std::vector<double> W;
  if (result.kind == Kind::body)
    W = sample::body_like_matrix(n, random);
  else if (result.kind == Kind::definite)
    W = sample::random_gram_matrix(n, n + 2, std::pow(10., random(-4., -1.)), random);
  else
    W = sample::random_gram_matrix(n, 1 + static_cast<std::size_t>(random(0., n - 1.)), 0., random);
  const double mu = random(0., 1.2);
  result.problem = sample::make_problem_3d(std::move(W), 0., mu, random);
  result.known = sample::choose_solution_3d(result.problem, random);
  const char *const names[] = {"definite", "body", "low rank"};
  result.name = std::string(names[seed % 3]) + ", seed " + std::to_string(seed);
  return result;
}

double largest_friction(const FrictionContactProblem &problem) {
  return *std::max_element(problem.mu.begin(), problem.mu.end());
}

/// Returns the largest eigenvalue of W, approximated from below, plus a margin.
double largest_eigenvalue(const std::vector<double> &W, std::size_t n) {
  std::vector<double> x(n, 1.), y(n);
  double size = 0.;
  for (unsigned int k = 0; k < 60; ++k) {
    for (std::size_t row = 0; row < n; ++row) {
      y[row] = 0.;
      for (std::size_t column = 0; column < n; ++column)
        y[row] += W[row * n + column] * x[column];
    }
    size = 0.;
    for (const double entry : y)
      size += entry * entry;
    size = std::sqrt(size);
    for (std::size_t row = 0; row < n; ++row)
      x[row] = y[row] / size;
  }
  return 1.1 * size;
}

/// True if W − shift I has a Cholesky factorisation.
bool definite(std::vector<double> W, std::size_t n, double shift) {
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = j; i < n; ++i) {
      double sum = W[i * n + j] - (i == j ? shift : 0.);
      for (std::size_t k = 0; k < j; ++k)
        sum -= W[i * n + k] * W[j * n + k];
      if (i == j && !(sum > 0.))
        return false;
      W[i * n + j] = i == j ? std::sqrt(sum) : sum / W[j * n + j];
    }
  return true;
}

/// True if the solution is certainly unique. With fixed s = μ‖u_T‖ the problem is strictly convex,
/// and its ‖u_T‖ depends on s with the Lipschitz constant (λ_max / λ_min)^½ of W. A solution is a
/// fixed point of s, which is unique if μ (λ_max / λ_min)^½ < 1.
bool surely_unique(const FrictionContactProblem &problem) {
  const std::size_t n = problem.q.size();
  const double mu = largest_friction(problem);
  double least = problem.W[0],
         largest = problem.W[0]; // the interval of eigenvalues contains the diagonal entries
  for (std::size_t i = 0; i < n; ++i) {
    least = std::min(least, problem.W[i * n + i]);
    largest = std::max(largest, problem.W[i * n + i]);
  }
  if (mu * mu * largest >= least)
    return false;
  return definite(problem.W, n, mu * mu * largest_eigenvalue(problem.W, n));
}

/// Checks that every returned result must pass, solved or not.
void expect_truthful(const FrictionContactProblem &problem, const ConeSolution &found) {
  ASSERT_EQ(found.p.size(), problem.q.size());
  ASSERT_EQ(found.u.size(), problem.q.size());
  ASSERT_EQ(found.status.size(), problem.n_contacts);
  EXPECT_EQ(found.residual, natural_map_residual(problem, found.p));
  EXPECT_EQ(found.converged, found.residual <= 1e-10);
  EXPECT_EQ(found.converged, found.outcome == ConeOutcome::converged);
}

} // namespace

/// Almost all problems with definite operators have a single solution, even if uniqueness is not
/// certain.
TEST(KnownSolutions, AreFoundByAuto) {
#ifdef __SANITIZE_ADDRESS__
  constexpr unsigned int n_problems = 1000; // the sanitizer is many times slower
#else
  constexpr unsigned int n_problems = 10000;
#endif
  unsigned int n_unique = 0, n_definite = 0, n_same = 0;
  for (unsigned int seed = 0; seed < n_problems; ++seed) {
    const Sample sample = make_sample(seed);
    SCOPED_TRACE(sample.name);
    ASSERT_LT(natural_map_residual(sample.problem, sample.known.p), 1e-14);
    const ConeSolution found = sample::solve(sample.problem, ConeMethod::automatic);
    EXPECT_LE(found.residual, 1e-10) << found.method;
    expect_truthful(sample.problem, found);
    const bool same = sample::distance(found.p, sample.known.p) < 1e-8;
    if (sample.kind != Kind::low_rank)
      ++n_definite, n_same += same;
    if (!surely_unique(sample.problem))
      continue;
    ++n_unique;
    EXPECT_TRUE(same) << sample::distance(found.p, sample.known.p);
    EXPECT_LT(sample::distance(found.u, sample.known.u), 1e-8);
    EXPECT_EQ(found.status, sample.known.status);
  }
  EXPECT_GT(n_unique, n_problems / 10);
  EXPECT_GT(n_same, n_definite - n_definite / 100);
}

/// Without friction the problem is convex, and u is unique for any rank of W.
TEST(KnownSolutions, HaveTheirVelocitiesWithoutFrictionAtAnyRank) {
  for (unsigned int seed = 0; seed < 500; ++seed) {
    Sample sample = make_sample(10002 + 3 * seed); // W of low rank
    SCOPED_TRACE(sample.name);
    sample::Random random(seed);
    std::fill(sample.problem.mu.begin(), sample.problem.mu.end(), 0.);
    const ConeSolution known = sample::choose_solution_3d(sample.problem, random);
    sample.problem.version = sample::new_version();
    const ConeSolution found = sample::solve(sample.problem, ConeMethod::automatic);
    EXPECT_TRUE(found.converged) << found.residual;
    EXPECT_LT(sample::distance(found.u, known.u), 1e-7);
  }
}

/// The fractions are the measured ones, minus a few per cent: all methods solve definite problems;
/// newton and natural-map, which need regular matrices, fail on many problems of low rank.
TEST(KnownSolutions, AreFoundByTheOtherMethods) {
  constexpr unsigned int n_problems = 500;
  for (const ConeMethodEntry &entry : sample::methods_in(3)) {
    SCOPED_TRACE(entry.name);
    unsigned int solved[3] = {0, 0, 0}, tried[3] = {0, 0, 0};
    for (unsigned int seed = 0; seed < n_problems; ++seed) {
      const Sample sample = make_sample(20000 + seed);
      const ConeSolution found = sample::solve(sample.problem, entry.method);
      expect_truthful(sample.problem, found);
      ++tried[static_cast<int>(sample.kind)];
      solved[static_cast<int>(sample.kind)] += found.converged;
      if (found.converged && surely_unique(sample.problem)) {
        EXPECT_LT(sample::distance(found.u, sample.known.u), 1e-7) << sample.name;
      }
    }
    EXPECT_GE(100 * solved[static_cast<int>(Kind::definite)], 98 * tried[0]);
    EXPECT_GE(100 * solved[static_cast<int>(Kind::body)], 98 * tried[1]);
    const bool needs_regular =
        entry.method == ConeMethod::newton || entry.method == ConeMethod::natural_map;
    EXPECT_GE(100 * solved[static_cast<int>(Kind::low_rank)], (needs_regular ? 55 : 96) * tried[2]);
  }
}
