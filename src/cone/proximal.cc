#include <percussion/cone/nsgs.h>
#include <percussion/cone/operators.h>
#include <percussion/cone/proximal.h>
#include <percussion/cone/residual.h>

#include "delassus_operator.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace percussion {
namespace {

constexpr double least_epsilon = 1e-10, largest_epsilon = 10.;
constexpr double fast_contraction = 1e-2; ///< per step: ε is small enough
constexpr double no_contraction = 0.9;
constexpr unsigned int many_extrapolations = 8;
constexpr double slow_contraction = 0.5; ///< while statuses change
constexpr unsigned int slow_steps = 2;

/// Returns the residual that the rounding of p may cause, for a D of these diagonal entries.
double round_off(const FrictionContactProblem &problem, const std::vector<double> &diagonal,
                 const std::vector<double> &p) {
  const std::size_t d = problem.dimension;
  double square = 0.;
  for (std::size_t row = 0; row < p.size(); ++row)
    square += diagonal[row / d] * p[row] * diagonal[row / d] * p[row];
  return 2. * std::numeric_limits<double>::epsilon() * std::sqrt(square) / (1. + norm(problem.q));
}

/// Returns the factor by which to extrapolate the last change of p: the sum of the following
/// changes with the same contraction, but not beyond the point where a closed contact opens or a
/// sticking one slips. If the statuses admit no solution there is no contraction: p would move
/// forever by equal steps, nearly in the null space of W, and moves at once to the next change of a
/// status.
template <int d>
double extrapolation_factor(const FrictionContactProblem &problem, const std::vector<double> &p,
                            const std::vector<double> &change, double contraction) {
  const double unlimited = std::numeric_limits<double>::max();
  double factor = contraction < no_contraction ? contraction / (1. - contraction) : unlimited;
  const auto meet = [&](double distance, double speed) {
    if (distance > 0. && speed > 0.)
      factor = std::min(factor, distance / speed);
  };
  for (std::size_t i = 0; i < problem.n_contacts; ++i) {
    const double *const p_i = &p[d * i], *const c = &change[d * i];
    meet(p_i[0], -c[0]);
    for (std::size_t k = 1; k < d; ++k)
      for (const double s : {1., -1.})
        meet(problem.mu[i] * p_i[0] - s * p_i[k], s * c[k] - problem.mu[i] * c[0]);
  }
  return factor < unlimited ? factor : 0.;
}

template <int d>
void extrapolate(const FrictionContactProblem &problem, const std::vector<double> &previous,
                 double contraction, std::vector<double> &p) {
  std::vector<double> change = p;
  for (std::size_t k = 0; k < p.size(); ++k)
    change[k] -= previous[k];
  const double factor = extrapolation_factor<d>(problem, p, change, contraction);
  for (std::size_t k = 0; k < p.size(); ++k)
    p[k] += factor * change[k];
}

/// Acceleration of long sequences of nearly equal steps of p, past one change of a status after the
/// other: the following steps are taken at once, twice as many each time, as long as the direction
/// stays the same.
class Stride {
public:
  /// Moves p further if its last step, from `previous`, continues such a sequence.
  bool lengthen(const std::vector<double> &previous, bool slow, std::vector<double> &p) {
    constexpr double equal_cosine = 0.98, similar_cosine = 0.8, longest = 8.;
    std::vector<double> change = p;
    for (std::size_t k = 0; k < p.size(); ++k)
      change[k] -= previous[k];
    const double sizes = norm(change) * norm(last);
    const double cosine = last.size() == p.size() && sizes > 0. ? dot(change, last) / sizes : 0.;
    if (slow && cosine > equal_cosine)
      factor = std::min(longest, std::max(1., 2. * factor));
    else
      factor = cosine < similar_cosine || factor <= 1. ? 0. : 0.5 * factor;
    for (std::size_t k = 0; k < p.size(); ++k)
      p[k] += factor * change[k];
    last = std::move(change);
    return factor > 0.;
  }

private:
  std::vector<double> last; ///< last change of p
  double factor = 0.;       ///< factor of the added change
};

} // namespace

template <int d>
bool ProximalNewton<d>::solve(const FrictionContactProblem &problem, const Options &options,
                              ConeSolution &solution) {
  if (!start(problem, options, solution))
    return false;
  std::vector<double> p = solution.p;
  double last = natural_map_residual(problem, p), smallest = least_epsilon;
  const unsigned int iterations_before = solution.iterations;
  unsigned int n_extrapolations = 0; ///< number since the residual last decreased
  unsigned int n_slow = 0;           ///< number of steps without much contraction
  const unsigned int max_steps = options.is_patient ? 100000 : 100;
  const unsigned int max_slow_steps = options.is_patient ? 60 : many_extrapolations;
  Stride stride;
  for (unsigned int step = 0; step < max_steps && !options.deadline.is_over(); ++step) {
    if (solution.iterations - iterations_before >= options.max_iterations)
      return false;
    centre(problem, p);
    const std::vector<double> previous = p;
    const double accuracy = std::max(0.1 * last, d == 3 ? round_off(problem, diagonal, p) : 0.);
    if (!solve_regularised(options, accuracy, iterations_before + options.max_iterations, p,
                           solution.iterations)) {
      smallest = std::max(10. * current_epsilon, smallest);
      if (!restart(problem, smallest, p))
        return false;
      continue;
    }
    const double residual = natural_map_residual(problem, p);
    if (residual < solution.residual) {
      take(problem, residual, solution);
      n_extrapolations = 0;
    }
    if (residual <= options.tolerance)
      return true;
    n_slow = residual > slow_contraction * last ? n_slow + 1 : 0;
    if (options.is_patient && n_slow < max_slow_steps && stride.lengthen(previous, n_slow > 0, p)) {
      last = residual;
      continue;
    }
    const bool is_converged = newton.iterations() == 1; // the statuses did not change
    if (is_converged && residual > fast_contraction * last) {
      const double contraction = residual / last;
      extrapolate<d>(problem, previous, contraction, p);
      // A smaller ε contracts faster, and breaks cycles of extrapolations.
      if (contraction < no_contraction || ++n_extrapolations % many_extrapolations == 0) {
        regularise(problem, std::max(0.1 * current_epsilon, smallest));
        smallest = std::max(0.1 * smallest, least_epsilon);
      }
    } else if (d == 3 && !is_converged &&
               n_slow >= (0.1 * current_epsilon >= smallest ? slow_steps : max_slow_steps) &&
               0.1 * current_epsilon >= least_epsilon) {
      regularise(problem, 0.1 * current_epsilon); // p is far from the solution, and Newton
                                                  // converges
      n_slow = 0;
    }
    last = residual;
  }
  return false;
}

/// Starts from the guess with the last ε of this W, or with the first one. Returns false if the
/// diagonal of W vanishes.
template <int d>
bool ProximalNewton<d>::start(const FrictionContactProblem &problem, const Options &options,
                              const ConeSolution &guess) {
  const double last_epsilon = kept_epsilon(problem);
  if (!regularise(problem, last_epsilon > 0. ? last_epsilon : options.first_epsilon))
    return false;
  if (guess.status.size() == problem.n_contacts)
    newton.start_from_status(problem, guess);
  else
    newton.start_from_percussion(problem, guess.p);
  return true;
}

/// Restarts from p after a failure of Newton, with a larger ε. Returns false if ε is too large.
template <int d>
bool ProximalNewton<d>::restart(const FrictionContactProblem &problem, double epsilon,
                                const std::vector<double> &p) {
  if (epsilon > largest_epsilon)
    return false;
  regularise(problem, epsilon);
  centre(problem, p);
  newton.start_from_percussion(regularised, p);
  return true;
}

/// Computes W_ε unless it is up to date. Returns false if the diagonal of W vanishes.
template <int d>
bool ProximalNewton<d>::regularise(const FrictionContactProblem &problem, double epsilon) {
  if (epsilon == current_epsilon && source_version != 0 && source_version == problem.version)
    return true;
  const unsigned long version = regularised.version + 1;
  regularised = problem;
  regularised.version = version;
  source_version = problem.version;
  current_epsilon = epsilon;
  diagonal = DelassusOperator<d>(problem).mean_diagonals();
  shift.resize(problem.q.size());
  for (std::size_t row = 0; row < shift.size(); ++row)
    shift[row] = epsilon * diagonal[row / d];
  add_to_diagonal(shift, regularised);
  return !shift.empty() && shift.front() > 0.;
}

/// Computes q_ε around the percussions p.
template <int d>
void ProximalNewton<d>::centre(const FrictionContactProblem &problem,
                               const std::vector<double> &p) {
  for (std::size_t row = 0; row < p.size(); ++row)
    regularised.q[row] = problem.q[row] - shift[row] * p[row];
}

/// Runs Newton from the statuses assumed last; if it fails, from the statuses after a few
/// Gauss–Seidel sweeps. Returns true if the statuses repeat or the residual meets `accuracy`.
template <int d>
bool ProximalNewton<d>::solve_regularised(const Options &options, double accuracy,
                                          unsigned int last_iteration, std::vector<double> &p,
                                          unsigned int &iterations) {
  std::vector<double> guess = p;
  // Slip directions of tiny percussions may alternate for ever within round-off.
  const double size = norm(regularised.q), least_size = std::min(size, norm(p));
  const double unit = d == 3 && least_size > 0. ? (1. + size) / least_size : 0.;
  const double attainable = round_off(regularised, diagonal, p);
  for (const unsigned int sweeps : {0U, 10U, 50U}) {
    if (sweeps > 0) {
      if (iterations >= last_iteration)
        return false;
      iterations += nsgs<d>(regularised, accuracy, sweeps, guess, options.deadline);
      newton.start_from_percussion(regularised, guess);
    }
    const NewtonOutcome outcome =
        newton.iterate(regularised, options.max_newton_iterations, options.deadline,
                       unit * attainable, unit * accuracy);
    iterations += newton.iterations();
    if (outcome == NewtonOutcome::repeated || outcome == NewtonOutcome::accurate ||
        (outcome == NewtonOutcome::unsettled &&
         natural_map_residual(regularised, newton.p()) <= accuracy)) {
      p = newton.p();
      return true;
    }
  }
  return false;
}

template <int d>
void ProximalNewton<d>::take(const FrictionContactProblem &problem, double residual,
                             ConeSolution &solution) const {
  solution.p = newton.p();
  velocities<d>(problem, solution.p, solution.u);
  solution.status.resize(problem.n_contacts);
  for (std::size_t i = 0; i < problem.n_contacts; ++i)
    solution.status[i] = newton.status(i);
  solution.residual = residual;
  solution.method = "proximal";
}

template class ProximalNewton<2>;
template class ProximalNewton<3>;

} // namespace percussion
