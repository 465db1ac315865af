#include "projected_contacts.h"

#include <algorithm>
#include <cmath>

namespace percussion {
namespace {

/// Relative residual of the balance that does no work: as of conjugate gradients without contacts.
constexpr double relative_imbalance = 1e-14;

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
      diagonal_of_system(s.diagonal()), x(s.size(), 0.), work(s.size()),
      has_symmetric_blocks(are_symmetric(s.blocks())) {
  for (const ContactVariables::Contact &contact : variables.contacts) {
    Components of_node{};
    double sum = 0;
    for (unsigned int r = 0; r < contact.n_rows; ++r) {
      for (unsigned int a = 0; a < contact.n_rows; ++a)
        for (unsigned int b = 0; b < contact.n_rows; ++b)
          of_node[r] += contact.inverse[a][r] * contact.inverse[b][r] *
                        system.entry_of_node(contact.dof[a], contact.dof[b]);
      sum += of_node[r];
    }
    diagonal_of_node.push_back(of_node);
    rho.push_back(sum / contact.n_rows);
  }
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
  scale = norm_of_balance(residual);
  result = {};
  constexpr double coarse = 1e-3;
  solve(coarse);
}

void ProjectedContacts::change(const std::vector<double> &c) {
  for (std::size_t i = 0; i < constant.size(); ++i)
    constant[i] = variables.local(i, c);
  result.converged = false;
  constexpr double coarse = 1e-6;
  solve(coarse);
}

/// Solves active sets until statuses recur, with tighter and tighter limits of the residual.
void ProjectedContacts::solve(double first_limit) {
  constexpr unsigned int max_iterations = 60, max_without_search = 12;
  constexpr double tightening = 1e-3, small_turn = 1e-8, nearly_exact_turn = 5e-5,
                   round_off = 1e-13, max_imbalance = 1e-12, large_fraction = 0.05;
  double limit = first_limit;
  for (unsigned int k = 1; k <= max_iterations; ++k) {
    const std::vector<double> old_x = k > max_without_search ? x : std::vector<double>(),
                              old_residual = k > max_without_search ? residual : old_x;
    solve_active_set(limit);
    ++result.n_iterations;
    evaluate_contacts();
    if (k > max_without_search)
      search(old_x, old_residual);
    const bool is_tight = limit <= relative_imbalance;
    if (is_tight) // for the statuses that have been assumed
      evaluate_law();
    const Change changed = update_statuses();
    const bool is_same = changed.n_statuses == 0 && changed.turn < small_turn;
    // Statuses that cycle although the law holds to round-off are at the edge of two.
    result.converged = is_tight && imbalance <= max_imbalance && result.residual <= tolerance &&
                       (is_same || (k > max_without_search && result.residual <= round_off));
    if (result.converged)
      return;
    const bool many_change = static_cast<double>(changed.n_statuses) >
                             large_fraction * static_cast<double>(assumed.size());
    // Newton squares the error of directions: the next set is exact.
    if (changed.n_statuses == 0 && changed.turn < nearly_exact_turn)
      limit = relative_imbalance;
    else if (!many_change)
      limit = std::max(relative_imbalance, tightening * limit);
  }
  evaluate_law();
}

/// Solves the equations of the assumed statuses, up to a residual relative to the first one.
void ProjectedContacts::solve_active_set(double limit) {
  constexpr unsigned int max_iterations = 2000;
  invert_diagonal();
  if (impose())
    find_residual();
  std::vector<double> right = residual;
  evaluate_contacts();
  combine_rows(percussion, velocity, 1., right);
  for (double &r : right)
    r = -r;
  if (result.n_iterations == 0)
    scale = std::max(scale, residual_norm(right, inverse_diagonal));
  const KrylovSystem krylov{[&](const auto &y, auto &image) { apply(y, image); },
                            [&](const auto &r, auto &z) { precondition(r, z); }, inverse_diagonal};
  std::vector<double> y(x.size(), 0.);
  if (has_friction_in_slip() || !has_symmetric_blocks)
    gmres(krylov, limit * scale, max_iterations, vectors, y, right);
  else
    conjugate_gradients(krylov, limit * scale, max_iterations, vectors, y, right);
  imbalance = residual_norm(right, inverse_diagonal) / (scale > 0. ? scale : 1.);
  expand(y);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] += y[i];
  find_residual();
}

/// Changes the velocities of nodes to û_N = 0 of closed contacts and û_T = 0 of sticking ones.
/// Returns true if any has changed.
bool ProjectedContacts::impose() {
  bool is_changed = false;
  for (std::size_t i = 0; i < variables.contacts.size(); ++i) {
    const ContactVariables::Contact &contact = variables.contacts[i];
    const Components s = variables.velocity(i, x);
    Components change{};
    for (unsigned int r = 0; r < contact.n_rows; ++r)
      if (is_fixed(i, r))
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
  system.multiply(x, residual);
  const std::vector<double> &b = system.deferred_right_side();
  for (std::size_t i = 0; i < residual.size(); ++i)
    residual[i] -= b[i];
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
  for (std::size_t i = 0; i < variables.contacts.size(); ++i) {
    const ContactVariables::Contact &contact = variables.contacts[i];
    for (unsigned int r = 0; r < contact.n_rows; ++r) {
      inverse_diagonal[contact.dof[r]] = diagonal_of_node[i][r];
      for (unsigned int k = contact.coupled_begin; is_fixed(i, r) && k < contact.coupled_end; ++k) {
        const double weight = variables.coupled_dofs[k].weight[r];
        inverse_diagonal[variables.coupled_dofs[k].dof] += diagonal_of_node[i][r] * weight * weight;
      }
    }
  }
  for (double &entry : inverse_diagonal)
    entry = 1. / entry;
}

/// Replaces unknowns by the velocities of all degrees of freedom, without the constants of the law.
void ProjectedContacts::expand(std::vector<double> &y) const {
  for (std::size_t i = 0; i < variables.contacts.size(); ++i) {
    if (assumed[i].status == ContactStatus::open)
      continue;
    const ContactVariables::Contact &contact = variables.contacts[i];
    const Components coupled_velocity = variables.coupled_velocity(i, y);
    for (unsigned int r = 0; r < contact.n_rows; ++r)
      if (is_fixed(i, r))
        y[contact.dof[r]] = -coupled_velocity[r];
  }
  variables.make_cartesian(y);
}

/// Replaces rows of Â x − b by the equations of the assumed statuses, with the percussions P0 times
/// a factor: 1, or 0 for the derivative of the equations.
void ProjectedContacts::combine_rows(const std::vector<Components> &P,
                                     const std::vector<Components> &u, double applied_factor,
                                     std::vector<double> &rows) const {
  for (std::size_t i = 0; i < variables.contacts.size(); ++i) {
    const ContactVariables::Contact &contact = variables.contacts[i];
    const auto &[status, d, weight] = assumed[i];
    Components s{}; // P − ρ û
    double slip_component = 0;
    for (unsigned int r = 1; r < contact.n_rows; ++r) {
      s[r] = P[i][r] - rho[i] * u[i][r];
      slip_component += d[r - 1] * s[r];
    }
    for (unsigned int r = 0; r < contact.n_rows; ++r) {
      const double change = (is_transferred(i, r) ? P[i][r] : 0.) - applied_factor * applied[i][r];
      for (unsigned int k = contact.coupled_begin; k < contact.coupled_end; ++k)
        rows[variables.coupled_dofs[k].dof] -= variables.coupled_dofs[k].weight[r] * change;
      double &own_row = rows[contact.dof[r]];
      own_row = is_fixed(i, r) ? 0. : P[i][r];
      if (r > 0 && status == ContactStatus::slip && mu[i] > 0.)
        own_row -= mu[i] * d[r - 1] * P[i][0] + weight * (s[r] - slip_component * d[r - 1]);
    }
  }
}

/// Computes the product of the equations of the assumed statuses with unknowns y.
void ProjectedContacts::apply(const std::vector<double> &y, std::vector<double> &image) {
  work = y;
  expand(work);
  system.multiply(work, image);
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
      if (is_fixed(i, c))
        z[variables.contacts[i].dof[c]] = 0.;
}

} // namespace percussion
