#include <percussion/cone/residual.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace percussion {
namespace {

double norm(const double *x, std::size_t n) {
  double square = 0.;
  for (std::size_t k = 0; k < n; ++k)
    square += x[k] * x[k];
  return std::sqrt(square);
}

/// Four partial sums, which are independent and can be added in parallel.
double row_times_vector(const double *row, const double *x, std::size_t n) {
  double sum[4] = {0., 0., 0., 0.};
  std::size_t k = 0;
  for (; k + 4 <= n; k += 4)
    for (std::size_t l = 0; l < 4; ++l)
      sum[l] += row[k + l] * x[k + l];
  for (; k < n; ++k)
    sum[0] += row[k] * x[k];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/// Row k of contact i of W, times p.
double row_times_percussions(const FrictionContactProblem &problem, std::size_t i, std::size_t k,
                             const std::vector<double> &p) {
  const std::size_t d = problem.dimension, n = d * problem.n_contacts;
  if (problem.blocks.value.empty())
    return row_times_vector(&problem.W[(d * i + k) * n], p.data(), n);
  double sum = 0.;
  for (std::size_t b = problem.blocks.row_start[i]; b < problem.blocks.row_start[i + 1]; ++b)
    sum += row_times_vector(&problem.blocks.value[(b * d + k) * d],
                            &p[d * problem.blocks.column[b]], d);
  return sum;
}

/// The square of the natural map of one contact with velocity u. Inside the cone it is u + μ‖u_T‖
/// n, inside the polar cone p; evaluated as such they suffer no cancellation from p − u.
double natural_map_squared(std::size_t d, double mu, const double *p, std::array<double, 3> u) {
  std::array<double, 3> x{};
  u[0] += mu * norm(u.data() + 1, d - 1);
  for (std::size_t k = 0; k < d; ++k)
    x[k] = p[k] - u[k];
  const double tangential = norm(x.data() + 1, d - 1);
  if (x[0] >= 0. && tangential <= mu * x[0])
    return norm(u.data(), d) * norm(u.data(), d);
  if (mu * tangential <= -x[0])
    return norm(p, d) * norm(p, d);
  project_on_coulomb_cone(mu, d, x.data());
  double square = 0.;
  for (std::size_t k = 0; k < d; ++k)
    square += (p[k] - x[k]) * (p[k] - x[k]);
  return square;
}

} // namespace

void project_on_coulomb_cone(double mu, std::size_t dimension, double *x) {
  const double tangential = norm(x + 1, dimension - 1);
  if (x[0] >= 0. && tangential <= mu * x[0])
    return;
  const bool in_polar_cone = mu * tangential <= -x[0];
  const double normal = in_polar_cone ? 0. : (x[0] + mu * tangential) / (1. + mu * mu);
  const double shrink = in_polar_cone ? 0. : mu * normal / tangential;
  x[0] = normal;
  for (std::size_t k = 1; k < dimension; ++k)
    x[k] *= shrink;
}

double natural_map_residual(const FrictionContactProblem &problem, const std::vector<double> &p) {
  const std::size_t d = problem.dimension;
  double square = 0.;
  const bool at_rest = std::all_of(p.begin(), p.end(), [](double x) { return x == 0.; });
  for (std::size_t i = 0; i < problem.n_contacts; ++i) {
    std::array<double, 3> u{};
    for (std::size_t k = 0; k < d; ++k)
      u[k] = problem.q[d * i + k] + (at_rest ? 0. : row_times_percussions(problem, i, k, p));
    square += natural_map_squared(d, problem.mu[i], &p[d * i], u);
  }
  return std::sqrt(square) / (1. + norm(problem.q.data(), problem.q.size()));
}

double natural_map_residual(const GlobalFrictionContactProblem &problem,
                            const GlobalConeSolution &solution) {
  const std::size_t d = problem.dimension;
  std::vector<double> u = problem.b, defect = problem.q;
  for (std::size_t row = 0; row < problem.H.n_rows; ++row) {
    for (std::size_t k = problem.H.row_start[row]; k < problem.H.row_start[row + 1]; ++k) {
      u[problem.H.column[k]] += problem.H.value[k] * solution.v[row];
      defect[row] += problem.H.value[k] * solution.p[problem.H.column[k]];
    }
    for (std::size_t k = problem.M.row_start[row]; k < problem.M.row_start[row + 1]; ++k)
      defect[row] -= problem.M.value[k] * solution.v[problem.M.column[k]];
  }
  double square = 0.;
  for (std::size_t i = 0; i < problem.n_contacts; ++i) {
    std::array<double, 3> u_i{};
    for (std::size_t k = 0; k < d; ++k)
      u_i[k] = u[d * i + k];
    square += natural_map_squared(d, problem.mu[i], &solution.p[d * i], u_i);
  }
  return std::sqrt(square) / (1. + norm(problem.b.data(), problem.b.size())) +
         norm(defect.data(), defect.size()) / (1. + norm(problem.q.data(), problem.q.size()));
}

} // namespace percussion
