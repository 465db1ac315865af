#include <percussion/cone/residual.h>

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

/// Four partial sums: one alone would wait for each addition to end.
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
  const std::size_t d = problem.dimension, n = d * problem.n_contacts;
  double square = 0.;
  for (std::size_t i = 0; i < problem.n_contacts; ++i) {
    std::array<double, 3> u{}, x{};
    for (std::size_t k = 0; k < d; ++k)
      u[k] = row_times_vector(&problem.W[(d * i + k) * n], p.data(), n) + problem.q[d * i + k];
    u[0] += problem.mu[i] * norm(u.data() + 1, d - 1);

    for (std::size_t k = 0; k < d; ++k)
      x[k] = p[d * i + k] - u[k];
    project_on_coulomb_cone(problem.mu[i], d, x.data());
    for (std::size_t k = 0; k < d; ++k)
      square += (p[d * i + k] - x[k]) * (p[d * i + k] - x[k]);
  }
  return std::sqrt(square) / (1. + norm(problem.q.data(), n));
}

} // namespace percussion
