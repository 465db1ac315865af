#include <percussion/algebra/contact_system.h>
#include <percussion/base/error.h>

#include "blas.h"
#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace percussion {
namespace {

/// If at most this many degrees of freedom can be in contact, all of them form the interface of a
/// constant matrix. Otherwise only those in use with their neighbours do: unneeded ones cost fill
/// in every factorisation.
constexpr std::size_t most_of_constant = 3000;
/// Largest number of elastic degrees of freedom in use for which there is an interface.
constexpr std::ptrdiff_t most_in_use = 3000;
/// Number of layers of nodes around those in use that are added to the interface.
constexpr unsigned int n_layers = 12;
/// Number of entries of a factor [8 bytes each] above which conjugate gradients are chosen.
constexpr double most_fill = 6e8;
/// Lower bound of the fill ratio of large matrices. If even this fill exceeds most_fill, the
/// ordering is skipped.
constexpr double least_fill = 10;

} // namespace

ContactSystem::ContactSystem(Pattern p)
    : pattern(std::move(p)), is_prescribed(pattern.matrix.m(), false), factor(pattern.matrix, {}),
      uncoupled(static_cast<unsigned int>(pattern.matrix.m()) - pattern.n_coupled,
                pattern.block_size),
      coupling(pattern.prescribed.size()) {
  for (const unsigned int dof : pattern.prescribed) {
    is_prescribed[dof] = true;
    if (dof >= pattern.n_coupled)
      uncoupled.fix(dof - pattern.n_coupled);
  }
  std::vector<unsigned int> touched;
  for (const unsigned int dof : pattern.may_touch)
    if (dof < pattern.n_coupled && !is_prescribed[dof])
      touched.push_back(dof);
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  pattern.may_touch = std::move(touched);
  if (pattern.is_constant && pattern.may_touch.size() <= most_of_constant)
    interface = pattern.may_touch;
  if (pattern.is_constant)
    make_factor();
}

std::vector<unsigned int> ContactSystem::free_coupled_dofs() const {
  std::vector<unsigned int> free;
  for (unsigned int i = 0; i < pattern.n_coupled; ++i)
    if (!is_prescribed[i])
      free.push_back(i);
  return free;
}

void ContactSystem::make_factor() {
  is_made = true;
  const bool is_huge =
      pattern.solver == LinearSolver::automatic &&
      least_fill * static_cast<double>(pattern.matrix.n_nonzero_elements()) > most_fill;
  if (is_huge || pattern.solver == LinearSolver::conjugate_gradients)
    return make_multigrid();
  const std::vector<unsigned int> unknowns = free_coupled_dofs();
  // A large number of unknowns is ordered once for all interfaces; a smaller number is ordered for
  // each interface, which makes less fill.
  if (sequence.empty() && unknowns.size() >= Cholesky::metis_threshold) {
    if (pattern.order)
      sequence = pattern.order();
    else if (!pattern.is_constant)
      sequence = Cholesky::fill_reducing_order(pattern.matrix, unknowns);
  }
  factor = Cholesky(pattern.matrix, unknowns, interface, sequence);
  n_entries = factor.fill();
  if (pattern.solver == LinearSolver::automatic && n_entries > most_fill)
    return make_multigrid();
  interface_work.resize(interface.size());
  interface_number.assign(is_prescribed.size(), -1);
  const auto &positions = factor.interface_positions();
  for (std::size_t k = 0; k < positions.size(); ++k)
    interface_number[factor.elimination_order()[static_cast<unsigned int>(positions[k])]] =
        static_cast<int>(k);
  inverted = 0;
}

void ContactSystem::set_matrix(const SparseMatrix &A) {
  if (multigrid)
    multigrid->set_matrix(A);
  factor.set_values(A);
  if (pattern.may_defer && !multigrid) {
    std::vector<bool> is_free = is_prescribed;
    is_free.resize(pattern.n_coupled);
    is_free.flip();
    matrix_beside_factor = NodeMatrix(A, is_free, pattern.node_size);
  }
  uncoupled.set(A, pattern.n_coupled);
  for (std::size_t i = 0; i < pattern.prescribed.size(); ++i) {
    coupling[i].clear();
    const SparseRow column = row(A, pattern.prescribed[i]);
    for (int e = 0; e < column.size; ++e) {
      const auto dof = static_cast<unsigned int>(column.column[e]);
      const bool is_unknown =
          multigrid ? dof < pattern.n_coupled && !is_prescribed[dof] : factor.position(dof) >= 0;
      if (is_unknown && column.value[e] != 0.)
        coupling[i].emplace_back(multigrid ? column.column[e] : factor.position(dof),
                                 column.value[e]);
    }
  }
}

bool ContactSystem::factorise() {
  ++factors;
  ++coupled_factors;
  std::fill(columns.begin(), columns.end(), std::vector<double>());
  return factor.factorise() && uncoupled.factorise();
}

bool ContactSystem::factorise_blocks() {
  ++factors;
  return uncoupled.factorise();
}

/// Returns the degrees of freedom and the candidates for contact near them: contacts spread along a
/// boundary.
std::vector<unsigned int>
ContactSystem::with_surroundings(const std::vector<unsigned int> &dofs) const {
  std::vector<bool> may_touch(pattern.matrix.m(), false), is_taken(pattern.matrix.m(), false);
  for (const unsigned int dof : pattern.may_touch)
    may_touch[dof] = true;
  std::vector<unsigned int> result, front;
  const auto take = [&](unsigned int dof, std::vector<unsigned int> &list) {
    if (may_touch[dof] && !is_taken[dof]) {
      is_taken[dof] = true;
      list.push_back(dof);
    }
  };
  for (const unsigned int dof : dofs)
    take(dof, front);
  for (unsigned int layer = 0; layer <= n_layers; ++layer) {
    result.insert(result.end(), front.begin(), front.end());
    std::vector<unsigned int> next;
    for (const unsigned int dof : front) {
      const SparseRow neighbours = row(pattern.matrix, dof);
      for (int e = 0; e < neighbours.size; ++e)
        take(static_cast<unsigned int>(neighbours.column[e]), next);
    }
    front = std::move(next);
  }
  std::sort(result.begin(), result.end());
  return result;
}

void ContactSystem::set_interface(const std::vector<unsigned int> &dofs) {
  interface = dofs;
  make_factor();
  in_use.clear();
  number_in_use.clear();
  place_in_inverse.clear();
}

bool ContactSystem::use(const std::vector<unsigned int> &entries) {
  std::vector<unsigned int> dofs;
  dofs.reserve(entries.size() + tied.size());
  for (const unsigned int entry : entries)
    dofs.push_back(dof(entry));
  dofs.insert(dofs.end(), tied.begin(), tied.end());
  if (dofs == in_use && inverted != 0)
    return false;
  in_use = dofs;
  ties.forget();
  const auto is_elastic = [&](unsigned int dof) {
    return dof < pattern.n_coupled && !is_prescribed[dof];
  };
  in_use_are_many = std::count_if(dofs.begin(), dofs.end(), is_elastic) > most_in_use;
  if (in_use_are_many && multigrid && !is_deferred)
    throw RunError("contacts act on more than " + std::to_string(most_in_use) +
                   " degrees of freedom, too many for conjugate gradients: take Solver/Linear "
                   "systems = direct, or fewer candidate contacts");
  const bool lacks = !multigrid && std::any_of(dofs.begin(), dofs.end(), [&](unsigned int dof) {
    return is_made && is_elastic(dof) && interface_number[dof] < 0;
  });
  const bool changes = !is_deferred && (!is_made || (in_use_are_many ? !interface.empty() : lacks));
  if (in_use_are_many && !tied.empty())
    throw RunError("links cannot be computed beside contacts on more than " +
                   std::to_string(most_in_use) + " degrees of freedom");
  if (changes) {
    interface = in_use_are_many ? std::vector<unsigned int>() : with_surroundings(dofs);
    make_factor();
  }
  number_in_use.clear();
  for (const unsigned int dof : dofs)
    number_in_use.push_back(!is_elastic(dof) ? -1
                            : multigrid      ? touch_number(dof)
                                             : interface_number[dof]);
  find_places_in_inverse();
  if (!pattern.is_constant)
    inverted = 0;
  return changes;
}

void ContactSystem::find_places_in_inverse() {
  place_in_inverse.clear();
  const auto is_inside = [](int number) { return number >= 0; };
  if (!std::all_of(number_in_use.begin(), number_in_use.end(), is_inside))
    return;
  place_in_inverse.assign(number_in_use.begin(), number_in_use.end());
  if (!pattern.is_constant)
    std::iota(place_in_inverse.begin(), place_in_inverse.end(), 0u);
}

ContactSystem::Compliances ContactSystem::compliances() {
  if (inverted != coupled_factors)
    invert();
  return {inverse.data(), place_in_inverse.data(), inverse_size};
}

/// Computes Â⁻¹ for all of the interface of a constant matrix; otherwise, by L_II⁻¹ times unit
/// vectors, for the degrees of freedom in use.
void ContactSystem::invert() {
  inverted = coupled_factors;
  const int n = static_cast<int>(interface.size());
  const std::size_t size = interface.size();
  const std::vector<double> &L = factor.interface_factor();
  if (pattern.is_constant) {
    inverse = L;
    inverse_size = size;
    int info = 0;
    if (n > 0)
      dpotri_("L", &n, inverse.data(), &n, &info);
    for (std::size_t j = 0; j < size; ++j)
      for (std::size_t i = j + 1; i < size; ++i)
        inverse[i * size + j] = inverse[j * size + i];
    return;
  }
  const std::size_t m = in_use.size();
  std::vector<double> Z(m * size, 0.);
  for (std::size_t k = 0; k < m; ++k)
    if (number_in_use[k] >= 0)
      Z[k * size + static_cast<unsigned int>(number_in_use[k])] = 1.;
  inverse.assign(m * m, 0.);
  inverse_size = m;
  if (n == 0 || m == 0)
    return;
  const int n_used = static_cast<int>(m);
  const double unit = 1., zero = 0.;
  dtrsm_("L", "L", "N", "N", &n, &n_used, &unit, L.data(), &n, Z.data(), &n);
  dsyrk_("L", "T", &n_used, &n, &unit, Z.data(), &n, &zero, inverse.data(), &n_used);
  for (std::size_t j = 0; j < m; ++j)
    for (std::size_t i = j + 1; i < m; ++i)
      inverse[i * m + j] = inverse[j * m + i];
}

double ContactSystem::compliance(unsigned int i, unsigned int j) {
  const double compliance = compliance_without_ties(i, j);
  if (ties.empty())
    return compliance;
  prepare_ties();
  return compliance - ties.share_of_compliance(i, j);
}

void ContactSystem::prepare_ties() {
  if (ties.are_prepared(version(), in_use.size()))
    return;
  const auto first_tied = static_cast<unsigned int>(in_use.size() - tied.size());
  ties.prepare(version(), in_use.size(), [&](std::size_t i, unsigned int k) {
    return compliance_without_ties(static_cast<unsigned int>(i), first_tied + k);
  });
}

/// Adds the last forces of the ties.
void ContactSystem::add_force_of_ties() {
  std::vector<double> force(in_use.size() - tied.size(), 0.);
  const auto on_tied = ties.force_on_tied();
  force.insert(force.end(), on_tied.begin(), on_tied.end());
  add_force_without_ties(force);
}

double ContactSystem::compliance_without_ties(unsigned int i, unsigned int j) {
  if (!in_use_are_many && number_in_use[i] >= 0 && number_in_use[j] >= 0) {
    if (multigrid)
      return compliance_by_iterations(static_cast<unsigned int>(number_in_use[i]),
                                      static_cast<unsigned int>(number_in_use[j]));
    if (inverted != coupled_factors)
      invert();
    const auto a = pattern.is_constant ? static_cast<unsigned int>(number_in_use[i]) : i;
    const auto b = pattern.is_constant ? static_cast<unsigned int>(number_in_use[j]) : j;
    return inverse[a * inverse_size + b];
  }
  if (is_in_block(i) || is_in_block(j))
    return is_in_block(i) && is_in_block(j)
               ? uncoupled.inverse(index_in_blocks(i), index_in_blocks(j))
               : 0.;
  if (in_use_are_many)
    throw std::logic_error("there is no compliance of so many degrees of freedom");
  return 0.;
}

void ContactSystem::start(const double *b, const std::vector<double> &prescribed_values,
                          double *x) {
  start_without_ties(b, prescribed_values, x);
  if (ties.empty())
    return;
  prepare_ties();
  std::vector<double> value;
  for (const unsigned int dof : in_use)
    value.push_back(x[dof]);
  ties.start(value.data() + (in_use.size() - tied.size()));
  for (std::size_t k = 0; k < in_use.size(); ++k) // some degrees of freedom occur twice
    x[in_use[k]] = value[k] + ties.displacement(k);
  add_force_of_ties();
}

void ContactSystem::add_force(const std::vector<double> &force) {
  if (ties.empty())
    return add_force_without_ties(force);
  std::vector<double> on_all = force;
  on_all.resize(in_use.size(), 0.);
  add_force_without_ties(on_all);
  prepare_ties();
  ties.add(on_all);
  add_force_of_ties();
}

void ContactSystem::start_without_ties(const double *b,
                                       const std::vector<double> &prescribed_values, double *x) {
  if (is_deferred)
    return start_deferred(b, prescribed_values, x);
  double *const y = multigrid ? right_side.data() : factor.work();
  const auto &order = factor.elimination_order();
  for (std::size_t k = 0; k < order.size(); ++k)
    y[k] = b[order[k]];
  if (multigrid)
    std::copy(b, b + pattern.n_coupled, y);
  for (std::size_t i = 0; i < pattern.prescribed.size(); ++i) {
    x[pattern.prescribed[i]] = prescribed_values[i];
    if (prescribed_values[i] != 0.)
      for (const auto &[row, value] : coupling[i])
        y[row] -= value * prescribed_values[i];
  }
  uncoupled.solve(b + pattern.n_coupled, x + pattern.n_coupled);
  uncoupled_solution.assign(x + pattern.n_coupled, x + is_prescribed.size());
  if (multigrid)
    return start_iteratively(x);
  factor.forward();
  if (in_use_are_many) {
    forward_solution.assign(factor.work(), factor.work() + factor.size());
    factor.backward();
    for (const unsigned int dof : in_use)
      if (factor.position(dof) >= 0)
        x[dof] = factor.work()[factor.position(dof)];
    std::copy(forward_solution.begin(), forward_solution.end(), factor.work());
  }
  const auto &positions = factor.interface_positions();
  if (positions.empty())
    return;
  const double *const forward = factor.work();
  for (std::size_t k = 0; k < positions.size(); ++k)
    interface_work[k] = forward[positions[k]];
  const int n = static_cast<int>(positions.size()), stride = 1;
  dtrsv_("L", "T", "N", &n, factor.interface_factor().data(), &n, interface_work.data(), &stride);
  for (std::size_t k = 0; k < in_use.size(); ++k)
    if (number_in_use[k] >= 0)
      x[in_use[k]] = interface_work[static_cast<unsigned int>(number_in_use[k])];
}

/// Computes work ← work + L⁻¹ f, without an interface.
void ContactSystem::add_forward(const std::vector<double> &force) {
  forward_solution.assign(factor.work(), factor.work() + factor.size());
  std::fill(factor.work(), factor.work() + factor.size(), 0.);
  for (std::size_t k = 0; k < in_use.size(); ++k)
    if (const int position = factor.position(in_use[k]); position >= 0)
      factor.work()[position] = force[k];
  factor.forward();
  for (unsigned int k = 0; k < factor.size(); ++k)
    factor.work()[k] += forward_solution[k];
}

void ContactSystem::add_force_without_ties(const std::vector<double> &force) {
  if (is_deferred) // the solution contains the force
    return;
  if (multigrid)
    return add_force_iteratively(force);
  std::fill(interface_work.begin(), interface_work.end(), 0.);
  bool has_force = false;
  for (std::size_t k = 0; k < in_use.size(); ++k)
    if (number_in_use[k] >= 0) {
      interface_work[static_cast<unsigned int>(number_in_use[k])] += force[k];
      has_force = has_force || force[k] != 0.;
    } else if (is_in_block(static_cast<unsigned int>(k)))
      uncoupled.add_force(index_in_blocks(static_cast<unsigned int>(k)), force[k],
                          uncoupled_solution.data());
  if (in_use_are_many)
    add_forward(force);
  if (!has_force)
    return;
  const auto &positions = factor.interface_positions();
  const int n = static_cast<int>(positions.size()), stride = 1;
  dtrsv_("L", "N", "N", &n, factor.interface_factor().data(), &n, interface_work.data(), &stride);
  for (std::size_t k = 0; k < positions.size(); ++k)
    factor.work()[positions[k]] += interface_work[k];
}

void ContactSystem::finish(double *x) {
  if (is_deferred) {
    for (unsigned int i = 0; i < size(); ++i)
      if (!is_prescribed[i])
        x[i] = deferred_solution[i];
    return;
  }
  if (multigrid) {
    finish_iteratively(x);
    std::copy(uncoupled_solution.begin(), uncoupled_solution.end(), x + pattern.n_coupled);
    return;
  }
  factor.backward();
  const auto &order = factor.elimination_order();
  const double *const y = factor.work();
  for (std::size_t k = 0; k < order.size(); ++k)
    x[order[k]] = y[k];
  std::copy(uncoupled_solution.begin(), uncoupled_solution.end(), x + pattern.n_coupled);
}

} // namespace percussion
