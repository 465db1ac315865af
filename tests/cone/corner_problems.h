#pragma once

#include "sample_problems.h"

/// Contact problems whose operator is singular because nodes of a body touch several surfaces.
namespace percussion::sample {

/// Row of H: a direction at a node.
struct Row {
  std::size_t node;
  double x, y;
};

/// Returns the matrix M + K of an m × m grid of nodes with two components each, (x, y) node by
/// node: five-point differences, and differences across each cell that couple the components.
inline std::vector<double> grid_matrix(std::size_t m, double mass) {
  const std::size_t n = 2 * m * m;
  std::vector<double> A(n * n, 0.);
  const auto spring = [&](std::size_t a, std::size_t b, double ex, double ey, double stiffness) {
    const double e[2] = {ex, ey};
    for (std::size_t k = 0; k < 2; ++k)
      for (std::size_t l = 0; l < 2; ++l) {
        const double entry = stiffness * e[k] * e[l];
        A[(2 * a + k) * n + 2 * a + l] += entry;
        A[(2 * b + k) * n + 2 * b + l] += entry;
        A[(2 * a + k) * n + 2 * b + l] -= entry;
        A[(2 * b + k) * n + 2 * a + l] -= entry;
      }
  };
  for (std::size_t k = 0; k < n; ++k)
    A[k * n + k] = mass;
  for (std::size_t j = 0; j < m; ++j)
    for (std::size_t i = 0; i < m; ++i) {
      const std::size_t a = j * m + i;
      if (i + 1 < m)
        spring(a, a + 1, 1., 0., 1.), spring(a, a + 1, 0., 1., 0.4);
      if (j + 1 < m)
        spring(a, a + m, 0., 1., 1.), spring(a, a + m, 1., 0., 0.4);
      if (i + 1 < m && j + 1 < m)
        spring(a, a + m + 1, 1., 1., 0.3), spring(a + 1, a + m, 1., -1., 0.2);
    }
  return A;
}

/// Returns W = H A⁻¹ Hᵀ by a Cholesky factorisation A = L Lᵀ: the Gram matrix of the columns of L⁻¹
/// Hᵀ.
inline std::vector<double> delassus(std::vector<double> A, const std::vector<Row> &rows) {
  const std::size_t n = static_cast<std::size_t>(std::lround(std::sqrt(A.size())));
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = j; i < n; ++i) {
      double sum = A[i * n + j];
      for (std::size_t k = 0; k < j; ++k)
        sum -= A[i * n + k] * A[j * n + k];
      A[i * n + j] = i == j ? std::sqrt(sum) : sum / A[j * n + j];
    }
  std::vector<std::vector<double>> Y;
  for (const Row &row : rows) {
    std::vector<double> y(n, 0.);
    y[2 * row.node] = row.x;
    y[2 * row.node + 1] = row.y;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < i; ++k)
        y[i] -= A[i * n + k] * y[k];
      y[i] /= A[i * n + i];
    }
    Y.push_back(y);
  }
  std::vector<double> W(rows.size() * rows.size(), 0.);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows.size(); ++j)
      for (std::size_t k = 0; k < n; ++k)
        W[i * rows.size() + j] += Y[i][k] * Y[j][k];
  return W;
}

/// Returns a problem with these rows (alternately normal and tangent) and the velocities H v.
inline FrictionContactProblem problem_of_rows(std::size_t m, double mass,
                                              const std::vector<Row> &rows,
                                              const std::vector<double> &v, double mu) {
  FrictionContactProblem problem;
  problem.n_contacts = rows.size() / 2;
  problem.W = delassus(grid_matrix(m, mass), rows);
  for (const Row &row : rows)
    problem.q.push_back(row.x * v[2 * row.node] + row.y * v[2 * row.node + 1]);
  problem.mu.assign(problem.n_contacts, mu);
  problem.version = new_version();
  return problem;
}

/// Returns the rows of both edges of a block in a corner: y ≥ 0 below and x ≥ 0 to the left. The
/// corner node has two frames, so that W lacks two ranks.
inline std::vector<Row> corner_rows(std::size_t m) {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < m; ++i)
    rows.insert(rows.end(), {{i, 0., 1.}, {i, 1., 0.}});
  for (std::size_t j = 0; j < m; ++j)
    rows.insert(rows.end(), {{j * m, 1., 0.}, {j * m, 0., -1.}});
  return rows;
}

/// Returns velocities of the grid's nodes, mostly into the corner.
inline std::vector<double> pressing_velocities(std::size_t m, Random &random) {
  std::vector<double> v;
  for (std::size_t k = 0; k < 2 * m * m; ++k)
    v.push_back(random(-1., 0.2));
  return v;
}

inline FrictionContactProblem corner_problem(std::size_t m, double mass, double mu,
                                             unsigned int seed) {
  Random random(seed);
  return problem_of_rows(m, mass, corner_rows(m), pressing_velocities(m, random), mu);
}

} // namespace percussion::sample
