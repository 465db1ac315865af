#pragma once

#include <percussion/cone/method.h>
#include <percussion/cone/problem.h>
#include <percussion/cone/solver.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

/// Problems for the tests of the cone solvers. Each has its own version number.
namespace percussion::sample {

class Random {
public:
  explicit Random(unsigned int seed) : generator(seed) {}
  double operator()(double from, double to) {
    // std::uniform_real_distribution is not used, because its numbers differ between standard
    // libraries.
    return from + (to - from) * (generator() / 4294967296.);
  }

private:
  std::mt19937 generator;
};

inline unsigned long new_version() {
  static unsigned long last = 0;
  return ++last;
}

/// Returns the solution by a new solver.
inline ConeSolution solve(const FrictionContactProblem &problem, ConeMethod method,
                          double tolerance = 1e-10, ConeSolution start = {}) {
  ConeOptions options;
  options.method = method;
  options.tolerance = tolerance;
  options.max_iterations = 20000;
  ConeSolver(options).solve(problem, start);
  return start;
}

/// Returns A Aᵀ / m + shift I with a random A of m columns: semidefinite, of rank m if shift = 0.
inline std::vector<double> random_gram_matrix(std::size_t n, std::size_t m, double shift,
                                              Random &random) {
  std::vector<double> A(n * m), W(n * n, 0.);
  for (double &entry : A)
    entry = random(-1., 1.);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = i == j ? shift : 0.;
      for (std::size_t k = 0; k < m; ++k)
        sum += A[i * m + k] * A[j * m + k] / static_cast<double>(m);
      W[i * n + j] = W[j * n + i] = sum;
    }
  return W;
}

/// Returns the inverse of a banded, diagonally dominant matrix, as of springs between neighbouring
/// contacts: its entries decay away from the diagonal as for a finite-element body.
inline std::vector<double> body_like_matrix(std::size_t n, Random &random) {
  std::vector<double> A(n * n, 0.), W(n * n, 0.);
  for (std::size_t i = 0; i < n; ++i) {
    A[i * n + i] += 0.2;
    W[i * n + i] = 1.;
    for (std::size_t j = i + 1; j < n && j <= i + 3; ++j) {
      const double stiffness = random(-0.5, 0.5);
      A[i * n + j] = A[j * n + i] = stiffness;
      A[i * n + i] += std::abs(stiffness);
      A[j * n + j] += std::abs(stiffness);
    }
  }
  for (std::size_t pivot = 0; pivot < n; ++pivot) { // Gauss–Jordan
    const double inverse = 1. / A[pivot * n + pivot];
    for (std::size_t k = 0; k < n; ++k) {
      A[pivot * n + k] *= inverse;
      W[pivot * n + k] *= inverse;
    }
    for (std::size_t row = 0; row < n; ++row)
      if (const double factor = A[row * n + pivot]; row != pivot && factor != 0.)
        for (std::size_t k = 0; k < n; ++k) {
          A[row * n + k] -= factor * A[pivot * n + k];
          W[row * n + k] -= factor * W[pivot * n + k];
        }
  }
  return W;
}

/// Returns a 2D problem with the operator W and random approaching velocities.
inline FrictionContactProblem make_problem(std::vector<double> W, double mu, Random &random) {
  FrictionContactProblem problem;
  problem.n_contacts = static_cast<std::size_t>(std::lround(std::sqrt(W.size()))) / 2;
  problem.W = std::move(W);
  problem.mu.assign(problem.n_contacts, mu);
  problem.version = new_version();
  for (std::size_t i = 0; i < problem.n_contacts; ++i) {
    problem.q.push_back(random(-1.5, 0.7));
    problem.q.push_back(random(-1., 1.));
  }
  return problem;
}

/// Replaces q such that `solution` solves the problem, with a third of the contacts in each status.
inline ConeSolution choose_solution(FrictionContactProblem &problem, Random &random) {
  ConeSolution solution;
  for (std::size_t i = 0; i < problem.n_contacts; ++i) {
    const double mu = problem.mu[i], size = random(0.1, 1.), s = random(-1., 1.) < 0. ? -1. : 1.;
    switch (i % 3) {
    case 0:
      solution.status.push_back(ContactStatus::open);
      solution.p.insert(solution.p.end(), {0., 0.});
      solution.u.insert(solution.u.end(), {size, random(-1., 1.)});
      break;
    case 1:
      solution.status.push_back(ContactStatus::stick);
      solution.p.insert(solution.p.end(), {size, random(-0.9, 0.9) * mu * size});
      solution.u.insert(solution.u.end(), {0., 0.});
      break;
    default:
      solution.status.push_back(ContactStatus::slip);
      solution.p.insert(solution.p.end(), {size, s * mu * size});
      solution.u.insert(solution.u.end(), {0., -s * random(0.1, 1.)});
    }
  }
  const std::size_t n = problem.q.size();
  for (std::size_t row = 0; row < n; ++row) {
    problem.q[row] = solution.u[row];
    for (std::size_t k = 0; k < n; ++k)
      problem.q[row] -= problem.W[row * n + k] * solution.p[k];
  }
  return solution;
}

/// Returns a 3D problem with the operator W, random approaching velocities, and one random friction
/// coefficient for each contact, zero for every fifth contact if `mu_from` is zero.
inline FrictionContactProblem make_problem_3d(std::vector<double> W, double mu_from, double mu_to,
                                              Random &random) {
  FrictionContactProblem problem;
  problem.dimension = 3;
  problem.n_contacts = static_cast<std::size_t>(std::lround(std::sqrt(W.size()))) / 3;
  problem.W = std::move(W);
  problem.version = new_version();
  for (std::size_t i = 0; i < problem.n_contacts; ++i) {
    problem.q.insert(problem.q.end(), {random(-1.5, 0.7), random(-1., 1.), random(-1., 1.)});
    const double mu = random(mu_from, mu_to);
    problem.mu.push_back(mu_from == 0. && i % 5 == 4 ? 0. : mu);
  }
  return problem;
}

/// Appends a percussion and a velocity of this status to a 3D solution, away from the limits of the
/// status: magnitudes from 0.1 to 1, and at most 0.9 of the friction limit for a sticking contact.
inline void append_contact_3d(ContactStatus status, double mu, Random &random,
                              ConeSolution &solution) {
  const double size = random(0.1, 1.), angle = random(-3.14159265, 3.14159265);
  const double x = std::cos(angle), y = std::sin(angle), speed = random(0.1, 1.);
  const double friction = mu * size * (status == ContactStatus::stick ? random(0., 0.9) : 1.);
  solution.status.push_back(status);
  if (status == ContactStatus::open) {
    solution.p.insert(solution.p.end(), {0., 0., 0.});
    solution.u.insert(solution.u.end(), {size, speed * x, speed * y});
    return;
  }
  const double slip = status == ContactStatus::slip ? speed : 0.;
  solution.p.insert(solution.p.end(), {size, friction * x, friction * y});
  solution.u.insert(solution.u.end(), {0., -slip * x, -slip * y});
}

/// Sets q = u − W p for dense W, so that `solution` solves the problem.
inline void make_solved_by(const ConeSolution &solution, FrictionContactProblem &problem) {
  const std::size_t n = problem.q.size();
  for (std::size_t row = 0; row < n; ++row) {
    problem.q[row] = solution.u[row];
    for (std::size_t k = 0; k < n; ++k)
      problem.q[row] -= problem.W[row * n + k] * solution.p[k];
  }
}

/// Replaces q of a 3D problem such that the returned solution, of random statuses, solves it.
/// Without friction a closed contact slips.
inline ConeSolution choose_solution_3d(FrictionContactProblem &problem, Random &random) {
  ConeSolution solution;
  for (std::size_t i = 0; i < problem.n_contacts; ++i) {
    const double chosen = random(0., 3.);
    const bool open = chosen < 1., stick = chosen < 2. && problem.mu[i] > 0.;
    append_contact_3d(open    ? ContactStatus::open
                      : stick ? ContactStatus::stick
                              : ContactStatus::slip,
                      problem.mu[i], random, solution);
  }
  make_solved_by(solution, problem);
  return solution;
}

/// Returns the same problem with W stored by blocks, without off-diagonal blocks that vanish.
inline FrictionContactProblem stored_by_blocks(const FrictionContactProblem &problem) {
  FrictionContactProblem result = problem;
  const std::size_t d = problem.dimension, n = problem.q.size();
  BlockSparseMatrix &blocks = result.blocks;
  result.W.clear();
  result.version = new_version();
  blocks.row_start.assign(1, 0);
  for (std::size_t i = 0; i < problem.n_contacts; ++i) {
    for (std::size_t j = 0; j < problem.n_contacts; ++j) {
      std::vector<double> block;
      double largest = 0.;
      for (std::size_t k = 0; k < d; ++k)
        for (std::size_t l = 0; l < d; ++l) {
          block.push_back(problem.W[(d * i + k) * n + d * j + l]);
          largest = std::max(largest, std::abs(block.back()));
        }
      if (largest == 0. && i != j)
        continue;
      blocks.column.push_back(j);
      blocks.value.insert(blocks.value.end(), block.begin(), block.end());
    }
    blocks.row_start.push_back(blocks.column.size());
  }
  return result;
}

/// Returns the methods for problems of this dimension: pivoting is for 2D only.
inline std::vector<ConeMethodEntry> methods_in(unsigned int dimension) {
  std::vector<ConeMethodEntry> methods;
  for (const ConeMethodEntry &entry : cone_methods())
    if (dimension == 2 || entry.name != "lemke")
      methods.push_back(entry);
  return methods;
}

inline double distance(const std::vector<double> &x, const std::vector<double> &y) {
  double largest = x.size() == y.size() ? 0. : INFINITY;
  for (std::size_t k = 0; k < x.size() && k < y.size(); ++k)
    largest = std::max(largest, std::abs(x[k] - y[k]));
  return largest;
}

} // namespace percussion::sample
