#include <percussion/algebra/contact_system.h>
#include <percussion/base/error.h>

#include "deferred_response.h"
#include "factor_response.h"
#include "iterative_response.h"
#include "joined_response.h"
#include "tied_response.h"
#include <algorithm>
#include <cmath>

namespace percussion {
namespace {

/// If at most this many degrees of freedom can be in contact, all of them form the interface of a
/// constant matrix. Otherwise only those in use with their neighbours do: unneeded ones cost fill
/// in every factorisation.
constexpr std::size_t most_of_constant = 3000;
/// Largest number of elastic degrees of freedom in use for which there is an interface at any
/// number of unknowns, and with conjugate gradients.
constexpr unsigned int most_in_use = 3000;
/// Largest number for which there is an interface at all: its dense matrices take 5 GB, and the
/// factor must have fewer than 2^31 entries.
constexpr unsigned int most_of_all = 15000;
/// Number of entries of a factor [8 bytes each] above which conjugate gradients are chosen.
constexpr double most_fill = 6e8;
/// Lower bound of the fill ratio of large matrices. If even this fill exceeds most_fill, the
/// ordering is skipped.
constexpr double least_fill = 10;

SystemPattern completed(SystemPattern pattern) {
  pattern.complete();
  return pattern;
}

} // namespace

ContactSystem::ContactSystem(Pattern p)
    : pattern(completed(std::move(p))), factor(pattern),
      uncoupled(pattern.size() - pattern.n_coupled, pattern.block_size) {
  for (const unsigned int dof : pattern.prescribed)
    if (dof >= pattern.n_coupled)
      uncoupled.fix(dof - pattern.n_coupled);
  if (pattern.is_constant())
    make_solver(pattern.may_touch.size() <= most_of_constant ? pattern.may_touch
                                                             : std::vector<unsigned int>());
  else if (pattern.solver == LinearSolver::conjugate_gradients) {
    make_solver({});
    if (pattern.may_defer())
      prepare_exchange();
  } else if (pattern.may_defer())
    copy_beside_factor(pattern.matrix);
}

ContactSystem::~ContactSystem() = default;

bool ContactSystem::is_too_large(double n_entries) { return least_fill * n_entries > most_fill; }

/// Analyses the pattern for a factor, or prepares conjugate gradients if it would be too large. A
/// factor that is in use remains, however large its interface becomes.
void ContactSystem::make_solver(const std::vector<unsigned int> &interface) {
  const bool may_choose = pattern.solver == LinearSolver::automatic && !factor.is_analysed();
  const bool is_huge =
      may_choose && (pattern.matrix.has_node_blocks() ||
                     is_too_large(static_cast<double>(pattern.matrix.values().size())));
  beside_factor.index_in_factor.clear();
  if (!is_huge && pattern.solver != LinearSolver::conjugate_gradients) {
    factor.analyse(interface);
    if (!may_choose || factor.fill() <= most_fill)
      return;
    factor.forget();
  }
  iterations = std::make_unique<IterativeSolver>(pattern);
}

void ContactSystem::set_matrix(const MatrixRows &A) {
  if (iterations)
    iterations->set_matrix(A);
  else
    cholesky().set_values(A);
  if (pattern.may_defer() && !iterations)
    copy_beside_factor(A);
  if (pattern.may_defer())
    prepare_exchange();
  uncoupled.set(A, pattern.n_coupled);
  columns.set(A, pattern);
}

/// Copies the matrix for products of deferred solutions beside a factor.
void ContactSystem::copy_beside_factor(const MatrixRows &A) {
  beside_factor.matrix = NodeMatrix(A, free_elastic_dofs(), pattern.node_size, pattern.partition);
  beside_factor.matrix.share_diagonal_blocks(pattern.elastic_trace(), pattern.partition);
}

/// Prepares the exchange of entries that deferred solutions need.
void ContactSystem::prepare_exchange() {
  const std::vector<unsigned int> trace = pattern.elastic_trace();
  exchanges.trace = Exchange(pattern.partition, trace);
  std::vector<unsigned int> needed = nodes().needed_dofs();
  needed.insert(needed.end(), trace.begin(), trace.end());
  exchanges.products = Exchange(pattern.partition, std::move(needed));
}

std::vector<bool> ContactSystem::free_elastic_dofs() const {
  std::vector<bool> is_free = pattern.is_prescribed;
  is_free.resize(pattern.n_coupled);
  is_free.flip();
  return is_free;
}

int ContactSystem::index(unsigned int i, unsigned int j) const {
  if (!assembles_nodes())
    return factor.matrix().index(i, j);
  return i == j || (pattern.is_elastic(i) && pattern.is_elastic(j)) ? nodes().index(i, j) : -1;
}

std::vector<double> &ContactSystem::values() {
  return assembles_nodes() ? nodes().block_values() : cholesky().values();
}

bool ContactSystem::factorise(bool keeps_preconditioner) {
  ++n_factors;
  return factorise_elastic(keeps_preconditioner) && uncoupled.factorise();
}

bool ContactSystem::factorise_elastic(bool keeps_preconditioner) {
  if (assembles_nodes())
    nodes().complete_diagonal_blocks(pattern.partition);
  if (iterations)
    return pattern.is_constant() || iterations->update(keeps_preconditioner);
  if (assembles_nodes())
    copy_nodes_to_factor();
  return factor.factorise();
}

void ContactSystem::copy_nodes_to_factor() {
  const std::vector<double> &entries = nodes().block_values();
  if (beside_factor.index_in_factor.empty()) {
    beside_factor.index_in_factor.assign(entries.size(), -1);
    nodes().visit_entries([&](unsigned int i, unsigned int j, std::size_t k) {
      if (pattern.is_elastic(i) && pattern.is_elastic(j))
        beside_factor.index_in_factor[k] = cholesky().index(i, j);
    });
  }
  std::vector<double> &factor_values = cholesky().values();
  for (std::size_t k = 0; k < entries.size(); ++k)
    if (beside_factor.index_in_factor[k] >= 0)
      factor_values[static_cast<std::size_t>(beside_factor.index_in_factor[k])] = entries[k];
}

bool ContactSystem::factorise_blocks() {
  ++n_factors;
  return uncoupled.factorise();
}

void ContactSystem::set_interface(const std::vector<unsigned int> &dofs) {
  if (pattern.is_constant() || !iterations)
    make_solver(dofs);
  current.response.reset();
}

unsigned int ContactSystem::largest_interface(unsigned int n_unknowns, unsigned int node_size) {
  if (node_size < 3)
    return most_in_use;
  return std::clamp(static_cast<unsigned int>(3.2 * std::pow(n_unknowns, 0.7)), most_in_use,
                    most_of_all);
}

std::ptrdiff_t ContactSystem::largest_interface() const {
  return iterations ? most_in_use : largest_interface(pattern.n_coupled, pattern.node_size);
}

bool ContactSystem::has_interface() const {
  return std::count_if(used_dofs.begin(), used_dofs.end(), [&](unsigned int dof) {
           return pattern.is_elastic(dof);
         }) <= largest_interface();
}

bool ContactSystem::set_contact_entries(const std::vector<unsigned int> &entries) {
  std::vector<unsigned int> dofs;
  dofs.reserve(entries.size() + tied.dofs.size());
  for (const unsigned int entry : entries)
    dofs.push_back(dof(entry));
  dofs.insert(dofs.end(), tied.dofs.begin(), tied.dofs.end());
  if (current.response && dofs == used_dofs)
    return false;
  used_dofs = std::move(dofs);
  tied.ties.forget();
  const bool has_new_pattern = current.defers_next ? analyse_if_needed() : adapt_interface();
  current.response = make_response();
  return has_new_pattern;
}

/// Analyses the pattern for a factor without an interface if there is neither. Returns true if it
/// has.
bool ContactSystem::analyse_if_needed() {
  if (iterations || factor.is_analysed())
    return false;
  make_solver({});
  return true;
}

/// Changes the interface if the degrees of freedom in use require it. Returns true if it has
/// changed.
bool ContactSystem::adapt_interface() {
  const bool are_many = !has_interface();
  if (are_many && iterations)
    throw RunError("contacts act on more than " + std::to_string(largest_interface()) +
                   " degrees of freedom, too many for conjugate gradients: take Solver/Linear "
                   "systems = direct, or fewer candidate contacts");
  if (are_many && !tied.dofs.empty())
    throw RunError("links cannot be computed beside contacts on more than " +
                   std::to_string(largest_interface()) + " degrees of freedom");
  const auto is_outside = [&](unsigned int dof) {
    return pattern.is_elastic(dof) && factor.number(dof) < 0;
  };
  if (iterations || (factor.is_analysed() &&
                     (are_many ? interface_dofs().empty()
                               : std::none_of(used_dofs.begin(), used_dofs.end(), is_outside))))
    return false;
  make_solver(are_many ? std::vector<unsigned int>() : factor.add_surroundings(used_dofs));
  return true;
}

std::unique_ptr<Response> ContactSystem::make_response() {
  current.deferred = nullptr;
  if (current.defers_next) {
    auto made = std::make_unique<DeferredResponse>(pattern, uncoupled, columns, used_dofs);
    current.deferred = made.get();
    return made;
  }
  std::unique_ptr<Response> made;
  BlockResponse rigid_response(uncoupled, pattern.n_coupled, used_dofs);
  if (pattern.n_coupled == 0)
    made = std::make_unique<BlockResponse>(std::move(rigid_response));
  else if (pattern.n_coupled == pattern.size())
    made = make_elastic_response();
  else
    made = std::make_unique<JoinedResponse>(make_elastic_response(), std::move(rigid_response));
  if (tied.dofs.empty())
    return made;
  return std::make_unique<TiedResponse>(std::move(made), tied.ties, n_factors, used_dofs,
                                        tied.dofs.size());
}

std::unique_ptr<Response> ContactSystem::make_elastic_response() {
  if (iterations)
    return std::make_unique<IterativeResponse>(*iterations, pattern, columns, used_dofs);
  if (!has_interface())
    return std::make_unique<SparseResponse>(factor, columns, used_dofs);
  if (pattern.is_constant())
    return std::make_unique<ConstantResponse>(factor, columns, used_dofs);
  return std::make_unique<ChangingResponse>(factor, columns, used_dofs);
}

void ContactSystem::start(const Vector &b, const std::vector<double> &prescribed_values,
                          Vector &x) {
  for (std::size_t i = 0; i < pattern.prescribed.size(); ++i)
    x[pattern.prescribed[i]] = prescribed_values[i];
  current.response->start(b, x);
}

void ContactSystem::defer(bool defers) {
  current.defers_next = defers && may_defer();
  current.response.reset();
}

const std::vector<double> &ContactSystem::deferred_right_side() const {
  return current.deferred->right_side;
}

void ContactSystem::set_deferred_solution(std::vector<double> x) {
  pattern.partition.gather(x.data());
  current.deferred->solution = std::move(x);
}

void ContactSystem::multiply(const std::vector<double> &x, std::vector<double> &y) const {
  nodes().multiply(x.data(), y.data());
  multiply_blocks(x, y);
  for (const unsigned int dof : pattern.prescribed)
    y[dof] = 0.;
}

void ContactSystem::multiply_single(std::vector<float> &x, std::vector<float> &y) const {
  iterations->multigrid().complete(x);
  iterations->multigrid().single()->matrix.multiply(x.data(), y.data());
}

void ContactSystem::multiply_blocks(const std::vector<double> &x, std::vector<double> &y) const {
  for (unsigned int i = 0; i < uncoupled.size(); ++i) {
    double sum = 0;
    const unsigned int first = uncoupled.block(i) * uncoupled.block_size();
    for (unsigned int j = first; j < first + uncoupled.block_size(); ++j)
      sum += uncoupled(i, j) * x[pattern.n_coupled + j];
    y[pattern.n_coupled + i] = is_free(pattern.n_coupled + i) ? sum : 0.;
  }
}

void ContactSystem::precondition(const std::vector<double> &r, std::vector<double> &z) {
  if (iterations)
    iterations->multigrid().precondition(r, z);
  else if (pattern.partition.is_shared()) {
    std::vector<double> all = r;
    pattern.partition.gather(all.data());
    cholesky().solve(all.data(), z.data());
  } else
    cholesky().solve(r.data(), z.data());
  for (const unsigned int dof : pattern.prescribed)
    z[dof] = 0.;
  uncoupled.solve(r.data() + pattern.n_coupled, z.data() + pattern.n_coupled);
}

std::vector<double> ContactSystem::diagonal() const {
  std::vector<double> d = pattern.partition.zeros(size());
  const auto set = [&](std::size_t dof) {
    const auto i = static_cast<unsigned int>(dof);
    d[i] = 1.;
    if (is_free(i) && i >= pattern.n_coupled)
      d[i] = uncoupled(i - pattern.n_coupled, i - pattern.n_coupled);
    else if (is_free(i) && nodes().has_node_of(i))
      d[i] = entry_of_node(i, i);
  };
  pattern.partition.visit_computed(size(), set);
  for (const unsigned int i : pattern.trace)
    set(i);
  return d;
}

} // namespace percussion
