#include <percussion/algebra/projected_equations.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace percussion {
namespace {

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

} // namespace

ProjectedEquations::ProjectedEquations(ContactSystem &s, const ContactVariables &v,
                                       const std::vector<double> &friction,
                                       KrylovVectors &krylov_vectors)
    : system(s), variables(v), mu(friction), multipliers(v),
      vectors(krylov_vectors, s.partition(), s.size() + v.n_multipliers) {
  diagonal.system_diagonal = s.diagonal();
  for (const ContactVariables::Contact &contact : variables.contacts) {
    diagonal.node_diagonal.emplace_back();
    stiffness.push_back(stiffness_of(contact, diagonal.node_diagonal.back()));
    if (contact.has_multiplier)
      diagonal.system_diagonal.insert(diagonal.system_diagonal.end(), contact.n_rows,
                                      stiffness.back());
  }
}

/// Returns ρ of a contact: the mean stiffness of its node, or the harmonic mean of the stiffness
/// with which its degrees of freedom resist its rows.
double ProjectedEquations::stiffness_of(const ContactVariables::Contact &contact,
                                        Components &node_diagonal) const {
  double sum = 0;
  if (contact.has_multiplier) {
    for (unsigned int k = contact.coupled_begin; k < contact.coupled_end; ++k)
      for (const double weight : variables.coupled_dofs[k].weight)
        sum += weight * weight / diagonal.system_diagonal[variables.coupled_dofs[k].dof];
    node_diagonal.fill(contact.n_rows / sum);
    return contact.n_rows / sum;
  }
  for (unsigned int r = 0; r < contact.n_rows; ++r) {
    for (unsigned int a = 0; a < contact.n_rows; ++a)
      for (unsigned int b = 0; b < contact.n_rows; ++b)
        node_diagonal[r] += contact.inverse[a][r] * contact.inverse[b][r] *
                            system.entry_of_node(contact.dof[a], contact.dof[b]);
    sum += node_diagonal[r];
  }
  return sum / contact.n_rows;
}

ProjectedState ProjectedEquations::start(const std::vector<double> &c,
                                         const std::vector<double> &p0) {
  given = {};
  for (std::size_t i = 0; i < variables.contacts.size(); ++i)
    given.percussion.push_back(variables.local(i, p0));
  given.velocity = given.percussion;
  set_velocities(c);
  change = given;
  ProjectedState state;
  state.contacts = given;
  const std::vector<double> &b = system.deferred_right_side();
  state.residual = system.partition().zeros(vectors.work.size());
  system.partition().visit_computed(b.size(), [&](std::size_t i) { state.residual[i] = -b[i]; });
  system.complete_trace(state.residual);
  state.x = system.partition().zeros(vectors.work.size());
  scale.norm = std::max(scale.least, norm_of_balance(state.residual));
  scale.is_first = true;
  return state;
}

void ProjectedEquations::set_velocities(const std::vector<double> &c) {
  for (std::size_t i = 0; i < given.velocity.size(); ++i)
    given.velocity[i] = variables.local(i, c);
}

void ProjectedEquations::set_proximal_term(double sigma, const std::vector<double> &centre,
                                           ProjectedState &state) {
  proximal = {sigma, centre};
  find_residual(state);
}

double ProjectedEquations::solve(const std::vector<AssumedStatus> &statuses, double limit,
                                 ProjectedState &state) {
  assumed = statuses;
  invert_diagonal();
  rows.clear();
  for (std::size_t i = 0; i < assumed.size(); ++i)
    rows.push_back(rows_of(i));
  if (impose(state))
    find_residual(state);
  find_equation_residual(state);
  if (std::exchange(scale.is_first, false))
    scale.norm = std::max(scale.norm, norm(vectors.right));
  const double unit = scale.norm > 0. ? scale.norm : 1., imbalance = norm(vectors.right);
  if (imbalance <= limit * unit)
    return imbalance / unit;
  if (!prepare_multipliers())
    return std::numeric_limits<double>::infinity();
  if (system.has_single_copy())
    solve_mixed(limit * unit, imbalance, state);
  else
    solve_double(limit * unit, state);
  return norm(vectors.right) / unit;
}

/// Writes the residual of the equations to the right-hand side of the iterations.
void ProjectedEquations::find_equation_residual(ProjectedState &state) {
  const auto visit_computed = [&](const auto &f) {
    system.partition().visit_computed(vectors.work.size(), f);
  };
  visit_computed([&](std::size_t i) { vectors.right[i] = state.residual[i]; });
  evaluate(state);
  combine_rows(state.contacts, 1., vectors.right);
  visit_computed([&](std::size_t i) { vectors.right[i] = -vectors.right[i]; });
}

bool ProjectedEquations::is_symmetric() const {
  return !has_friction_in_slip() && variables.n_multipliers == 0 && are_symmetric(system.blocks());
}

void ProjectedEquations::solve_double(double limit, ProjectedState &state) {
  std::vector<double> unknowns = system.partition().zeros(vectors.work.size());
  const KrylovSystem krylov{[&](const auto &y, auto &image) { apply(y, image); },
                            [&](const auto &r, auto &z) { precondition(r, z); }, diagonal.inverse,
                            system.partition()};
  if (is_symmetric())
    conjugate_gradients(krylov, limit, max_iterations, vectors.krylov, unknowns, vectors.right);
  else
    gmres(krylov, limit, max_iterations, vectors.krylov, unknowns, vectors.right);
  add_unknowns(unknowns, state);
  find_residual(state);
  evaluate(state);
}

/// Adds the solution of the iterations to the velocities.
void ProjectedEquations::add_unknowns(std::vector<double> &unknowns, ProjectedState &state) {
  system.complete(unknowns);
  expand(unknowns);
  system.partition().visit_computed(unknowns.size(),
                                    [&](std::size_t i) { state.x[i] += unknowns[i]; });
  system.complete(state.x);
}

/// Changes the velocities of nodes to û_N = 0 of closed contacts and û_T = 0 of sticking ones, and
/// removes percussions of multipliers that are zero. Returns true if any has changed.
bool ProjectedEquations::impose(ProjectedState &state) const {
  bool is_changed = false;
  for (std::size_t i = 0; i < variables.contacts.size(); ++i) {
    const ContactVariables::Contact &contact = variables.contacts[i];
    const Components s = variables.velocity(i, state.x);
    Components correction{};
    for (unsigned int r = 0; r < contact.n_rows; ++r)
      if (contact.has_multiplier)
        correction[r] =
            is_transferred(i, r) ? 0. : -(state.x[contact.dof[r]] + given.percussion[i][r]);
      else if (is_fixed(i, r))
        correction[r] = -(s[r] + given.velocity[i][r]);
    for (unsigned int k = 0; k < contact.n_rows; ++k)
      for (unsigned int r = 0; r < contact.n_rows; ++r) {
        state.x[contact.dof[k]] += contact.inverse[k][r] * correction[r];
        is_changed = is_changed || correction[r] != 0.;
      }
  }
  return is_changed;
}

void ProjectedEquations::find_residual(ProjectedState &state) {
  multiply_bodies(state.x, state.residual);
  const std::vector<double> &b = system.deferred_right_side();
  system.partition().visit_computed(b.size(), [&](std::size_t i) {
    state.residual[i] -= b[i];
    if (proximal.sigma > 0.)
      state.residual[i] -= proximal.sigma * diagonal.system_diagonal[i] * proximal.centre[i];
  });
  add_multipliers(state.x, state.residual);
}

/// Computes (Â + σ D) y of a complete y.
void ProjectedEquations::multiply_bodies(const std::vector<double> &y,
                                         std::vector<double> &image) const {
  system.multiply(y, image);
  if (proximal.sigma > 0.)
    system.partition().visit_computed(system.size(), [&](std::size_t i) {
      if (system.is_free(static_cast<unsigned int>(i)))
        image[i] += proximal.sigma * diagonal.system_diagonal[i] * y[i];
    });
}

/// Completes the trace of a product, subtracts H_λᵀ λ and copies λ.
void ProjectedEquations::add_multipliers(const std::vector<double> &y,
                                         std::vector<double> &image) const {
  system.complete_trace(image);
  for (const ContactVariables::Contact &contact : variables.contacts)
    for (unsigned int r = 0; contact.has_multiplier && r < contact.n_rows; ++r) {
      const double lambda = image[contact.dof[r]] = y[contact.dof[r]];
      for (unsigned int k = contact.coupled_begin; k < contact.coupled_end; ++k)
        image[variables.coupled_dofs[k].dof] -= variables.coupled_dofs[k].weight[r] * lambda;
    }
}

void ProjectedEquations::evaluate(ProjectedState &state) const {
  for (std::size_t i = 0; i < variables.contacts.size(); ++i) {
    Components &P = state.contacts.percussion[i], &u = state.contacts.velocity[i];
    P = variables.percussion(i, state.residual);
    u = variables.velocity(i, state.x);
    for (unsigned int r = 0; r < 3; ++r) {
      P[r] += given.percussion[i][r];
      u[r] += given.velocity[i][r];
    }
  }
}

/// Returns the norm of a residual of the balance of all degrees of freedom.
double ProjectedEquations::norm_of_balance(const std::vector<double> &r) const {
  const auto sum = [&](std::size_t begin, std::size_t end) {
    double squares = 0;
    for (std::size_t i = begin; i < end; ++i)
      squares += r[i] * r[i] / diagonal.system_diagonal[i];
    return squares;
  };
  return std::sqrt(system.partition().sum(r.size(), sum));
}

/// Returns the norm of a residual of the equations.
double ProjectedEquations::norm(const std::vector<double> &r) const {
  return residual_norm(r, diagonal.inverse, system.partition());
}

double ProjectedEquations::energy_of_imbalance(const ProjectedState &state) const {
  std::vector<double> balance = state.residual;
  for (std::size_t i = 0; i < variables.contacts.size(); ++i) {
    const ContactVariables::Contact &contact = variables.contacts[i];
    for (unsigned int r = 0; r < contact.n_rows; ++r) {
      const double P = state.contacts.percussion[i][r] - given.percussion[i][r];
      for (unsigned int k = contact.coupled_begin;
           !contact.has_multiplier && k < contact.coupled_end; ++k)
        balance[variables.coupled_dofs[k].dof] -= variables.coupled_dofs[k].weight[r] * P;
      balance[contact.dof[r]] = 0.;
    }
  }
  const double norm = norm_of_balance(balance);
  return norm * norm;
}

bool ProjectedEquations::is_fixed(std::size_t i, unsigned int component) const {
  return component == 0 ? assumed[i].status != ContactStatus::open
                        : assumed[i].status == ContactStatus::stick;
}

bool ProjectedEquations::is_transferred(std::size_t i, unsigned int component) const {
  return is_fixed(i, component) ||
         (component > 0 && assumed[i].status == ContactStatus::slip && mu[i] > 0.);
}

bool ProjectedEquations::has_friction_in_slip() const {
  for (std::size_t i = 0; i < assumed.size(); ++i)
    if (assumed[i].status == ContactStatus::slip && mu[i] > 0. && variables.contacts[i].n_rows > 1)
      return true;
  return false;
}

/// Computes the inverse diagonal of the equations of the assumed statuses.
void ProjectedEquations::invert_diagonal() {
  const double factor = 1. + proximal.sigma;
  if (factor != diagonal.factor) {
    diagonal.factor = factor;
    diagonal.inverse = system.partition().zeros(diagonal.system_diagonal.size());
    system.partition().visit_computed(diagonal.inverse.size(), [&](std::size_t i) {
      diagonal.inverse[i] = 1. / (i < system.size() ? factor * diagonal.system_diagonal[i]
                                                    : diagonal.system_diagonal[i]);
    });
  }
  // Only contacts change entries from one set of statuses to the next.
  std::vector<double> &entries = vectors.work;
  for (const auto &coupled : variables.coupled_dofs)
    entries[coupled.dof] = factor * diagonal.system_diagonal[coupled.dof];
  for (std::size_t i = 0; i < variables.contacts.size(); ++i) {
    const ContactVariables::Contact &contact = variables.contacts[i];
    for (unsigned int r = 0; r < contact.n_rows; ++r) {
      entries[contact.dof[r]] =
          (contact.has_multiplier ? 1. : factor) * diagonal.node_diagonal[i][r];
      const bool is_eliminated = is_fixed(i, r) && !contact.has_multiplier;
      for (unsigned int k = contact.coupled_begin; is_eliminated && k < contact.coupled_end; ++k) {
        const double weight = variables.coupled_dofs[k].weight[r];
        entries[variables.coupled_dofs[k].dof] +=
            factor * diagonal.node_diagonal[i][r] * weight * weight;
      }
    }
  }
  for (const auto &coupled : variables.coupled_dofs)
    diagonal.inverse[coupled.dof] = 1. / entries[coupled.dof];
  for (const ContactVariables::Contact &contact : variables.contacts)
    for (unsigned int r = 0; r < contact.n_rows; ++r)
      diagonal.inverse[contact.dof[r]] = 1. / entries[contact.dof[r]];
}

/// Replaces unknowns by the velocities of all degrees of freedom, without the constants of the law.
void ProjectedEquations::expand(std::vector<double> &y) const {
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
LawRows ProjectedEquations::rows_of(std::size_t i) const {
  const auto &[status, d, weight] = assumed[i];
  const unsigned int n = variables.contacts[i].n_rows;
  LawRows contact_rows;
  for (unsigned int r = 0; r < n; ++r) {
    if (is_fixed(i, r)) {
      contact_rows.velocity_block[r][r] = stiffness[i];
      continue;
    }
    contact_rows.percussion_block[r][r] = 1.;
    if (r == 0 || !is_transferred(i, r))
      continue;
    contact_rows.percussion_block[r][0] = -mu[i] * d[r - 1];
    for (unsigned int c = 1; c < n; ++c) {
      const double transverse = weight * ((r == c ? 1. : 0.) - d[r - 1] * d[c - 1]);
      contact_rows.percussion_block[r][c] -= transverse;
      contact_rows.velocity_block[r][c] += transverse * stiffness[i];
    }
  }
  return contact_rows;
}

/// Prepares the preconditioner of multipliers for the assumed statuses. Returns false if its matrix
/// is singular.
bool ProjectedEquations::prepare_multipliers() {
  if (variables.n_multipliers == 0)
    return true;
  std::vector<LawRows> regular = rows;
  std::vector<std::array<bool, 3>> fixed(assumed.size());
  for (std::size_t i = 0; i < assumed.size(); ++i)
    for (unsigned int r = 0; r < 3; ++r) {
      fixed[i][r] = is_fixed(i, r);
      regular[i].percussion_block[r][r] += fixed[i][r] ? regularisation : 0.;
    }
  return multipliers.factorise(diagonal.inverse, regular, fixed);
}

/// Replaces rows of Â x − b by the equations of the assumed statuses, with the percussions P0 times
/// a factor: 1, or 0 for the derivative of the equations.
void ProjectedEquations::combine_rows(const ContactValues &values, double applied_factor,
                                      std::vector<double> &combined) const {
  for (std::size_t i = 0; i < variables.contacts.size(); ++i) {
    const ContactVariables::Contact &contact = variables.contacts[i];
    const Components &P = values.percussion[i], &u = values.velocity[i];
    for (unsigned int r = 0; r < contact.n_rows; ++r) {
      const double transferred =
          (is_transferred(i, r) ? P[r] : 0.) - applied_factor * given.percussion[i][r];
      for (unsigned int k = contact.coupled_begin;
           !contact.has_multiplier && k < contact.coupled_end; ++k)
        combined[variables.coupled_dofs[k].dof] -=
            variables.coupled_dofs[k].weight[r] * transferred;
      double &own_row = combined[contact.dof[r]] = 0.;
      const bool is_eliminated = is_fixed(i, r) && !contact.has_multiplier;
      for (unsigned int c = 0; c < contact.n_rows && !is_eliminated; ++c)
        own_row += rows[i].percussion_block[r][c] * P[c] + rows[i].velocity_block[r][c] * u[c];
      if (contact.has_multiplier && is_fixed(i, r) && applied_factor == 0.)
        own_row += regularisation * P[r];
    }
  }
}

/// Computes the product of the equations of the assumed statuses with unknowns y.
void ProjectedEquations::apply(const std::vector<double> &y, std::vector<double> &image) {
  system.partition().visit_computed(y.size(), [&](std::size_t i) { vectors.work[i] = y[i]; });
  system.complete(vectors.work);
  expand(vectors.work);
  multiply_bodies(vectors.work, image);
  add_multipliers(vectors.work, image);
  for (std::size_t i = 0; i < variables.contacts.size(); ++i) {
    change.percussion[i] = variables.percussion(i, image);
    change.velocity[i] = variables.velocity(i, vectors.work);
  }
  combine_rows(change, 0., image);
}

void ProjectedEquations::precondition(const std::vector<double> &r, std::vector<double> &z) {
  if (system.has_diagonal_preconditioner())
    system.partition().visit_computed(r.size(),
                                      [&](std::size_t i) { z[i] = r[i] * diagonal.inverse[i]; });
  else {
    system.partition().visit_computed(r.size(), [&](std::size_t i) { vectors.work[i] = r[i]; });
    system.complete_trace(vectors.work);
    variables.make_forces(vectors.work);
    system.precondition(vectors.work, z);
    system.complete_trace(z);
    variables.make_local(z);
  }
  for (std::size_t i = 0; i < variables.contacts.size(); ++i)
    for (unsigned int c = 0; c < variables.contacts[i].n_rows; ++c)
      if (variables.contacts[i].has_multiplier)
        z[variables.contacts[i].dof[c]] = r[variables.contacts[i].dof[c]];
      else if (is_fixed(i, c))
        z[variables.contacts[i].dof[c]] = 0.;
  if (variables.n_multipliers == 0)
    return;
  system.complete_trace(z);
  multipliers.correct(z);
}

} // namespace percussion
