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

/// Sums in four parts, which are independent and can be added in parallel.
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

/// Returns row k of contact i of W, times p.
double row_times_percussions(const FrictionContactProblem &problem, std::size_t i, std::size_t k,
                             const std::vector<double> &p) {
  const std::size_t d = problem.dimension, n = d * problem.n_contacts;
  if (problem.blocks.value.empty())
    return row_times_vector(&problem.W[(d * i + k) * n], p.data(), n);
  double sum = 0.;
  for (std::size_t b = problem.blocks.row_start[i]; b < problem.blocks.row_start[i + 1]; ++b) {
    const double *const row = &problem.blocks.value[(b * d + k) * d];
    const double *const x = &p[d * problem.blocks.column[b]];
    sum += d == 2 ? row[0] * x[0] + row[1] * x[1] : row[0] * x[0] + row[1] * x[1] + row[2] * x[2];
  }
  return sum;
}

/// Returns the square of the natural map of one contact with velocity u. Inside the cone it is u +
/// μ‖u_T‖ n, inside the polar cone p; in these forms there is no cancellation in p − u.
template <std::size_t d>
double natural_map_squared(double mu, const double *p, std::array<double, d> u) {
  std::array<double, d> x;
  u[0] += mu * norm(u.data() + 1, d - 1);
  for (std::size_t k = 0; k < d; ++k)
    x[k] = p[k] - u[k];
  const double tangential = norm(x.data() + 1, d - 1);
  double square = 0.;
  if (x[0] >= 0. && tangential <= mu * x[0]) {
    for (std::size_t k = 0; k < d; ++k)
      square += u[k] * u[k];
  } else if (mu * tangential <= -x[0]) {
    for (std::size_t k = 0; k < d; ++k)
      square += p[k] * p[k];
  } else {
    const double normal = (x[0] + mu * tangential) / (1. + mu * mu);
    square = (p[0] - normal) * (p[0] - normal);
    for (std::size_t k = 1; k < d; ++k) {
      const double defect = p[k] - mu * normal / tangential * x[k];
      square += defect * defect;
    }
  }
  return square;
}

/// Returns the sum of these squares over the contacts, with velocity_of(row).
template <std::size_t d, typename Velocity>
double sum_of_squares(std::size_t n_contacts, const double *mu, const double *p,
                      const Velocity &velocity_of) {
  double square = 0.;
  for (std::size_t i = 0; i < n_contacts; ++i) {
    std::array<double, d> u;
    for (std::size_t k = 0; k < d; ++k)
      u[k] = velocity_of(d * i + k);
    square += natural_map_squared<d>(mu[i], p + d * i, u);
  }
  return square;
}

template <typename Problem, typename Velocity>
double norm_of_natural_map(const Problem &problem, const std::vector<double> &p,
                           const Velocity &velocity_of) {
  const std::size_t n = problem.n_contacts;
  const double *const mu = problem.mu.data();
  return std::sqrt(problem.dimension == 2 ? sum_of_squares<2>(n, mu, p.data(), velocity_of)
                                          : sum_of_squares<3>(n, mu, p.data(), velocity_of));
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
  const bool at_rest = std::all_of(p.begin(), p.end(), [](double x) { return x == 0.; });
  const auto velocity_of = [&](std::size_t row) {
    return problem.q[row] + (at_rest ? 0. : row_times_percussions(problem, row / d, row % d, p));
  };
  return norm_of_natural_map(problem, p, velocity_of) /
         (1. + norm(problem.q.data(), problem.q.size()));
}

double natural_map_residual(const FrictionContactProblem &problem, const std::vector<double> &p,
                            const std::vector<double> &u) {
  return norm_of_natural_map(problem, p, [&u](std::size_t row) { return u[row]; }) /
         (1. + norm(problem.q.data(), problem.q.size()));
}

std::vector<double> local_velocities(const FrictionContactProblem &problem,
                                     const std::vector<double> &p) {
  std::vector<double> u = problem.q;
  for (std::size_t row = 0; row < u.size(); ++row)
    u[row] += row_times_percussions(problem, row / problem.dimension, row % problem.dimension, p);
  return u;
}

double natural_map_residual(const GlobalFrictionContactProblem &problem,
                            const GlobalConeSolution &solution) {
  std::vector<double> u = problem.b, defect = problem.q;
  for (std::size_t row = 0; row < problem.H.n_rows; ++row) {
    for (std::size_t k = problem.H.row_start[row]; k < problem.H.row_start[row + 1]; ++k) {
      u[problem.H.column[k]] += problem.H.value[k] * solution.v[row];
      defect[row] += problem.H.value[k] * solution.p[problem.H.column[k]];
    }
    for (std::size_t k = problem.M.row_start[row]; k < problem.M.row_start[row + 1]; ++k)
      defect[row] -= problem.M.value[k] * solution.v[problem.M.column[k]];
  }
  const double map =
      norm_of_natural_map(problem, solution.p, [&u](std::size_t row) { return u[row]; });
  return map / (1. + norm(problem.b.data(), problem.b.size())) +
         norm(defect.data(), defect.size()) / (1. + norm(problem.q.data(), problem.q.size()));
}

} // namespace percussion
