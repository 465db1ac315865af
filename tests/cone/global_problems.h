#pragma once

#include "corner_problems.h"
#include <array>

/// Global contact problems, and dense linear algebra to compare with.
namespace percussion::sample {

/// Returns the rows of a dense matrix without zeros.
inline CompressedRows compressed(const std::vector<double> &dense, std::size_t n_rows,
                                 std::size_t n_columns) {
  CompressedRows matrix;
  matrix.n_rows = n_rows;
  matrix.n_columns = n_columns;
  matrix.row_start.assign(1, 0);
  for (std::size_t row = 0; row < n_rows; ++row) {
    for (std::size_t column = 0; column < n_columns; ++column)
      if (const double entry = dense[row * n_columns + column]; entry != 0.) {
        matrix.column.push_back(column);
        matrix.value.push_back(entry);
      }
    matrix.row_start.push_back(matrix.column.size());
  }
  return matrix;
}

inline std::vector<double> dense_of(const CompressedRows &matrix) {
  std::vector<double> dense(matrix.n_rows * matrix.n_columns, 0.);
  for (std::size_t row = 0; row < matrix.n_rows; ++row)
    for (std::size_t k = matrix.row_start[row]; k < matrix.row_start[row + 1]; ++k)
      dense[row * matrix.n_columns + matrix.column[k]] = matrix.value[k];
  return dense;
}

/// Solves by Gauss elimination without pivoting, for definite matrices.
inline std::vector<double> solve_dense(std::vector<double> A, std::vector<double> x) {
  const std::size_t n = x.size();
  for (std::size_t pivot = 0; pivot < n; ++pivot)
    for (std::size_t row = pivot + 1; row < n; ++row)
      if (const double factor = A[row * n + pivot] / A[pivot * n + pivot]; factor != 0.) {
        for (std::size_t k = pivot; k < n; ++k)
          A[row * n + k] -= factor * A[pivot * n + k];
        x[row] -= factor * x[pivot];
      }
  for (std::size_t row = n; row-- > 0;) {
    for (std::size_t k = row + 1; k < n; ++k)
      x[row] -= A[row * n + k] * x[k];
    x[row] /= A[row * n + row];
  }
  return x;
}

/// Returns an m × m grid of springs with its lower edge on the ground: 2D, m contacts, W full.
inline GlobalFrictionContactProblem grid_on_ground(std::size_t m, double mu, Random &random) {
  GlobalFrictionContactProblem problem;
  problem.n_contacts = m;
  const std::size_t n = 2 * m * m;
  problem.M = compressed(grid_matrix(m, 0.5), n, n);
  std::vector<double> H(n * 2 * m, 0.);
  for (std::size_t i = 0; i < m; ++i) { // node i of the lowest row; normal y, tangent x
    H[(2 * i + 1) * 2 * m + 2 * i] = 1.;
    H[2 * i * 2 * m + 2 * i + 1] = 1.;
  }
  problem.H = compressed(H, n, 2 * m);
  for (std::size_t k = 0; k < n; ++k)
    problem.q.push_back(k % 2 == 0 ? random(-1., 1.) : random(-1., 0.3));
  for (std::size_t k = 0; k < 2 * m; ++k)
    problem.b.push_back(random(-0.2, 0.2));
  problem.mu.assign(m, mu);
  return problem;
}

/// Adds the rows of a contact for a body's velocity, n · (v + ω × arm) and so on, times `sign`. The
/// frame is (n, t, n × t); `arm` is the position relative to the body's centre.
inline void add_rigid_body(std::size_t body, double sign, const std::array<double, 3> &arm,
                           std::size_t contact, std::size_t n_columns, std::vector<double> &H) {
  const double frame[3][3] = {{0., 0., 1.}, {1., 0., 0.}, {0., 1., 0.}};
  for (std::size_t k = 0; k < 3; ++k) {
    const double *const e = frame[k];
    const double row[6] = {e[0],
                           e[1],
                           e[2],
                           arm[1] * e[2] - arm[2] * e[1],
                           arm[2] * e[0] - arm[0] * e[2],
                           arm[0] * e[1] - arm[1] * e[0]};
    for (std::size_t l = 0; l < 6; ++l)
      H[(6 * body + l) * n_columns + 3 * contact + k] += sign * row[l];
  }
}

/// Returns towers of rigid blocks with three contacts under each, on the ground or on the block
/// below.
inline GlobalFrictionContactProblem towers(std::size_t n_towers, std::size_t height, double mu,
                                           Random &random) {
  GlobalFrictionContactProblem problem;
  problem.dimension = 3;
  const std::size_t n_bodies = n_towers * height, n = 6 * n_bodies, m = 9 * n_bodies;
  problem.n_contacts = 3 * n_bodies;
  std::vector<double> M(n * n, 0.), H(n * m, 0.);
  for (std::size_t body = 0; body < n_bodies; ++body) {
    const double mass = random(0.5, 2.);
    for (std::size_t k = 0; k < 6; ++k)
      M[(6 * body + k) * (n + 1)] = k < 3 ? mass : random(0.2, 0.4) * mass;
    M[(6 * body + 3) * n + 6 * body + 4] = M[(6 * body + 4) * n + 6 * body + 3] = 0.05 * mass;
    for (std::size_t c = 0; c < 3; ++c) {
      const double angle = 2.1 * static_cast<double>(c) + random(-0.2, 0.2);
      const double x = std::cos(angle), y = std::sin(angle);
      add_rigid_body(body, 1., {x, y, -0.5}, 3 * body + c, m, H);
      if (body % height > 0)
        add_rigid_body(body - 1, -1., {x, y, 0.5}, 3 * body + c, m, H);
    }
  }
  problem.M = compressed(M, n, n);
  problem.H = compressed(H, n, m);
  for (std::size_t k = 0; k < n; ++k)
    problem.q.push_back(k % 6 == 2 ? random(-1., -0.3) : random(-0.3, 0.3));
  problem.b.assign(m, 0.);
  problem.mu.assign(problem.n_contacts, mu);
  return problem;
}

} // namespace percussion::sample
