#include "projected_contacts.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace percussion {
namespace {

/// Relative residual of the balance that does no work: as of conjugate gradients without contacts.
constexpr double relative_imbalance = 1e-14;

} // namespace

ProjectedContacts::ProjectedContacts(ContactSystem &system, const ContactVariables &v,
                                     const std::vector<double> &friction, ProjectionLimits l,
                                     KrylovVectors &vectors)
    : variables(v), mu(friction), limits(l), equations(system, v, friction, vectors) {}

void ProjectedContacts::assume(const std::vector<ContactStatus> &status,
                               const std::vector<double> &p) {
  assumed.assign(variables.contacts.size(), {});
  const bool knows_statuses =
      std::any_of(status.begin(), status.end(), [](auto s) { return s != ContactStatus::open; });
  for (std::size_t i = 0; i < assumed.size(); ++i) {
    assumed[i].status = knows_statuses ? status[i] : ContactStatus::stick;
    const Components guess = variables.local(i, p);
    const double length = tangential_norm(guess);
    if (length > 0.)
      assumed[i].direction = {guess[1] / length, guess[2] / length};
    else if (assumed[i].status == ContactStatus::slip && mu[i] > 0.)
      assumed[i].status = ContactStatus::stick;
  }
}

void ProjectedContacts::start(const std::vector<double> &c, const std::vector<double> &p0) {
  state = equations.start(c, p0);
  result = {};
  accuracy = {1e-8, 5e-5, 1e-6, 1e-4};
  constexpr double coarse = 1e-3;
  solve(coarse);
}

void ProjectedContacts::approximate(const std::vector<double> &c, const std::vector<double> &p0,
                                    double sufficient_residual) {
  constexpr unsigned int max_active_sets = 4;
  constexpr double sufficient_turn = 1e-2, any = std::numeric_limits<double>::infinity();
  state = equations.start(c, p0);
  result = {};
  accuracy = {sufficient_residual, sufficient_turn, any, any};
  result.converged = iterate(sufficient_residual, max_active_sets);
  if (result.status.empty()) // the equations have not been solved
    evaluate_law();
  for (std::size_t i = 0; i < assumed.size(); ++i)
    result.status[i] = assumed[i].status;
}

void ProjectedContacts::refine() {
  accuracy = {relative_imbalance, 1e-8, 1e-12, limits.tolerance};
  solve(relative_imbalance);
}

void ProjectedContacts::change(const std::vector<double> &c) {
  equations.set_velocities(c);
  result.converged = false;
  constexpr double coarse = 1e-6;
  solve(coarse);
}

/// Solves active sets until statuses recur, if necessary from the solutions of proximal steps
/// (Rockafellar 1976),
///
///     (Â + σ D) x = b + σ D x_k + Hᵀ (P − P0) ,
///
/// with the diagonal D of Â and smaller and smaller σ: contacts depend less on each other than in
/// Â, and statuses hardly change from one step to the next.
void ProjectedContacts::solve(double first_limit) {
  constexpr unsigned int max_active_sets = 30, max_of_proximal_step = 12;
  constexpr double first_sigma = 4., least_sigma = 1e-3, reduction = 0.25, close = 1e-6;
  if (iterate(first_limit, limits.max_active_sets))
    return;
  for (double sigma = first_sigma; sigma > least_sigma; sigma *= reduction) {
    equations.set_proximal_term(sigma, state.x, state);
    is_proximal = true;
    iterate(first_limit, max_of_proximal_step);
  }
  equations.set_proximal_term(0., {}, state);
  is_proximal = false;
  if (!iterate(close, max_active_sets))
    evaluate_law();
}

/// Solves active sets until statuses recur, with smaller and smaller limits of the residual, down
/// to the required accuracy except in proximal steps. Returns true if they recur.
bool ProjectedContacts::iterate(double first_limit, unsigned int max_iterations) {
  constexpr unsigned int max_without_search = 8;
  constexpr double tightening = 1e-3, nearly_exact_turn = 5e-5, large_turn = 0.1, round_off = 1e-13,
                   large_fraction = 0.05, sufficient_for_statuses = 1e-6;
  double limit = first_limit;
  bool was_exact = false;
  Change changed;
  for (unsigned int k = 1; k <= max_iterations; ++k) {
    // The solution for statuses that recur needs no search.
    const bool searches =
        k > max_without_search && (changed.n_statuses > 0 || changed.turn >= nearly_exact_turn);
    const ProjectedState old = searches ? state : ProjectedState();
    imbalance = equations.solve(assumed, limit, state);
    ++result.n_iterations;
    result.is_singular = std::isinf(imbalance);
    if (result.is_singular)
      return false;
    if (searches)
      search(old);
    const bool is_last = limit <= accuracy.limit && imbalance <= accuracy.imbalance;
    if (is_last) // for the statuses that have been assumed
      evaluate_law();
    changed = update_statuses();
    if (is_proximal && changed.n_statuses == 0 && changed.turn < nearly_exact_turn)
      return true;
    const bool is_exact = is_last && changed.n_statuses == 0 && changed.turn < accuracy.turn;
    // Statuses that cycle although the law holds to round-off are at the edge of two.
    result.converged = is_last && result.residual <= accuracy.residual && !is_proximal &&
                       (is_exact || (k > max_without_search && result.residual <= round_off));
    if (result.converged || (is_exact && was_exact)) // the residual is round-off
      return true;
    was_exact = is_exact;
    const bool many_change = static_cast<double>(changed.n_statuses) >
                             large_fraction * static_cast<double>(assumed.size());
    // Newton squares the error of directions: the next set is exact.
    if (changed.n_statuses == 0 && changed.turn < nearly_exact_turn)
      limit = accuracy.limit;
    else if (changed.n_statuses == 0 && changed.turn < large_turn)
      limit = std::max(accuracy.limit, tightening * limit);
    else if (!many_change)
      limit =
          std::min(limit, std::max({accuracy.limit, sufficient_for_statuses, tightening * limit}));
  }
  return false;
}

} // namespace percussion
