#include <percussion/balance/balance_size.h>
#include <percussion/base/format.h>
#include <percussion/base/instantiate.h>
#include <percussion/dynamics/choose_contact_route.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace percussion {
namespace {

/// Largest number of entries of a dense operator of contacts on the trace, see ContactSystem.
constexpr std::size_t max_condensed_entries = 3000;
/// Number of entries of a factor [8 bytes each] above which iterations replace it.
constexpr double max_factor_entries = 6e8;
/// Number of contact rows below which the dense operator is not replaced: its time is negligible.
constexpr unsigned int min_rows = 600;
/// Number of unknowns from which on mixed precision is chosen.
constexpr double min_unknowns_of_mixed = 2e4;

/// Times of a step with many contacts, in multiplications.
struct Estimate {
  double iterations, product,
      sweep; ///< iterations with the diagonal, one product, one factor sweep
  bool is_linear;

  /// Solutions by the factor in all corrections. If it changes, also the part of its computation
  /// that falls to one step, in operations on dense blocks, ten at a time.
  double factor_time() const {
    constexpr double n_corrections = 6, n_steps_of_factor = 10;
    return is_linear ? 2. * sweep
                     : n_corrections * 2. * sweep + 0.03 * std::pow(sweep, 1.5) / n_steps_of_factor;
  }
  /// Iterations for some active sets. Several corrections have inexact iterations.
  double projected() const { return (is_linear ? 4. : 6.) * iterations * product; }
  /// Returns the smallest number of rows for which iterations take less time: the dense problem
  /// takes ½ n³ for a few active sets.
  unsigned int rows_of_equal_time() const {
    return static_cast<unsigned int>(std::cbrt(std::max(0., projected() - factor_time()) / 0.5));
  }
};

/// Returns the precision of iterations, full or mixed.
Precision precision_of_iterations(Precision choice, double n_unknowns, unsigned int dim) {
  const bool is_large = choice == Precision::automatic && n_unknowns >= min_unknowns_of_mixed;
  return dim == 3 && (choice == Precision::mixed || is_large) ? Precision::mixed : Precision::full;
}

/// Returns the description of a route with projected iterations.
std::string description_of(const ContactRoute &route, bool assembles_in_each_step) {
  const std::string iterations =
      route.min_projected_rows == 1
          ? "projected iterations"
          : format("projected iterations from %u rows of contacts on", route.min_projected_rows);
  if (!assembles_in_each_step)
    return iterations;
  return iterations + (route.preconditioning == Preconditioning::diagonal
                           ? ", with the diagonal of a matrix assembled in each step"
                           : ", with multigrid for a matrix assembled in each step");
}

} // namespace

double entries_of_factor(double n_unknowns, unsigned int dim) {
  return dim == 2 ? 4. * n_unknowns * std::log2(std::max(n_unknowns, 2.))
                  : 10. * std::pow(n_unknowns, 1.39);
}

template <int dim>
ContactRoute choose_contact_route(const System<dim> &system, const StepChoices &choices,
                                  std::size_t n_contact_entries, Projectable projectable) {
  ContactRoute route;
  const bool is_linear = has_linear_balance(system);
  route.solver = system.elastic.empty() ? LinearSolver::direct : choices.linear_solver;
  const bool may_choose_solver = route.solver == LinearSolver::automatic;
  if (may_choose_solver && !is_linear)
    route.solver = LinearSolver::direct;
  if (system.elastic.empty())
    return route;
  const BalanceSize size = balance_size(system, choices);
  route.precision = precision_of_iterations(choices.precision, size.n_unknowns, dim);
  // A product by nodes reads half of the entries, and vectors. Above the largest number of
  // iterations, multigrid takes less time.
  constexpr double least_iterations = 20, most_iterations = 150, iterations_with_factor = 15;
  // Multigrid that is rebuilt for each matrix takes as long as many iterations.
  constexpr double most_iterations_of_changing = 400;
  const double n_diagonal = std::max(least_iterations, 16. * size.courant_number);
  const Estimate time{std::min(n_diagonal, most_iterations),
                      0.5 * size.n_matrix_entries + 10. * size.n_unknowns,
                      entries_of_factor(size.n_unknowns, dim), is_linear};
  const auto set_diagonal = [&](bool takes_diagonal) {
    route.preconditioning =
        takes_diagonal ? Preconditioning::diagonal : Preconditioning::factor_or_multigrid;
  };
  set_diagonal(dim == 3 && n_diagonal * time.product < iterations_with_factor * 2. * time.sweep);
  if (!is_linear && route.solver == LinearSolver::conjugate_gradients)
    set_diagonal(n_diagonal < most_iterations_of_changing);
  if (choices.contact_elimination == ContactElimination::condensed || !system.links.empty())
    return route;
  const bool is_wide = n_contact_entries > max_condensed_entries;
  const bool has_other_laws = projectable == Projectable::none || choices.penalty != Penalty::none;
  const bool may_leave_out_factor =
      dim == 3 && may_choose_solver && projectable == Projectable::all && !has_other_laws;
  const bool is_huge = !is_linear && may_leave_out_factor && time.sweep > max_factor_entries;
  if (choices.contact_elimination == ContactElimination::projected)
    route.min_projected_rows = 1;
  else if ((dim == 2 || n_contact_entries < min_rows || has_other_laws) && !is_huge)
    return route;
  else
    route.min_projected_rows = std::max(min_rows, time.rows_of_equal_time());
  // A factor takes several times the memory of iterations. It is left out if iterations without
  // contacts hardly take longer than its sweeps, or not much longer if there may be many contacts.
  const double max_time_ratio = is_wide ? 4. : is_linear && n_contact_entries >= min_rows ? 1. : 0.;
  const bool has_fast_iterations =
      time.iterations * time.product < max_time_ratio * time.factor_time();
  const bool leaves_out_factor = may_leave_out_factor && (is_huge || has_fast_iterations);
  if (leaves_out_factor)
    route.solver = LinearSolver::conjugate_gradients;
  const bool has_no_factor = route.solver == LinearSolver::conjugate_gradients;
  if (leaves_out_factor || (has_no_factor && (is_wide || !is_linear)))
    route.min_projected_rows = 1;
  if (!is_linear && has_no_factor)
    set_diagonal(n_diagonal < most_iterations_of_changing);
  route.reason = format("contacts on up to %zu of %.0f degrees of freedom, Courant number %.2g: ",
                        n_contact_entries, size.n_unknowns, size.courant_number) +
                 description_of(route, !is_linear && has_no_factor);
  return route;
}

PERCUSSION_INSTANTIATE(choose_contact_route);

} // namespace percussion
