#include <percussion/base/anderson.h>
#include <percussion/base/instantiate.h>
#include <percussion/cone/local_solver.h>
#include <percussion/cone/nsgs.h>
#include <percussion/cone/residual.h>

#include "delassus_operator.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace percussion {
namespace {

/// Acceleration of a fixed-point iteration of percussions x → image(x), by Anderson's method.
/// Percussions are weighted by the inverses of `scale`, one for each contact.
template <int d>
struct Acceleration {
  /// Replaces x by the next point; by the image, without memory, if image(x) − x has more than
  /// doubled.
  void extrapolate(std::vector<double> &x, const std::vector<double> &image) {
    constexpr double growth = 2.;
    std::vector<double> residual = image;
    for (std::size_t k = 0; k < x.size(); ++k)
      residual[k] = (image[k] - x[k]) / scale[k / d];
    x = image;
    const double size = norm(residual), previous_size = std::exchange(last_size, size);
    if (previous_size > 0. && size > growth * previous_size) {
      anderson.clear();
      last_size = 0.;
      return;
    }
    const std::vector<double> excess = anderson.excess(std::move(residual), image);
    for (std::size_t k = 0; k < x.size(); ++k)
      x[k] -= excess[k];
  }

  std::vector<double> scale;
  Anderson anderson{5};
  double last_size = 0.; ///< norm of the last residual
};

/// Solves contact i with the percussions of the first `n_acting` contacts. Returns the square of
/// its change of velocity W_ii Δp_i.
template <int d>
double solve_contact(const FrictionContactProblem &problem, const DelassusOperator<d> &W,
                     std::size_t i, std::size_t n_acting, std::vector<double> &p) {
  const local::Block<d> W_ii = W.diagonal_block(i);
  local::Vector<d> q = W.product(i, p.data(), n_acting);
  for (std::size_t k = 0; k < d; ++k) // without the contribution of its percussion
    q[k] = problem.q[d * i + k] + q[k];
  for (std::size_t k = 0; k < d; ++k)
    for (std::size_t l = 0; l < d; ++l)
      q[k] -= W_ii[k][l] * p[d * i + l];
  const local::Vector<d> p_i = local::solve_one_contact<d>(W_ii, q, problem.mu[i]);
  double change = 0.;
  for (std::size_t k = 0; k < d; ++k) {
    double velocity_change = 0.;
    for (std::size_t l = 0; l < d; ++l)
      velocity_change += W_ii[k][l] * (p_i[l] - p[d * i + l]);
    change += velocity_change * velocity_change;
  }
  for (std::size_t k = 0; k < d; ++k)
    p[d * i + k] = p_i[k];
  return change;
}

/// Runs one sweep; from rest, only preceding contacts act on a contact. Returns the norm of the
/// changes of velocity.
template <int d>
double sweep(const FrictionContactProblem &problem, std::vector<double> &p) {
  const DelassusOperator<d> W(problem);
  const bool starts_at_rest = vanishes(p);
  double change = 0.;
  for (std::size_t i = 0; i < problem.n_contacts; ++i)
    change += solve_contact<d>(problem, W, i, starts_at_rest ? i : problem.n_contacts, p);
  return std::sqrt(change);
}

} // namespace

template <int d>
unsigned int nsgs(const FrictionContactProblem &problem, double tolerance, unsigned int max_sweeps,
                  std::vector<double> &p, const Deadline &deadline) {
  // A sweep corrects the error left by the previous one. As long as this error is large, there is
  // no need to evaluate the residual, which costs as much as a sweep.
  double threshold = tolerance * (1. + plain_norm(problem.q));
  for (unsigned int n_sweeps = 1; n_sweeps <= max_sweeps; ++n_sweeps) {
    const double change = sweep<d>(problem, p);
    if (deadline.is_over())
      return n_sweeps;
    if (change > threshold)
      continue;
    if (change == 0. || natural_map_residual(problem, p) <= tolerance)
      return n_sweeps;
    threshold = 0.5 * change;
  }
  return max_sweeps;
}

template <int d>
unsigned int accelerated_nsgs(const FrictionContactProblem &problem, double tolerance,
                              unsigned int max_sweeps, std::vector<double> &p,
                              const Deadline &deadline) {
  constexpr unsigned int max_stalled = 20;    // sweeps that do not reduce the change of velocity
  constexpr unsigned int first_compared = 10; // changes spread in the first sweeps
  constexpr double reduction = 0.8;
  const double negligible = 2. * tolerance * (1. + norm(problem.q));
  double smallest = std::numeric_limits<double>::infinity();
  unsigned int last_progress = 0;
  Acceleration<d> acceleration{DelassusOperator<d>(problem).percussion_scales()};
  std::vector<double> start = p;
  for (unsigned int n_sweeps = 1; n_sweeps <= max_sweeps; ++n_sweeps) {
    p = start;
    const double change = sweep<d>(problem, p);
    if (n_sweeps >= first_compared && change < reduction * smallest) {
      smallest = change;
      last_progress = n_sweeps;
    }
    if (change == 0. || n_sweeps - last_progress >= max_stalled || deadline.is_over() ||
        (change <= negligible && natural_map_residual(problem, p) <= tolerance))
      return n_sweeps;
    acceleration.extrapolate(start, p);
  }
  return max_sweeps;
}

template <int d>
unsigned int relax(const FrictionContactProblem &problem, double tolerance, unsigned int max_sweeps,
                   std::vector<double> &p, const Deadline &deadline) {
  const std::size_t n = problem.n_contacts;
  const DelassusOperator<d> W(problem);
  const double negligible = tolerance * (1. + norm(problem.q)), limit = negligible * negligible;
  std::vector<char> is_pending(n, 1);
  std::size_t n_pending = n, n_solved = 0;
  while (n_pending > 0 && n_solved < max_sweeps * n && !deadline.is_over())
    for (std::size_t i = 0; i < n && n_solved < max_sweeps * n; ++i) {
      if (is_pending[i] == 0)
        continue;
      is_pending[i] = 0;
      --n_pending;
      ++n_solved;
      if (static_cast<double>(n) * solve_contact<d>(problem, W, i, n, p) <= limit)
        continue;
      W.visit_row_blocks(i, [&](std::size_t j, const double *, std::size_t) {
        n_pending += j != i && is_pending[j] == 0;
        is_pending[j] |= static_cast<char>(j != i);
      });
    }
  return static_cast<unsigned int>((n_solved + n - 1) / n);
}

PERCUSSION_INSTANTIATE(nsgs);
PERCUSSION_INSTANTIATE(accelerated_nsgs);
PERCUSSION_INSTANTIATE(relax);

} // namespace percussion
