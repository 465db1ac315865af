#include <percussion/base/instantiate.h>
#include <percussion/cone/natural_map.h>
#include <percussion/cone/residual.h>

#include "delassus_factors.h"
#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>

namespace percussion {
namespace local {
namespace {

/// Computes the projection on the cone ‖x_T‖ ≤ μ x_N and its derivative.
template <int d>
void project(double mu, const Vector<d> &x, Vector<d> &projection, Block<d> &derivative) {
  const double length = plain_norm(x.data() + 1, d - 1);
  projection = {};
  derivative = {};
  if (x[0] >= 0. && length <= mu * x[0]) {
    projection = x;
    for (std::size_t k = 0; k < d; ++k)
      derivative[k][k] = 1.;
    return;
  }
  if (mu * length <= -x[0])
    return;
  // On the lateral surface: P = a (1, μ t) with t = x_T / ‖x_T‖.
  const double a = (x[0] + mu * length) / (1. + mu * mu);
  Vector<d> ray{1.}, gradient_of_a{1. / (1. + mu * mu)};
  for (std::size_t k = 1; k < d; ++k) {
    ray[k] = length > 0. ? mu * x[k] / length : 0.;
    gradient_of_a[k] = ray[k] / (1. + mu * mu);
  }
  for (std::size_t k = 0; k < d; ++k) {
    projection[k] = a * ray[k];
    for (std::size_t l = 0; l < d; ++l)
      derivative[k][l] = ray[k] * gradient_of_a[l];
  }
  if (length > 0. && mu > 0.)
    for (std::size_t k = 1; k < d; ++k)
      for (std::size_t l = 1; l < d; ++l)
        derivative[k][l] += a / length * ((k == l ? mu : 0.) - ray[k] * ray[l] / mu);
}

} // namespace

template <int d>
NaturalMap<d> natural_map(const double *p, const Vector<d> &u, double mu, double rho) {
  const double speed = plain_norm(u.data() + 1, d - 1);
  Vector<d> x, projection;
  Block<d> derivative;
  for (std::size_t k = 0; k < d; ++k)
    x[k] = p[k] - rho * (u[k] + (k == 0 ? mu * speed : 0.));
  project<d>(mu, x, projection, derivative);

  NaturalMap<d> map;
  for (std::size_t k = 0; k < d; ++k) {
    map.value[k] = p[k] - projection[k];
    for (std::size_t l = 0; l < d; ++l) {
      map.derivative_p[k][l] = (k == l ? 1. : 0.) - derivative[k][l];
      const double speed_derivative = l > 0 && speed > 0. ? mu * u[l] / speed : 0.;
      map.derivative_u[k][l] = rho * (derivative[k][l] + derivative[k][0] * speed_derivative);
    }
  }
  return map;
}

PERCUSSION_INSTANTIATE(natural_map);

} // namespace local

namespace {

template <int d>
class NaturalMapNewton {
public:
  explicit NaturalMapNewton(const FrictionContactProblem &contact_problem)
      : problem(contact_problem), W(contact_problem), diagonal(W.mean_diagonals()) {}

  /// Evaluates the natural maps at p. Returns their norm.
  double evaluate(const std::vector<double> &p) {
    maps.resize(problem.n_contacts);
    double square = 0.;
    for (std::size_t i = 0; i < problem.n_contacts; ++i) {
      const double rho = diagonal[i] > 0. ? 1. / diagonal[i] : 1.;
      maps[i] = local::natural_map<d>(&p[d * i], velocity<d>(problem, W, i, p.data()),
                                      problem.mu[i], rho);
      for (const double component : maps[i].value)
        square += component * component;
    }
    return std::sqrt(square);
  }

  /// Computes Newton's increment of p for the maps evaluated last. Returns false if the Jacobian is
  /// singular.
  bool direction(std::vector<double> &change) {
    const bool regular =
        factors.factorise(W, [this](std::size_t i, std::size_t j, const double *block,
                                    std::size_t stride, auto &&result) {
          for (std::size_t k = 0; k < d; ++k)
            for (std::size_t l = 0; l < d; ++l) {
              result(k, l) = i == j ? maps[i].derivative_p[k][l] : 0.;
              for (std::size_t m = 0; m < d; ++m)
                result(k, l) += maps[i].derivative_u[k][m] * block[m * stride + l];
            }
        });
    change.resize(problem.q.size());
    for (std::size_t k = 0; k < change.size(); ++k)
      change[k] = -maps[k / d].value[k % d];
    return regular && factors.solve(W, change);
  }

private:
  const FrictionContactProblem &problem;
  DelassusOperator<d> W;
  std::vector<double> diagonal;
  std::vector<local::NaturalMap<d>> maps;
  DelassusFactors<d> factors;
};

} // namespace

template <int d>
unsigned int natural_map_newton(const FrictionContactProblem &problem, double tolerance,
                                unsigned int max_iterations, bool line_search,
                                const Deadline &deadline, std::vector<double> &p) {
  constexpr double decrease = 1e-4;
  constexpr unsigned int max_halvings = 12, memory = 5;

  NaturalMapNewton<d> newton(problem);
  std::vector<double> iterate = p, change, trial;
  double best_residual = natural_map_residual(problem, p), merit = newton.evaluate(iterate);
  std::deque<double> last_merits{merit};
  unsigned int iteration = 0;
  while (best_residual > tolerance && iteration < max_iterations && !deadline.is_over()) {
    ++iteration;
    if (!newton.direction(change))
      break;
    const double highest = *std::max_element(last_merits.begin(), last_merits.end());
    double step = 1.;
    for (unsigned int halving = 0;; ++halving, step *= 0.5) {
      trial = iterate;
      for (std::size_t k = 0; k < trial.size(); ++k)
        trial[k] += step * change[k];
      merit = newton.evaluate(trial);
      if (!line_search || merit <= (1. - decrease * step) * highest)
        break;
      if (halving == max_halvings)
        return iteration;
    }
    iterate = trial;
    last_merits.push_back(merit);
    if (last_merits.size() > memory)
      last_merits.pop_front();
    if (const double residual = natural_map_residual(problem, iterate); residual < best_residual) {
      best_residual = residual;
      p = iterate;
    }
  }
  return iteration;
}

PERCUSSION_INSTANTIATE(natural_map_newton);

} // namespace percussion
