#include "projected_contacts.h"

#include <algorithm>
#include <cmath>

namespace percussion {
namespace {

/// Relative residual of the balance that does no work: as of conjugate gradients without contacts.
constexpr double relative_imbalance = 1e-14;
/// Compliance of closed contacts with multipliers against changes of percussions, relative to 1/ρ:
/// it determines the changes of contacts that repeat others, and vanishes with the changes.
constexpr double regularisation = 1e-9;

bool are_symmetric(const BlockDiagonal &blocks) {
  const unsigned int d = blocks.block_size();
  for (unsigned int i = 0; i < blocks.size(); ++i)
    for (unsigned int j = d * blocks.block(i); j < i; ++j)
      if (blocks(i, j) != blocks(j, i))
        return false;
  return true;
}

double tangential_norm(const std::array<double, 3> &components) {
  return std::hypot(components[1], components[2]);
}

} // namespace

ProjectedContacts::ProjectedContacts(ContactSystem &s, const ContactVariables &v,
                                     const std::vector<double> &friction, double residual_tolerance,
                                     KrylovVectors &of_iterations)
    : system(s), variables(v), mu(friction), tolerance(residual_tolerance), vectors(of_iterations),
      multipliers(v), diagonal_of_system(s.diagonal()), x(s.size() + v.n_multipliers, 0.),
      work(x.size()), has_symmetric_blocks(are_symmetric(s.blocks())) {
  for (const ContactVariables::Contact &contact : variables.contacts) {
    diagonal_of_node.emplace_back();
    rho.push_back(stiffness_of(contact, diagonal_of_node.back()));
    if (contact.has_multiplier)
      diagonal_of_system.insert(diagonal_of_system.end(), contact.n_rows, rho.back());
  }
}

/// Returns ρ of a contact: the mean stiffness of its node, or the harmonic mean of the stiffness
/// with which its degrees of freedom resist its rows.
double ProjectedContacts::stiffness_of(const ContactVariables::Contact &contact,
                                       Components &of_node) const {
  double sum = 0;
  if (contact.has_multiplier) {
    for (unsigned int k = contact.coupled_begin; k < contact.coupled_end; ++k)
      for (const double weight : variables.coupled_dofs[k].weight)
        sum += weight * weight / diagonal_of_system[variables.coupled_dofs[k].dof];
    of_node.fill(contact.n_rows / sum);
    return contact.n_rows / sum;
  }
  for (unsigned int r = 0; r < contact.n_rows; ++r) {
    for (unsigned int a = 0; a < contact.n_rows; ++a)
      for (unsigned int b = 0; b < contact.n_rows; ++b)
        of_node[r] += contact.inverse[a][r] * contact.inverse[b][r] *
                      system.entry_of_node(contact.dof[a], contact.dof[b]);
    sum += of_node[r];
  }
  return sum / contact.n_rows;
}

void ProjectedContacts::start(const std::vector<double> &c, const std::vector<double> &p0,
                              const std::vector<ContactStatus> &status,
                              const std::vector<double> &p) {
  const std::size_t n = variables.contacts.size();
  constant.clear();
  applied.clear();
  assumed.assign(n, {});
  const bool knows_statuses =
      std::any_of(status.begin(), status.end(), [](auto s) { return s != ContactStatus::open; });
  for (std::size_t i = 0; i < n; ++i) {
    constant.push_back(variables.local(i, c));
    applied.push_back(variables.local(i, p0));
    assumed[i].status = knows_statuses ? status[i] : ContactStatus::stick;
    const Components guess = variables.local(i, p);
    const double length = tangential_norm(guess);
    if (length > 0.)
      assumed[i].direction = {guess[1] / length, guess[2] / length};
    else if (assumed[i].status == ContactStatus::slip && mu[i] > 0.)
      assumed[i].status = ContactStatus::stick;
  }
  percussion = velocity = change_of_percussion = change_of_velocity = applied;
  residual = system.deferred_right_side();
  for (double &r : residual)
    r = -r;
  residual.resize(x.size(), 0.);
  scale = norm_of_balance(residual);
  result = {};
  accuracy = {1e-8, 5e-5, 1e-6, 1e-4};
  constexpr double coarse = 1e-3;
  solve(coarse);
}

void ProjectedContacts::refine() {
  accuracy = {relative_imbalance, 1e-8, 1e-12, tolerance};
  solve(relative_imbalance);
}

void ProjectedContacts::change(const std::vector<double> &c) {
  for (std::size_t i = 0; i < constant.size(); ++i)
    constant[i] = variables.local(i, c);
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
  if (iterate(first_limit, max_active_sets))
    return;
  for (sigma = first_sigma; sigma > least_sigma; sigma *= reduction) {
    centre = x;
    iterate(first_limit, max_of_proximal_step);
  }
  sigma = 0.;
  find_residual();
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
    const std::vector<double> old_x = searches ? x : std::vector<double>(),
                              old_residual = searches ? residual : old_x;
    solve_active_set(limit);
    ++result.n_iterations;
    evaluate_contacts();
    if (searches)
      search(old_x, old_residual);
    const bool is_last = limit <= accuracy.limit && imbalance <= accuracy.imbalance;
    if (is_last) // for the statuses that have been assumed
      evaluate_law();
    changed = update_statuses();
    if (sigma > 0. && changed.n_statuses == 0 && changed.turn < nearly_exact_turn)
      return true;
    const bool is_exact = is_last && changed.n_statuses == 0 && changed.turn < accuracy.turn;
    // Statuses that cycle although the law holds to round-off are at the edge of two.
    result.converged = is_last && result.residual <= accuracy.residual && sigma == 0. &&
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
      limit = std::min(limit, std::max(sufficient_for_statuses, tightening * limit));
  }
  return false;
}

/// Solves the equations of the assumed statuses, up to a residual relative to the first one.
void ProjectedContacts::solve_active_set(double limit) {
  constexpr unsigned int max_iterations = 2000;
  invert_diagonal();
  rows.clear();
  for (std::size_t i = 0; i < assumed.size(); ++i)
    rows.push_back(rows_of(i));
  if (impose() || sigma > 0.)
    find_residual();
  std::vector<double> right = residual;
  evaluate_contacts();
  combine_rows(percussion, velocity, 1., right);
  for (double &r : right)
    r = -r;
  if (result.n_iterations == 0)
    scale = std::max(scale, residual_norm(right, inverse_diagonal));
  const double unit = scale > 0. ? scale : 1.;
  imbalance = residual_norm(right, inverse_diagonal) / unit;
  if (imbalance <= limit)
    return;
  prepare_multipliers();
  const KrylovSystem krylov{[&](const auto &y, auto &image) { apply(y, image); },
                            [&](const auto &r, auto &z) { precondition(r, z); }, inverse_diagonal};
  std::vector<double> y(x.size(), 0.);
  if (has_friction_in_slip() || !has_symmetric_blocks || variables.n_multipliers > 0)
    gmres(krylov, limit * scale, max_iterations, vectors, y, right);
  else
    conjugate_gradients(krylov, limit * scale, max_iterations, vectors, y, right);
  imbalance = residual_norm(right, inverse_diagonal) / unit;
  expand(y);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] += y[i];
  find_residual();
}

/// Changes the velocities of nodes to û_N = 0 of closed contacts and û_T = 0 of sticking ones, and
/// removes percussions of multipliers that are zero. Returns true if any has changed.
bool ProjectedContacts::impose() {
  bool is_changed = false;
  for (std::size_t i = 0; i < variables.contacts.size(); ++i) {
    const ContactVariables::Contact &contact = variables.contacts[i];
    const Components s = variables.velocity(i, x);
    Components change{};
    for (unsigned int r = 0; r < contact.n_rows; ++r)
      if (contact.has_multiplier)
        change[r] = is_transferred(i, r) ? 0. : -(x[contact.dof[r]] + applied[i][r]);
      else if (is_fixed(i, r))
        change[r] = -(s[r] + constant[i][r]);
    for (unsigned int k = 0; k < contact.n_rows; ++k)
      for (unsigned int r = 0; r < contact.n_rows; ++r) {
        x[contact.dof[k]] += contact.inverse[k][r] * change[r];
        is_changed = is_changed || change[r] != 0.;
      }
  }
  return is_changed;
}

void ProjectedContacts::find_residual() {
  residual.resize(x.size());
  multiply(x, residual);
  const std::vector<double> &b = system.deferred_right_side();
  for (std::size_t i = 0; i < b.size(); ++i)
    residual[i] -= b[i] + (sigma > 0. ? sigma * diagonal_of_system[i] * centre[i] : 0.);
}

/// Computes (Â + σ D) y − H_λᵀ λ, then λ.
void ProjectedContacts::multiply(const std::vector<double> &y, std::vector<double> &image) {
  system.multiply(y, image);
  for (unsigned int i = 0; sigma > 0. && i < system.size(); ++i)
    if (system.is_free(i))
      image[i] += sigma * diagonal_of_system[i] * y[i];
  for (const ContactVariables::Contact &contact : variables.contacts)
    for (unsigned int r = 0; contact.has_multiplier && r < contact.n_rows; ++r) {
      const double lambda = image[contact.dof[r]] = y[contact.dof[r]];
      for (unsigned int k = contact.coupled_begin; k < contact.coupled_end; ++k)
        image[variables.coupled_dofs[k].dof] -= variables.coupled_dofs[k].weight[r] * lambda;
    }
}

void ProjectedContacts::evaluate_contacts() {
  for (std::size_t i = 0; i < variables.contacts.size(); ++i) {
    percussion[i] = variables.percussion(i, residual);
    velocity[i] = variables.velocity(i, x);
    for (unsigned int r = 0; r < 3; ++r) {
      percussion[i][r] += applied[i][r];
      velocity[i][r] += constant[i][r];
    }
  }
}

bool ProjectedContacts::is_fixed(std::size_t i, unsigned int component) const {
  return component == 0 ? assumed[i].status != ContactStatus::open
                        : assumed[i].status == ContactStatus::stick;
}

/// True if a component of the percussion is not zero, and acts on the other degrees of freedom.
bool ProjectedContacts::is_transferred(std::size_t i, unsigned int component) const {
  return is_fixed(i, component) ||
         (component > 0 && assumed[i].status == ContactStatus::slip && mu[i] > 0.);
}

bool ProjectedContacts::has_friction_in_slip() const {
  for (std::size_t i = 0; i < assumed.size(); ++i)
    if (assumed[i].status == ContactStatus::slip && mu[i] > 0. && variables.contacts[i].n_rows > 1)
      return true;
  return false;
}

/// Computes the inverse diagonal of the equations of the assumed statuses.
void ProjectedContacts::invert_diagonal() {
  inverse_diagonal = diagonal_of_system;
  for (unsigned int i = 0; i < system.size(); ++i)
    inverse_diagonal[i] *= 1. + sigma;
  for (std::size_t i = 0; i < variables.contacts.size(); ++i) {
    const ContactVariables::Contact &contact = variables.contacts[i];
    for (unsigned int r = 0; r < contact.n_rows; ++r) {
      inverse_diagonal[contact.dof[r]] =
          (contact.has_multiplier ? 1. : 1. + sigma) * diagonal_of_node[i][r];
      const bool is_eliminated = is_fixed(i, r) && !contact.has_multiplier;
      for (unsigned int k = contact.coupled_begin; is_eliminated && k < contact.coupled_end; ++k) {
        const double weight = variables.coupled_dofs[k].weight[r];
        inverse_diagonal[variables.coupled_dofs[k].dof] +=
            (1. + sigma) * diagonal_of_node[i][r] * weight * weight;
      }
    }
  }
  for (double &entry : inverse_diagonal)
    entry = 1. / entry;
}

/// Replaces unknowns by the velocities of all degrees of freedom, without the constants of the law.
void ProjectedContacts::expand(std::vector<double> &y) const {
  for (std::size_t i = 0; i < variables.contacts.size(); ++i) {
    const ContactVariables::Contact &contact = variables.contacts[i];
    if (assumed[i].status == ContactStatus::open || contact.has_multiplier)
      continue;
    const Components coupled_velocity = variables.coupled_velocity(i, y);
    for (unsigned int r = 0; r < contact.n_rows; ++r)
      if (is_fixed(i, r))
        y[contact.dof[r]] = -coupled_velocity[r];
  }
  variables.make_cartesian(y);
}

/// Returns the equations of the assumed status of a contact: û_r = 0, P_r = 0, or the derivative of
/// the law of friction.
LawRows ProjectedContacts::rows_of(std::size_t i) const {
  const auto &[status, d, weight] = assumed[i];
  const unsigned int n = variables.contacts[i].n_rows;
  LawRows of_contact;
  for (unsigned int r = 0; r < n; ++r) {
    if (is_fixed(i, r)) {
      of_contact.of_velocity[r][r] = rho[i];
      continue;
    }
    of_contact.of_percussion[r][r] = 1.;
    if (r == 0 || !is_transferred(i, r))
      continue;
    of_contact.of_percussion[r][0] = -mu[i] * d[r - 1];
    for (unsigned int c = 1; c < n; ++c) {
      const double transverse = weight * ((r == c ? 1. : 0.) - d[r - 1] * d[c - 1]);
      of_contact.of_percussion[r][c] -= transverse;
      of_contact.of_velocity[r][c] += transverse * rho[i];
    }
  }
  return of_contact;
}

/// Prepares the preconditioner of multipliers for the assumed statuses.
void ProjectedContacts::prepare_multipliers() {
  if (variables.n_multipliers == 0)
    return;
  std::vector<LawRows> regular = rows;
  std::vector<std::array<bool, 3>> fixed(assumed.size());
  for (std::size_t i = 0; i < assumed.size(); ++i)
    for (unsigned int r = 0; r < 3; ++r) {
      fixed[i][r] = is_fixed(i, r);
      regular[i].of_percussion[r][r] += fixed[i][r] ? regularisation : 0.;
    }
  multipliers.factorise(inverse_diagonal, regular, fixed);
}

/// Replaces rows of Â x − b by the equations of the assumed statuses, with the percussions P0 times
/// a factor: 1, or 0 for the derivative of the equations.
void ProjectedContacts::combine_rows(const std::vector<Components> &P,
                                     const std::vector<Components> &u, double applied_factor,
                                     std::vector<double> &combined) const {
  for (std::size_t i = 0; i < variables.contacts.size(); ++i) {
    const ContactVariables::Contact &contact = variables.contacts[i];
    for (unsigned int r = 0; r < contact.n_rows; ++r) {
      const double change = (is_transferred(i, r) ? P[i][r] : 0.) - applied_factor * applied[i][r];
      for (unsigned int k = contact.coupled_begin;
           !contact.has_multiplier && k < contact.coupled_end; ++k)
        combined[variables.coupled_dofs[k].dof] -= variables.coupled_dofs[k].weight[r] * change;
      double &own_row = combined[contact.dof[r]] = 0.;
      const bool is_eliminated = is_fixed(i, r) && !contact.has_multiplier;
      for (unsigned int c = 0; c < contact.n_rows && !is_eliminated; ++c)
        own_row += rows[i].of_percussion[r][c] * P[i][c] + rows[i].of_velocity[r][c] * u[i][c];
      if (contact.has_multiplier && is_fixed(i, r) && applied_factor == 0.)
        own_row += regularisation * P[i][r];
    }
  }
}

/// Computes the product of the equations of the assumed statuses with unknowns y.
void ProjectedContacts::apply(const std::vector<double> &y, std::vector<double> &image) {
  work = y;
  expand(work);
  multiply(work, image);
  for (std::size_t i = 0; i < variables.contacts.size(); ++i) {
    change_of_percussion[i] = variables.percussion(i, image);
    change_of_velocity[i] = variables.velocity(i, work);
  }
  combine_rows(change_of_percussion, change_of_velocity, 0., image);
}

void ProjectedContacts::precondition(const std::vector<double> &r, std::vector<double> &z) {
  if (system.has_diagonal_preconditioner())
    for (std::size_t i = 0; i < r.size(); ++i)
      z[i] = r[i] * inverse_diagonal[i];
  else {
    work = r;
    variables.make_forces(work);
    system.precondition(work, z);
    variables.make_local(z);
  }
  for (std::size_t i = 0; i < variables.contacts.size(); ++i)
    for (unsigned int c = 0; c < variables.contacts[i].n_rows; ++c)
      if (variables.contacts[i].has_multiplier)
        z[variables.contacts[i].dof[c]] = r[variables.contacts[i].dof[c]];
      else if (is_fixed(i, c))
        z[variables.contacts[i].dof[c]] = 0.;
  if (variables.n_multipliers > 0)
    multipliers.correct(z);
}

} // namespace percussion
