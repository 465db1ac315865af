#include "patches.h"

#include <percussion/cone/nsgs.h>
#include <percussion/cone/residual.h>

#include "attempts.h"
#include "delassus_operator.h"
#include "subproblem.h"
#include <algorithm>
#include <cmath>
#include <numeric>

namespace percussion {
namespace {

using Numbers = Subproblems::Numbers;
using Selection = std::vector<char>;

/// Squares of the residuals of contacts, in descending order.
struct Residuals {
  explicit Residuals(std::vector<double> contact_residuals) : square(std::move(contact_residuals)) {
    contact.resize(square.size());
    std::iota(contact.begin(), contact.end(), std::size_t{0});
    std::stable_sort(contact.begin(), contact.end(),
                     [this](std::size_t a, std::size_t b) { return square[a] > square[b]; });
  }
  std::vector<double> square;
  Numbers contact;
};

/// Selects the bodies of the contacts with the largest residuals: at most this ratio of the norm of
/// all remains.
Selection bodies_with_residual(const ContactingBodies &bodies, const Residuals &residuals,
                               double remaining_ratio) {
  double remaining = std::accumulate(residuals.square.begin(), residuals.square.end(), 0.);
  const double limit = remaining_ratio * remaining_ratio * remaining;
  Selection is_selected(bodies.n_bodies, 0);
  for (std::size_t k = 0; k < residuals.contact.size() && remaining > limit; ++k) {
    const std::size_t i = residuals.contact[k];
    remaining -= residuals.square[i];
    for (std::size_t e = bodies.row_start[i]; e < bodies.row_start[i + 1]; ++e)
      is_selected[bodies.body[e]] = 1;
  }
  return is_selected;
}

/// Returns the number of selected bodies of contact i.
std::size_t n_selected(const ContactingBodies &bodies, std::size_t i,
                       const Selection &is_selected) {
  std::size_t n = 0;
  for (std::size_t e = bodies.row_start[i]; e < bodies.row_start[i + 1]; ++e)
    n += is_selected[bodies.body[e]] != 0;
  return n;
}

/// Selects the contacts between these bodies and `n_layers` layers of neighbours.
Selection contacts_between(const ContactingBodies &bodies, unsigned int n_layers,
                           Selection is_selected) {
  const std::size_t n = bodies.row_start.size() - 1;
  for (unsigned int layer = 0; layer < n_layers; ++layer) {
    Selection extended = is_selected;
    for (std::size_t i = 0; i < n; ++i)
      if (n_selected(bodies, i, is_selected) > 0)
        for (std::size_t e = bodies.row_start[i]; e < bodies.row_start[i + 1]; ++e)
          extended[bodies.body[e]] = 1;
    is_selected = std::move(extended);
  }
  Selection contacts(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t n_bodies = bodies.row_start[i + 1] - bodies.row_start[i];
    contacts[i] = static_cast<char>(n_bodies > 0 && n_selected(bodies, i, is_selected) == n_bodies);
  }
  return contacts;
}

/// Returns the contacts of each patch. If a patch has more than `max_contacts`, fewer bodies are
/// selected.
std::vector<Numbers> patches_of(const ContactingBodies &bodies, const Residuals &residuals,
                                unsigned int n_layers, std::size_t max_contacts) {
  std::vector<Numbers> patches;
  for (const double remaining_ratio : {0.5, 0.6, 0.7, 0.8, 0.9, 0.95}) {
    const Selection selected = bodies_with_residual(bodies, residuals, remaining_ratio);
    patches = groups_of(bodies, contacts_between(bodies, n_layers, selected));
    if (std::all_of(patches.begin(), patches.end(),
                    [&](const Numbers &contacts) { return contacts.size() <= max_contacts; }))
      break;
  }
  return patches;
}

/// Returns the contacts of regions outside which the residual is small: the bodies that have it and
/// four layers of neighbours. None if they are more than a third of all contacts, or if a sweep
/// over all contacts costs little.
std::vector<Numbers> regions_of(const ContactingBodies &bodies, const Residuals &residuals,
                                double allowed) {
  constexpr std::size_t few_contacts = 300;
  constexpr unsigned int n_layers = 4;
  constexpr double allowed_ratio = 0.9, total_ratio = 0.1; // ratios of residuals that may remain
  const std::size_t n_contacts = residuals.square.size();
  if (n_contacts <= few_contacts)
    return {};
  const double size =
      std::sqrt(std::accumulate(residuals.square.begin(), residuals.square.end(), 0.));
  const Selection selected = bodies_with_residual(
      bodies, residuals, std::max(allowed_ratio * allowed / size, total_ratio));
  const Selection contacts = contacts_between(bodies, n_layers, selected);
  const auto n_in_regions = std::count(contacts.begin(), contacts.end(), char{1});
  if (3 * static_cast<std::size_t>(n_in_regions) > n_contacts)
    return {};
  return groups_of(bodies, contacts);
}

/// Solves a patch from its percussions or, if it has many contacts again by patches, a region.
/// Returns the number of iterations.
unsigned int solve_subproblem(const FrictionContactProblem &subproblem, bool is_patch,
                              double tolerance, ConeOptions options, const Deadline &deadline,
                              std::vector<double> &p) {
  constexpr double rough_residual = 1e-3; // the percussions around the patch will change
  const bool is_rough = is_patch && natural_map_residual(subproblem, p) > rough_residual;
  options.tolerance = tolerance;
  options.max_iterations = std::min(is_rough ? 100U : 600U, options.max_iterations);
  KeptNewtons<3> newtons;
  ConeSolution solution;
  solution.p = p;
  MethodRuns<3> run(subproblem, options, deadline, newtons, solution);
  run.complete_solution("none");
  run.is_patch = is_patch;
  solve_by(ConeMethod::automatic, run);
  p = solution.p;
  return solution.iterations;
}

/// Solves patches or regions to a fraction of the allowed norm of the residual. Returns the number
/// of iterations, weighted by contacts.
double solve_each(const std::vector<Numbers> &places, bool are_patches,
                  const FrictionContactProblem &problem, double allowed, const ConeOptions &options,
                  const Deadline &deadline, std::vector<double> &p) {
  constexpr double fraction = 0.3, loosest = 1e-3;
  std::vector<double> frozen = p, velocity;
  double n_all = 0.;
  for (const Numbers &contacts : places) {
    n_all += static_cast<double>(contacts.size());
    for (const std::size_t i : contacts)
      std::fill_n(&frozen[3 * i], 3, 0.);
  }
  velocities<3>(problem, frozen, velocity);
  double iterations = 0.;
  Subproblems subproblems(problem);
  for (const Numbers &contacts : places) {
    const double unit = largest_velocity(contacts, velocity);
    const auto n = static_cast<double>(contacts.size());
    const FrictionContactProblem subproblem = subproblems.of(contacts, velocity, unit);
    std::vector<double> place_percussions;
    for (const std::size_t i : contacts)
      for (std::size_t k = 0; k < 3; ++k)
        place_percussions.push_back(p[3 * i + k] / unit);
    const double tolerance =
        fraction * allowed * std::sqrt(n / n_all) / (unit * (1. + norm(subproblem.q)));
    iterations += n * solve_subproblem(subproblem, are_patches, std::min(tolerance, loosest),
                                       options, deadline, place_percussions);
    for (std::size_t row = 0; row < place_percussions.size(); ++row)
      p[3 * contacts[row / 3] + row % 3] = unit * place_percussions[row];
  }
  return iterations;
}

} // namespace

unsigned int solve_patches(const FrictionContactProblem &problem, const ConeOptions &options,
                           unsigned int max_rounds, const Deadline &deadline,
                           std::vector<double> &p) {
  constexpr unsigned int max_sweeps = 15, max_slow_rounds = 8;
  constexpr std::size_t max_contacts_at_first = 1000;
  constexpr double slow = 0.9; // contraction of the residual in a round
  constexpr double useful_residual = 1e-4, max_iterations_before = 150.;
  const double tolerance = options.tolerance, allowed = tolerance * (1. + norm(problem.q));
  const ContactingBodies &bodies = *DelassusOperator<3>(problem).bodies();
  std::vector<double> trial = p;
  double smallest = natural_map_residual(problem, p), iterations = 0.;
  unsigned int n_sweeps = 0, n_slow = 0;
  bool may_have_regions = true; // until a round with regions is slow
  const auto n = static_cast<double>(problem.n_contacts);
  const auto is_over = [&] {
    return n_sweeps + iterations / n >= options.max_iterations ||
           (smallest > useful_residual && iterations > max_iterations_before * n);
  };
  for (unsigned int round = 0; round < max_rounds && smallest > tolerance && !is_over() &&
                               n_slow < max_slow_rounds && !deadline.is_over();
       ++round) {
    const Residuals residuals(natural_map_squares(problem, trial));
    const std::vector<Numbers> regions = may_have_regions && n_slow == 0
                                             ? regions_of(bodies, residuals, allowed)
                                             : std::vector<Numbers>();
    if (!regions.empty()) {
      iterations += solve_each(regions, false, problem, allowed, options, deadline, trial);
    } else {
      const unsigned int n_layers = n_slow % 2 == 0 ? 1 : 2;
      const std::size_t max_contacts = max_contacts_at_first << (n_slow / 2);
      iterations += solve_each(patches_of(bodies, residuals, n_layers, max_contacts), true, problem,
                               allowed, options, deadline, trial);
      n_sweeps += accelerated_nsgs<3>(problem, tolerance, max_sweeps, trial, deadline);
    }
    const double residual = natural_map_residual(problem, trial);
    n_slow = residual < slow * smallest ? 0 : n_slow + 1;
    may_have_regions = may_have_regions && (regions.empty() || n_slow == 0);
    if (residual < smallest) {
      smallest = residual;
      p = trial;
    }
  }
  return n_sweeps + static_cast<unsigned int>(std::ceil(iterations / n));
}

} // namespace percussion
