#include <percussion/cone/admm.h>
#include <percussion/cone/residual.h>

#include "full_system.h"
#include <cmath>

namespace percussion {
namespace {

double norm(const std::vector<double> &x) {
  double square = 0.;
  for (const double component : x)
    square += component * component;
  return std::sqrt(square);
}

template <int d>
class AlternatingDirections {
public:
  AlternatingDirections(const FrictionContactProblem &problem, const std::vector<double> &p)
      : problem_(problem), scale_(delassus::percussion_scales<d>(problem)) {
    const std::size_t n = p.size();
    z_.resize(n);
    y_.resize(n);
    q_.resize(n);
    std::vector<double> u;
    delassus::velocities<d>(problem, p, u);
    for (std::size_t k = 0; k < n; ++k) {
      q_[k] = scale_[k / d] * problem.q[k];
      z_[k] = p[k] / scale_[k / d];
      y_[k] = -scale_[k / d] * u[k] / rho_;
    }
    for (std::size_t i = 0; i < problem.n_contacts; ++i)
      y_[d * i] -= problem.mu[i] * tangential_norm(&y_[d * i]);
  }

  /// Factorise W + ρ. False if that is not possible.
  bool factorise() {
    return factorise_full<d>(
        problem_,
        [this](std::size_t i, std::size_t k, std::size_t j, std::size_t l, const double *block,
               std::size_t stride) {
          return scale_[i] * block[k * stride + l] * scale_[j] + (i == j && k == l ? rho_ : 0.);
        },
        system_);
  }

  /// One iteration. False if it is not finite.
  bool iterate() {
    constexpr double relaxation = 1.6;
    x_.resize(q_.size());
    for (std::size_t k = 0; k < x_.size(); ++k)
      x_[k] = rho_ * (z_[k] - y_[k]) - q_[k];
    for (std::size_t i = 0; i < problem_.n_contacts; ++i)
      x_[d * i] -= problem_.mu[i] * rho_ * tangential_norm(&y_[d * i]);
    if (!system_.solve(x_))
      return false;
    old_z_ = z_;
    for (std::size_t k = 0; k < x_.size(); ++k) {
      const double relaxed = relaxation * x_[k] + (1. - relaxation) * z_[k];
      z_[k] = relaxed + y_[k];
      y_[k] = z_[k];
    }
    for (std::size_t i = 0; i < problem_.n_contacts; ++i)
      project_on_coulomb_cone(problem_.mu[i], d, &z_[d * i]);
    for (std::size_t k = 0; k < x_.size(); ++k) {
      y_[k] -= z_[k];
      x_[k] -= z_[k];
      old_z_[k] -= z_[k];
    }
    primal_ = norm(x_);
    dual_ = rho_ * norm(old_z_);
    return true;
  }

  /// Another ρ where one of the two residuals is far from the other. Whether there was need.
  bool balance() {
    constexpr double far = 5.;
    const double ratio = primal_ * (1. + rho_ * norm(y_)) / (dual_ * (1. + norm(z_)));
    if (!std::isfinite(ratio) || (ratio < far && ratio > 1. / far))
      return false;
    const double factor = std::min(10., std::max(0.1, std::sqrt(ratio)));
    if (rho_ * factor < 1e-6 || rho_ * factor > 1e6)
      return false;
    rho_ *= factor;
    for (double &entry : y_)
      entry /= factor;
    return true;
  }

  void percussions(std::vector<double> &p) const {
    for (std::size_t k = 0; k < p.size(); ++k)
      p[k] = scale_[k / d] * z_[k];
  }

private:
  static double tangential_norm(const double *x) {
    double square = 0.;
    for (std::size_t k = 1; k < d; ++k)
      square += x[k] * x[k];
    return std::sqrt(square);
  }

  const FrictionContactProblem &problem_;
  std::vector<double> scale_; ///< of each contact's percussions; velocities take the inverse
  std::vector<double> q_, x_, y_, z_, old_z_;
  double rho_ = 1., primal_ = 0., dual_ = 0.;
  LinearSystem system_;
};

} // namespace

template <int d>
unsigned int admm(const FrictionContactProblem &problem, double tolerance,
                  unsigned int max_iterations, const Deadline &deadline, std::vector<double> &p) {
  constexpr unsigned int check_interval = 5;
  double least = natural_map_residual(problem, p);
  if (least <= tolerance || deadline.is_over())
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
    if (residual < least) {
      least = residual;
      p = candidate;
    }
    if (least <= tolerance || deadline.is_over())
      return iteration;
    if (iteration >= next_balance) {
      next_balance = iteration + iteration / 2;
      if (method.balance() && !method.factorise())
        return iteration;
    }
  }
  return max_iterations;
}

template unsigned int admm<2>(const FrictionContactProblem &, double, unsigned int,
                              const Deadline &, std::vector<double> &);
template unsigned int admm<3>(const FrictionContactProblem &, double, unsigned int,
                              const Deadline &, std::vector<double> &);

} // namespace percussion
