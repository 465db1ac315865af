#include "global_pdas.h"

#include <percussion/base/instantiate.h>
#include <percussion/base/linear_system.h>
#include <percussion/cone/deadline.h>
#include <percussion/cone/local_solver.h>
#include <percussion/cone/residual.h>

#include "vectors.h"
#include <algorithm>
#include <stdexcept>

namespace percussion {
namespace {

template <int d>
class GlobalActiveSets {
public:
  explicit GlobalActiveSets(const GlobalFrictionContactProblem &contact_problem)
      : problem(contact_problem), compliance(contact_problem.n_contacts),
        statuses(contact_problem.n_contacts) {
    measure_compliances();
  }

  /// Assumes the statuses of these percussions and velocities.
  void determine_statuses(const GlobalConeSolution &solution) {
    for (std::size_t i = 0; i < problem.n_contacts; ++i)
      statuses[i] = local::local_status<d>(&solution.p[d * i], &solution.u[d * i], problem.mu[i],
                                           compliance[i]);
  }

  /// Computes velocities and percussions that satisfy the assumed statuses. Returns false if there
  /// are none.
  bool solve(GlobalConeSolution &solution) {
    solved = statuses;
    assemble();
    if (!system.factorise_sparse() || !system.solve(rhs))
      return false;
    const std::size_t n = problem.q.size();
    solution.v.assign(rhs.begin(), rhs.begin() + static_cast<std::ptrdiff_t>(n));
    solution.p.assign(problem.b.size(), 0.);
    for (std::size_t i = 0, z = n; i < problem.n_contacts; ++i)
      for (std::size_t c = 0; c < reductions[i].size; ++c, ++z)
        for (std::size_t k = 0; k < d; ++k)
          solution.p[d * i + k] += reductions[i].basis[c][k] * rhs[z];
    set_velocities(solution);
    return true;
  }

  void set_velocities(GlobalConeSolution &solution) const {
    solution.u = problem.b;
    for (std::size_t row = 0; row < problem.H.n_rows; ++row)
      for (std::size_t k = problem.H.row_start[row]; k < problem.H.row_start[row + 1]; ++k)
        solution.u[problem.H.column[k]] += problem.H.value[k] * solution.v[row];
  }

  bool has_converged() const {
    return std::equal(statuses.begin(), statuses.end(), solved.begin(), local::alike<d>);
  }
  ContactStatus status(std::size_t i) const { return solved[i].status; }
  ContactStatus assumed(std::size_t i) const { return statuses[i].status; }

private:
  /// Computes Hᵀ diag(M)⁻¹ H of each contact, an estimate of W_ii that weighs percussions against
  /// velocities.
  void measure_compliances() {
    std::vector<double> diagonal(problem.M.n_rows, 0.);
    for (std::size_t row = 0; row < problem.M.n_rows; ++row)
      for (std::size_t k = problem.M.row_start[row]; k < problem.M.row_start[row + 1]; ++k)
        if (problem.M.column[k] == row)
          diagonal[row] = problem.M.value[k];
    for (std::size_t row = 0; row < problem.H.n_rows; ++row)
      for (std::size_t k = problem.H.row_start[row]; k < problem.H.row_start[row + 1]; ++k) {
        const std::size_t column = problem.H.column[k];
        const double h = problem.H.value[k];
        if (diagonal[row] > 0.)
          compliance[column / d][column % d][column % d] += h * h / diagonal[row];
      }
  }

  void assemble() {
    const std::size_t n = problem.q.size();
    std::size_t size = n;
    reductions.resize(problem.n_contacts);
    offsets.resize(problem.n_contacts);
    for (std::size_t i = 0; i < problem.n_contacts; ++i) {
      reductions[i] = local::reduce<d>(statuses[i], problem.mu[i], compliance[i]);
      offsets[i] = size;
      size += reductions[i].size;
    }
    rhs = problem.q;
    rhs.resize(size, 0.);
    CompressedRows &matrix = system.sparse();
    matrix.n_rows = matrix.n_columns = size;
    matrix.row_start.assign(1, 0);
    matrix.column.clear();
    matrix.value.clear();
    std::vector<std::vector<std::pair<std::size_t, double>>> constraints(size - n);
    for (std::size_t row = 0; row < n; ++row)
      append_momentum(row, constraints, matrix);
    for (std::size_t i = 0; i < problem.n_contacts; ++i)
      for (std::size_t r = 0; r < reductions[i].size; ++r)
        append_constraint(i, r, constraints[offsets[i] + r - n], matrix);
  }

  /// Appends a row of M v − H p = q; its entries of H, times the test vectors, also enter the
  /// constraints.
  void append_momentum(std::size_t row,
                       std::vector<std::vector<std::pair<std::size_t, double>>> &constraints,
                       CompressedRows &matrix) const {
    const CompressedRows &M = problem.M, &H = problem.H;
    matrix.column.insert(matrix.column.end(), begin(M.column, M, row), end(M.column, M, row));
    matrix.value.insert(matrix.value.end(), begin(M.value, M, row), end(M.value, M, row));
    for (std::size_t k = H.row_start[row]; k < H.row_start[row + 1];) {
      const std::size_t i = H.column[k] / d;
      local::Vector<d> h{};
      for (; k < H.row_start[row + 1] && H.column[k] / d == i; ++k)
        h[H.column[k] % d] = H.value[k];
      for (std::size_t c = 0; c < reductions[i].size; ++c) {
        double basis_sum = 0., test_sum = 0.;
        for (std::size_t l = 0; l < d; ++l) {
          basis_sum += h[l] * reductions[i].basis[c][l];
          test_sum += h[l] * reductions[i].test[c][l];
        }
        matrix.column.push_back(offsets[i] + c);
        matrix.value.push_back(-basis_sum);
        constraints[offsets[i] + c - problem.q.size()].emplace_back(row, test_sum);
      }
    }
    matrix.row_start.push_back(matrix.column.size());
  }

  void append_constraint(std::size_t i, std::size_t r,
                         const std::vector<std::pair<std::size_t, double>> &entries,
                         CompressedRows &matrix) {
    for (const auto &[column, value] : entries) {
      matrix.column.push_back(column);
      matrix.value.push_back(value);
    }
    matrix.column.push_back(offsets[i] + r);
    matrix.value.push_back(reductions[i].shift[r]);
    matrix.row_start.push_back(matrix.column.size());
    for (std::size_t k = 0; k < d; ++k)
      rhs[offsets[i] + r] -= reductions[i].test[r][k] * problem.b[d * i + k];
  }

  template <typename T>
  static auto begin(const std::vector<T> &values, const CompressedRows &matrix, std::size_t row) {
    return values.begin() + static_cast<std::ptrdiff_t>(matrix.row_start[row]);
  }
  template <typename T>
  static auto end(const std::vector<T> &values, const CompressedRows &matrix, std::size_t row) {
    return values.begin() + static_cast<std::ptrdiff_t>(matrix.row_start[row + 1]);
  }

  const GlobalFrictionContactProblem &problem;
  std::vector<local::Block<d>> compliance;
  std::vector<local::LocalStatus<d>> statuses, solved;
  std::vector<local::Reduction<d>> reductions;
  std::vector<std::size_t> offsets;
  std::vector<double> rhs;
  LinearSystem system;
};

/// Sets the initial p, u and statuses: the given ones if they are complete, otherwise the solution
/// without percussions.
template <int d>
void start(const GlobalFrictionContactProblem &problem, GlobalActiveSets<d> &sets,
           GlobalConeSolution &solution) {
  const std::size_t m = problem.b.size();
  const bool is_given = solution.p.size() == m && solution.v.size() == problem.q.size() &&
                        all_finite(solution.p) && all_finite(solution.v);
  if (is_given)
    sets.set_velocities(solution);
  else if (!sets.solve(solution)) // all open: v without percussions
    throw std::invalid_argument("global frictional contact problem: M is singular");
  sets.determine_statuses(solution);
  solution.status.resize(problem.n_contacts);
  for (std::size_t i = 0; i < problem.n_contacts; ++i)
    solution.status[i] = sets.assumed(i);
}

} // namespace

template <int d>
void global_pdas(const GlobalFrictionContactProblem &problem, const ConeOptions &options,
                 GlobalConeSolution &solution) {
  const Deadline deadline(options.time_limit);
  GlobalActiveSets<d> sets(problem);
  start<d>(problem, sets, solution);
  solution.iterations = 0;
  solution.method = "pdas";
  solution.outcome = ConeOutcome::stagnated;
  solution.residual = natural_map_residual(problem, solution);
  GlobalConeSolution next = solution;
  bool converged = false;
  while (!converged && next.iterations < options.max_newton_iterations && !deadline.is_over()) {
    ++next.iterations;
    if (!sets.solve(next))
      break;
    for (std::size_t i = 0; i < problem.n_contacts; ++i)
      next.status[i] = sets.status(i);
    sets.determine_statuses(next);
    converged = sets.has_converged();
    next.residual = natural_map_residual(problem, next);
    if (next.residual < solution.residual)
      solution = next;
  }
  solution.iterations = next.iterations;
  solution.converged = solution.residual <= options.tolerance;
  if (solution.converged)
    solution.outcome = ConeOutcome::converged;
  else if (deadline.is_over())
    solution.outcome = ConeOutcome::out_of_time;
  else if (next.iterations >= options.max_newton_iterations)
    solution.outcome = ConeOutcome::out_of_sweeps;
}

PERCUSSION_INSTANTIATE(global_pdas);

} // namespace percussion
