// The natural map of a contact, its derivative, and Newton's method on it.

#include <percussion/cone/natural_map.h>
#include <percussion/cone/residual.h>

#include <gtest/gtest.h>

#include "sample_problems.h"
#include <algorithm>
#include <string>

using namespace percussion;
using local::Vector;

namespace {

enum class Region { apex, inside, mantle };

/// Returns the region of the cone in which p − ρ (u + μ‖u_T‖ n) is projected, and its distance from
/// the limits of the region, at which the map has no derivative.
template <int d>
Region region_of(const Vector<d> &p, const Vector<d> &u, double mu, double rho, double &margin) {
  double speed = 0., length = 0.;
  for (std::size_t k = 1; k < d; ++k) {
    speed = std::hypot(speed, u[k]);
    length = std::hypot(length, p[k] - rho * u[k]);
  }
  const double normal = p[0] - rho * (u[0] + mu * speed);
  margin =
      std::min({std::abs(mu * normal - length), std::abs(mu * length + normal), speed, length});
  return mu * length <= -normal  ? Region::apex
         : length <= mu * normal ? Region::inside
                                 : Region::mantle;
}

template <int d>
Vector<d> value(const Vector<d> &p, const Vector<d> &u, double mu, double rho) {
  return local::natural_map<d>(p.data(), u, mu, rho).value;
}

/// Returns the derivative with respect to component l of x, which is the argument p or u of `map`.
template <int d, typename Map>
Vector<d> difference(const Map &map, Vector<d> x, std::size_t l) {
  constexpr double step = 1e-6;
  const double middle = x[l];
  x[l] = middle + step;
  const Vector<d> after = map(x);
  x[l] = middle - step;
  const Vector<d> before = map(x);
  Vector<d> derivative;
  for (std::size_t k = 0; k < d; ++k)
    derivative[k] = (after[k] - before[k]) / (2. * step);
  return derivative;
}

template <int d>
void expect_derivatives(const Vector<d> &p, const Vector<d> &u, double mu, double rho) {
  const auto map = local::natural_map<d>(p.data(), u, mu, rho);
  for (std::size_t l = 0; l < d; ++l) {
    const auto derivative_p =
        difference<d>([&](const Vector<d> &x) { return value<d>(x, u, mu, rho); }, p, l);
    const auto derivative_u =
        difference<d>([&](const Vector<d> &x) { return value<d>(p, x, mu, rho); }, u, l);
    for (std::size_t k = 0; k < d; ++k) {
      EXPECT_NEAR(map.derivative_p[k][l], derivative_p[k], 1e-7) << k << ", " << l;
      EXPECT_NEAR(map.derivative_u[k][l], derivative_u[k], 1e-7) << k << ", " << l;
    }
  }
}

template <int d>
void expect_derivatives_everywhere() {
  sample::Random random(1);
  unsigned int seen[3] = {0, 0, 0};
  for (unsigned int sample = 0; sample < 3000; ++sample) {
    Vector<d> p, u;
    for (std::size_t k = 0; k < d; ++k) {
      p[k] = random(k == 0 ? 0. : -1., 1.);
      u[k] = random(-1., 1.);
    }
    const double mu = sample % 10 == 0 ? 0. : random(0.05, 2.), rho = random(0.3, 3.);
    double margin = 0.;
    const Region region = region_of<d>(p, u, mu, rho, margin);
    if (margin < 0.02)
      continue;
    ++seen[static_cast<int>(region)];
    SCOPED_TRACE("sample " + std::to_string(sample));
    expect_derivatives<d>(p, u, mu, rho);
  }
  for (const unsigned int count : seen)
    EXPECT_GT(count, 100U);
}

/// In 2D the contact is the one of a 3D solution, rotated into the plane.
template <int d>
void expect_zero_at_solutions_only() {
  sample::Random random(2);
  for (unsigned int sample = 0; sample < 600; ++sample) {
    ConeSolution solution;
    const double mu = random(0.05, 1.5), rho = std::pow(10., random(-3., 3.));
    const auto status = static_cast<ContactStatus>(sample % 3);
    sample::append_contact_3d(status, mu, random, solution);
    Vector<d> p{solution.p[0]}, u{solution.u[0]};
    for (std::size_t k = 1; k < d; ++k) {
      p[k] = d == 3 ? solution.p[k] : std::hypot(solution.p[1], solution.p[2]);
      u[k] = d == 3 ? solution.u[k] : -std::hypot(solution.u[1], solution.u[2]);
    }
    double square = 0., spoilt = 0.;
    for (const double component : value<d>(p, u, mu, rho))
      square += component * component;
    EXPECT_LT(std::sqrt(square), 1e-14 * (1. + rho)) << "sample " << sample;

    // Adds a percussion to an open contact, or an opening velocity to a closed one.
    (status == ContactStatus::open ? p[0] : u[0]) += 0.05;
    for (const double component : value<d>(p, u, mu, rho))
      spoilt += component * component;
    EXPECT_GT(std::sqrt(spoilt), 1e-3 * std::min(1., rho)) << "sample " << sample;
  }
}

/// Returns the smallest residuals after 0, 1, 2, … iterations from zero.
std::vector<double> residuals(const FrictionContactProblem &problem) {
  std::vector<double> result;
  for (unsigned int iterations = 0; iterations <= 60; ++iterations) {
    std::vector<double> p(problem.q.size(), 0.);
    if (problem.dimension == 2)
      natural_map_newton<2>(problem, 1e-14, iterations, true, {}, p);
    else
      natural_map_newton<3>(problem, 1e-14, iterations, true, {}, p);
    result.push_back(natural_map_residual(problem, p));
    if (result.back() <= 1e-14)
      break;
  }
  return result;
}

FrictionContactProblem problem_with_solution(unsigned int dimension, unsigned int seed) {
  sample::Random random(seed);
  const std::size_t n = dimension * (5 + seed % 20);
  auto W = seed % 2 == 0 ? sample::body_like_matrix(n, random)
                         : sample::random_gram_matrix(n, n + 10, 0.1, random);
  if (dimension == 2) {
    auto problem = sample::make_problem(std::move(W), 0.5, random);
    sample::choose_solution(problem, random);
    return problem;
  }
  auto problem = sample::make_problem_3d(std::move(W), 0.1, 0.8, random);
  sample::choose_solution_3d(problem, random);
  return problem;
}

} // namespace

TEST(NaturalMap, DerivativesAreThoseOfDifferencesIn2D) { expect_derivatives_everywhere<2>(); }
TEST(NaturalMap, DerivativesAreThoseOfDifferencesIn3D) { expect_derivatives_everywhere<3>(); }
TEST(NaturalMap, IsZeroAtSolutionsIn2D) { expect_zero_at_solutions_only<2>(); }
TEST(NaturalMap, IsZeroAtSolutionsIn3D) { expect_zero_at_solutions_only<3>(); }

/// With ρ = 1 the map is the one in natural_map_residual().
TEST(NaturalMap, IsTheMapOfTheResidual) {
  sample::Random random(3);
  for (unsigned int k = 0; k < 300; ++k) {
    FrictionContactProblem problem;
    problem.dimension = 3;
    problem.n_contacts = 1;
    problem.W.assign(9, 0.);
    problem.mu = {random(0., 1.5)};
    const Vector<3> u{random(-1., 1.), random(-1., 1.), random(-1., 1.)};
    const std::vector<double> p{random(-1., 1.), random(-1., 1.), random(-1., 1.)};
    problem.q.assign(u.begin(), u.end());
    const Vector<3> F = local::natural_map<3>(p.data(), u, problem.mu[0], 1.).value;
    EXPECT_NEAR(std::hypot(F[0], F[1], F[2]) / (1. + std::hypot(u[0], u[1], u[2])),
                natural_map_residual(problem, p), 1e-15);
  }
}

/// Close to the solution a residual r is followed by a residual of order r²; in 2D the map is
/// piecewise linear, and the last step is exact.
TEST(NaturalMap, NewtonConvergesQuadratically) {
  unsigned int n_close = 0;
  for (unsigned int dimension = 2; dimension <= 3; ++dimension)
    for (unsigned int seed = 0; seed < 60; ++seed) {
      SCOPED_TRACE(std::to_string(dimension) + "D, seed " + std::to_string(seed));
      const std::vector<double> r = residuals(problem_with_solution(dimension, seed));
      ASSERT_LE(r.back(), 1e-13);
      for (std::size_t k = 0; k + 1 < r.size(); ++k) {
        EXPECT_LE(r[k + 1], r[k]); // the best iterate is kept
        if (r[k] > 1e-4)
          continue;
        ++n_close;
        EXPECT_LT(r[k + 1], 1e-14 + (dimension == 2 ? 0. : 1e3 * r[k] * r[k])) << "iteration " << k;
      }
    }
  EXPECT_GT(n_close, 60U);
}

TEST(NaturalMap, NewtonEndsAtOnceAtTheSolution) {
  for (unsigned int dimension = 2; dimension <= 3; ++dimension)
    for (const bool line_search : {true, false}) {
      const FrictionContactProblem problem = problem_with_solution(dimension, 7);
      std::vector<double> p(problem.q.size(), 0.);
      const auto newton = dimension == 2 ? natural_map_newton<2> : natural_map_newton<3>;
      EXPECT_GT(newton(problem, 1e-12, 100, line_search, {}, p), 1U);
      const std::vector<double> found = p;
      EXPECT_EQ(newton(problem, 1e-12, 100, line_search, {}, p), 0U);
      EXPECT_EQ(p, found);
    }
}
