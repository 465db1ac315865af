#include <percussion/base/instantiate.h>
#include <percussion/cone/admm.h>
#include <percussion/cone/residual.h>

#include "delassus_factors.h"
#include <cmath>

namespace percussion {
namespace {

template <int d>
class AlternatingDirections {
public:
  AlternatingDirections(const FrictionContactProblem &contact_problem, const std::vector<double> &p)
      : problem(contact_problem), W(contact_problem), scale(W.percussion_scales()) {
    const std::size_t n = p.size();
    z.resize(n);
    y.resize(n);
    q.resize(n);
    std::vector<double> u;
    velocities<d>(problem, p, u);
    for (std::size_t k = 0; k < n; ++k) {
      q[k] = scale[k / d] * problem.q[k];
      z[k] = p[k] / scale[k / d];
      y[k] = -scale[k / d] * u[k] / rho;
    }
    for (std::size_t i = 0; i < problem.n_contacts; ++i)
      y[d * i] -= problem.mu[i] * plain_norm(&y[d * i + 1], d - 1);
  }

  /// Factorises W + ρ. Returns false if it is singular.
  bool factorise() {
    return factors.factorise(W, [this](std::size_t i, std::size_t j, const double *block,
                                       std::size_t stride, auto &&result) {
      for (std::size_t k = 0; k < d; ++k)
        for (std::size_t l = 0; l < d; ++l)
          result(k, l) =
              scale[i] * block[k * stride + l] * scale[j] + (i == j && k == l ? rho : 0.);
    });
  }

  /// Computes one iteration. Returns false if the result is not finite.
  bool iterate() {
    constexpr double relaxation = 1.6;
    x.resize(q.size());
    for (std::size_t k = 0; k < x.size(); ++k)
      x[k] = rho * (z[k] - y[k]) - q[k];
    for (std::size_t i = 0; i < problem.n_contacts; ++i)
      x[d * i] -= problem.mu[i] * rho * plain_norm(&y[d * i + 1], d - 1);
    if (!factors.solve(W, x))
      return false;
    old_z = z;
    for (std::size_t k = 0; k < x.size(); ++k) {
      const double relaxed = relaxation * x[k] + (1. - relaxation) * z[k];
      z[k] = relaxed + y[k];
      y[k] = z[k];
    }
    for (std::size_t i = 0; i < problem.n_contacts; ++i)
      project_on_coulomb_cone(problem.mu[i], d, &z[d * i]);
    for (std::size_t k = 0; k < x.size(); ++k) {
      y[k] -= z[k];
      x[k] -= z[k];
      old_z[k] -= z[k];
    }
    primal = plain_norm(x);
    dual = rho * plain_norm(old_z);
    return true;
  }

  /// Changes ρ if the two residuals differ much. Returns true if it has changed.
  bool balance() {
    constexpr double limit = 5.;
    const double ratio = primal * (1. + rho * plain_norm(y)) / (dual * (1. + plain_norm(z)));
    if (!std::isfinite(ratio) || (ratio < limit && ratio > 1. / limit))
      return false;
    const double factor = std::min(10., std::max(0.1, std::sqrt(ratio)));
    if (rho * factor < 1e-6 || rho * factor > 1e6)
      return false;
    rho *= factor;
    for (double &entry : y)
      entry /= factor;
    return true;
  }

  void percussions(std::vector<double> &p) const {
    for (std::size_t k = 0; k < p.size(); ++k)
      p[k] = scale[k / d] * z[k];
  }

private:
  const FrictionContactProblem &problem;
  DelassusOperator<d> W;
  std::vector<double> scale; ///< scale of the percussions; velocities are scaled by the inverse
  std::vector<double> q, x, y, z, old_z;
  double rho = 1., primal = 0., dual = 0.;
  DelassusFactors<d> factors;
};

} // namespace

template <int d>
unsigned int admm(const FrictionContactProblem &problem, double tolerance,
                  unsigned int max_iterations, const Deadline &deadline, std::vector<double> &p) {
  constexpr unsigned int check_interval = 5;
  double best_residual = natural_map_residual(problem, p);
  if (best_residual <= tolerance || deadline.is_over())
    return 0;
  AlternatingDirections<d> method(problem, p);
  if (!method.factorise())
    return 0;
  std::vector<double> candidate = p;
  unsigned int next_balance = 20;
  for (unsigned int iteration = 1; iteration <= max_iterations; ++iteration) {
    if (!method.iterate())
      return iteration;
    if (iteration % check_interval != 0 && iteration != max_iterations)
      continue;
    method.percussions(candidate);
    const double residual = natural_map_residual(problem, candidate);
    if (residual < best_residual) {
      best_residual = residual;
      p = candidate;
    }
    if (best_residual <= tolerance || deadline.is_over())
      return iteration;
    if (iteration >= next_balance) {
      next_balance = iteration + iteration / 2;
      if (method.balance() && !method.factorise())
        return iteration;
    }
  }
  return max_iterations;
}

PERCUSSION_INSTANTIATE(admm);

} // namespace percussion
