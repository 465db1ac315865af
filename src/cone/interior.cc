#include <percussion/base/instantiate.h>
#include <percussion/cone/interior.h>
#include <percussion/cone/residual.h>

#include "lorentz.h"
#include "normal_equations.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace percussion {
namespace {

using local::Vector;
using namespace lorentz;

template <int d>
class InteriorPoint {
public:
  explicit InteriorPoint(const FrictionContactProblem &contact_problem)
      : problem(contact_problem), n(contact_problem.n_contacts),
        factor(factors<d>(contact_problem)), current{Field<d>(n), Field<d>(n)}, step(current),
        defect(n), target(n), coupling(n), scaling(n), equations(contact_problem, factor) {
    double largest = 0.;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < d; ++k)
        largest = std::max(largest, std::abs(factor[i][k] * problem.q[d * i + k]));
    }
    for (std::size_t i = 0; i < n; ++i)
      current.x[i][0] = current.y[i][0] = largest > 0. ? largest : 1.;
  }

  void percussions(std::vector<double> &p) const {
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < d; ++k)
        p[d * i + k] = factor[i][k] * current.x[i][k];
  }

  /// Computes a predictor and a corrector, with the same factors. Returns false if this fails.
  bool iterate() {
    constexpr double short_step = 0.3, very_short_step = 0.2, long_step = 0.7, tiny_step = 0.1;
    linearise();
    if (!equations.factorise(scaling, coupling, damping) && damping < largest_damping) {
      damping *= 10.; // singular to round-off
      return true;
    }
    const double gap = mean_product(0.);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < d; ++k)
        target[i][k] = -current.y[i][k];
    if (!find_direction())
      return false;
    const double affine = current.longest(step, 1., 1.);
    const double ratio = std::max(0., mean_product(affine) / gap);
    const bool recentre = length < very_short_step;
    correct(gap * (recentre ? 0.8 : std::min(1., std::max(1e-6, ratio * ratio * ratio))),
            recentre ? 0. : 1.);
    if (!find_direction())
      return false;
    const double margin = std::min(0.1, std::max(1e-4, 0.1 * (1. - affine)));
    length = std::min(1., (1. - margin) * current.longest(step, 1., 1e9));
    n_tiny = length < tiny_step && damping >= largest_damping ? n_tiny + 1 : 0;
    if (length < short_step)
      damping = std::min(largest_damping, 10. * damping);
    else if (length > long_step)
      damping = std::max(least_damping, 0.3 * damping);
    current.add(length, step);
    return true;
  }

  bool is_stuck() const { return n_tiny >= 3; }

private:
  static constexpr double least_damping = 1e-8,
                          largest_damping = 1e-2; ///< damping for W_ii of order one

  /// Computes the defect W x + q + ‖y_T‖ n − y, the scaling, and the derivative of ‖y_T‖, smoothed.
  void linearise() {
    constexpr double smoothing = 0.25;
    std::vector<double> p(d * n), u;
    percussions(p);
    velocities<d>(problem, p, u);
    for (std::size_t i = 0; i < n; ++i) {
      scaling[i] = Scaling<d>(current.x[i], current.y[i]);
      const double speed = tangential_norm<d>(current.y[i]);
      const double smooth = std::sqrt(speed * speed + smoothing * determinant<d>(current.y[i]));
      for (std::size_t k = 0; k < d; ++k) {
        defect[i][k] = factor[i][k] * u[d * i + k] - current.y[i][k];
        coupling[i][k] = k > 0 && smooth > 0. ? current.y[i][k] / smooth : 0.;
      }
      if (problem.mu[i] > 0.)
        defect[i][0] += speed;
      else
        coupling[i] = {};
    }
  }

  /// Computes the targets of the corrector, from the direction of the predictor.
  void correct(double gap, double second_order) {
    for (std::size_t i = 0; i < n; ++i) {
      Vector<d> b =
          product<d>(scaling[i].times(step.x[i], true), scaling[i].times(step.y[i], false));
      for (double &component : b)
        component *= -second_order;
      b[0] += gap;
      target[i] = scaling[i].times(quotient<d>(b, scaling[i].times(current.y[i], false)), true);
      for (std::size_t k = 0; k < d; ++k)
        target[i][k] -= current.y[i][k];
    }
  }

  bool find_direction() { return equations.solve(target, defect, step.x, step.y); }

  /// Returns the mean of x · y after a step.
  double mean_product(double step_length) const {
    double sum = 0.;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < d; ++k)
        sum += (current.x[i][k] + step_length * step.x[i][k]) *
               (current.y[i][k] + step_length * step.y[i][k]);
    return sum / static_cast<double>(n);
  }

  const FrictionContactProblem &problem;
  std::size_t n;
  Field<d> factor;
  Pair<d> current, step;
  Field<d> defect, target, coupling;
  std::vector<Scaling<d>> scaling;
  double damping = least_damping, length = 1.;
  unsigned int n_tiny = 0; ///< number of consecutive steps with the largest damping
  NormalEquations<d> equations;
};

} // namespace

template <int d>
unsigned int interior_point(const FrictionContactProblem &problem, double tolerance,
                            unsigned int max_iterations, const Deadline &deadline,
                            std::vector<double> &p) {
  constexpr unsigned int max_stalled = 15; // limit of iterations without progress
  double best_residual = natural_map_residual(problem, p);
  double own_best = std::numeric_limits<double>::infinity(),
         milestone = own_best; // initial guess excluded
  InteriorPoint<d> method(problem);
  std::vector<double> candidate = p;
  unsigned int iteration = 0, last_progress = 0;
  while (best_residual > tolerance && iteration < max_iterations && !deadline.is_over()) {
    ++iteration;
    if (!method.iterate())
      break;
    method.percussions(candidate);
    const double residual = natural_map_residual(problem, candidate);
    if (residual < best_residual) {
      best_residual = residual;
      p = candidate;
    }
    own_best = std::min(own_best, residual);
    if (iteration < max_stalled || own_best < 0.5 * milestone) {
      milestone = own_best;
      last_progress = iteration;
    }
    if (iteration - last_progress >= max_stalled || method.is_stuck())
      break;
  }
  return iteration;
}

PERCUSSION_INSTANTIATE(interior_point);

} // namespace percussion
