#include <percussion/base/format.h>
#include <percussion/dynamics/contact_route.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace percussion {
namespace {

/// Largest number of degrees of freedom of a dense operator of contacts, see ContactSystem.
constexpr std::size_t max_condensed_dofs = 3000;
/// Number of contact rows below which the dense operator is not replaced: its time is negligible.
constexpr unsigned int min_rows = 600;

/// Returns the Courant number √(h² max K_ii/M_ii) of the stiffness in Â; infinite without inertia.
template <int dim>
double courant_number(const System<dim> &system, const StepChoices &choices, const TimeRule &rule) {
  if (!choices.has_inertia)
    return std::numeric_limits<double>::infinity();
  const Partition &partition = system.operators.partition;
  double square = 0;
  for (unsigned int i = partition.begin(); i < partition.end(); ++i)
    if (const double mass = system.operators.mass.diag_element(i); mass > 0.)
      square = std::max(square, choices.h * choices.h * rule.percussion_factor * rule.internal *
                                    system.operators.stiffness.diag_element(i) / mass);
  return std::sqrt(partition.largest(square));
}

/// Times of a step with many contacts, in multiplications.
struct Estimate {
  double iterations, product,
      sweep; ///< iterations with the diagonal, one product, one factor sweep

  /// A solution by the factor and a dense problem of n rows with a few active sets.
  double condensed(double n) const { return 2. * sweep + 0.5 * n * n * n; }
  /// Iterations for some active sets.
  double projected() const { return 4. * iterations * product; }
  /// Returns the smallest number of rows for which iterations take less time.
  unsigned int rows_of_equal_time() const {
    return static_cast<unsigned int>(std::cbrt(std::max(0., projected() - 2. * sweep) / 0.5));
  }
};

} // namespace

double entries_of_factor(double n_unknowns, unsigned int dim) {
  return dim == 2 ? 4. * n_unknowns * std::log2(std::max(n_unknowns, 2.))
                  : 10. * std::pow(n_unknowns, 1.39);
}

template <int dim>
ContactRoute choose_contact_route(const System<dim> &system, const StepChoices &choices,
                                  const TimeRule &rule, std::size_t n_contact_dofs,
                                  Projectable projectable) {
  ContactRoute route;
  route.solver = system.elastic.empty() ? LinearSolver::direct : choices.linear_solver;
  if (system.elastic.empty() || choices.contact_elimination == ContactElimination::condensed)
    return route;
  const double n = system.n_elastic_dofs(), courant = courant_number(system, choices, rule);
  const double n_entries = system.operators.n_stiffness_entries;
  // A product by nodes reads half of the entries, and vectors.
  constexpr double least_iterations = 20;
  // Above this number of iterations, multigrid takes less time.
  constexpr double most_iterations = 150, iterations_with_factor = 15;
  const double with_diagonal = std::max(least_iterations, 16. * courant);
  const Estimate time{std::min(with_diagonal, most_iterations), 0.5 * n_entries + 10. * n,
                      entries_of_factor(n, dim)};
  route.takes_diagonal =
      dim == 3 && with_diagonal * time.product < iterations_with_factor * 2. * time.sweep;
  const bool is_wide = n_contact_dofs > max_condensed_dofs;
  const bool has_other_laws = projectable == Projectable::none || choices.penalty != Penalty::none;
  if (choices.contact_elimination == ContactElimination::projected)
    route.min_projected_rows = 1;
  else if (dim == 2 || n_contact_dofs < min_rows || has_other_laws)
    return route;
  else
    route.min_projected_rows = std::max(min_rows, time.rows_of_equal_time());
  // Iterations without contacts must not take much longer than the sweeps of a factor.
  constexpr double max_time_ratio = 4;
  if (is_wide && dim == 3 && route.solver == LinearSolver::automatic &&
      projectable == Projectable::all && !has_other_laws &&
      time.iterations * time.product < max_time_ratio * 2. * time.sweep)
    route.solver = LinearSolver::conjugate_gradients;
  if (is_wide && route.solver == LinearSolver::conjugate_gradients)
    route.min_projected_rows = 1;
  route.reason = format("contacts on up to %zu of %.0f degrees of freedom, Courant number %.2g: ",
                        n_contact_dofs, n, courant);
  route.reason +=
      route.min_projected_rows == 1
          ? "projected iterations"
          : format("projected iterations from %u rows of contacts on", route.min_projected_rows);
  return route;
}

template ContactRoute choose_contact_route(const System<2> &, const StepChoices &, const TimeRule &,
                                           std::size_t, Projectable);
template ContactRoute choose_contact_route(const System<3> &, const StepChoices &, const TimeRule &,
                                           std::size_t, Projectable);

} // namespace percussion
