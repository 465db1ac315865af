#include <percussion/cone/residual.h>

#include "delassus_operator.h"
#include <algorithm>
#include <cmath>

namespace percussion {
namespace {

/// Returns the square of the natural map of one contact with velocity u. Inside the cone it is u +
/// μ‖u_T‖ n, inside the polar cone p; in these forms there is no cancellation in p − u.
template <int d>
double natural_map_squared(double mu, const double *p, local::Vector<d> u) {
  local::Vector<d> x;
  u[0] += mu * plain_norm(u.data() + 1, d - 1);
  for (std::size_t k = 0; k < d; ++k)
    x[k] = p[k] - u[k];
  const double tangential = plain_norm(x.data() + 1, d - 1);
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

/// Returns the norm of the natural maps of all contacts, with velocity_of(i).
template <int d, typename Velocity>
double norm_of_natural_map(const std::vector<double> &mu, const double *p,
                           const Velocity &velocity_of) {
  double square = 0.;
  for (std::size_t i = 0; i < mu.size(); ++i)
    square += natural_map_squared<d>(mu[i], p + d * i, velocity_of(i));
  return std::sqrt(square);
}

template <int d>
double norm_of_natural_map(const std::vector<double> &mu, const std::vector<double> &p,
                           const std::vector<double> &u) {
  return norm_of_natural_map<d>(mu, p.data(), [&u](std::size_t i) {
    local::Vector<d> u_i;
    std::copy_n(&u[d * i], d, u_i.begin());
    return u_i;
  });
}

template <int d>
double norm_of_natural_map(const FrictionContactProblem &problem, const std::vector<double> &p) {
  if (vanishes(p))
    return norm_of_natural_map<d>(problem.mu, p, problem.q);
  const DelassusOperator<d> W(problem);
  return norm_of_natural_map<d>(
      problem.mu, p.data(), [&](std::size_t i) { return velocity<d>(problem, W, i, p.data()); });
}

template <int d>
std::vector<double> natural_map_squares(const FrictionContactProblem &problem,
                                        const std::vector<double> &p) {
  const DelassusOperator<d> W(problem);
  std::vector<double> squares(problem.n_contacts);
  for (std::size_t i = 0; i < problem.n_contacts; ++i)
    squares[i] =
        natural_map_squared<d>(problem.mu[i], &p[d * i], velocity<d>(problem, W, i, p.data()));
  return squares;
}

double norm_of_natural_map(unsigned int dimension, const std::vector<double> &mu,
                           const std::vector<double> &p, const std::vector<double> &u) {
  return dimension == 2 ? norm_of_natural_map<2>(mu, p, u) : norm_of_natural_map<3>(mu, p, u);
}

} // namespace

void project_on_coulomb_cone(double mu, std::size_t dimension, double *x) {
  const double tangential = plain_norm(x + 1, dimension - 1);
  if (x[0] >= 0. && tangential <= mu * x[0])
    return;
  const bool is_in_polar_cone = mu * tangential <= -x[0];
  const double normal = is_in_polar_cone ? 0. : (x[0] + mu * tangential) / (1. + mu * mu);
  const double shrink = is_in_polar_cone ? 0. : mu * normal / tangential;
  x[0] = normal;
  for (std::size_t k = 1; k < dimension; ++k)
    x[k] *= shrink;
}

double natural_map_residual(const FrictionContactProblem &problem, const std::vector<double> &p) {
  const double map = problem.dimension == 2 ? norm_of_natural_map<2>(problem, p)
                                            : norm_of_natural_map<3>(problem, p);
  return map / (1. + plain_norm(problem.q));
}

double natural_map_residual(const FrictionContactProblem &problem, const std::vector<double> &p,
                            const std::vector<double> &u) {
  return norm_of_natural_map(problem.dimension, problem.mu, p, u) / (1. + plain_norm(problem.q));
}

std::vector<double> natural_map_squares(const FrictionContactProblem &problem,
                                        const std::vector<double> &p) {
  return problem.dimension == 2 ? natural_map_squares<2>(problem, p)
                                : natural_map_squares<3>(problem, p);
}

std::vector<double> local_velocities(const FrictionContactProblem &problem,
                                     const std::vector<double> &p) {
  std::vector<double> u;
  problem.dimension == 2 ? velocities<2>(problem, p, u) : velocities<3>(problem, p, u);
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
  const double map = norm_of_natural_map(problem.dimension, problem.mu, solution.p, u);
  return map / (1. + plain_norm(problem.b)) + plain_norm(defect) / (1. + plain_norm(problem.q));
}

} // namespace percussion
