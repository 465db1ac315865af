#include <percussion/base/linear_system.h>
#include <percussion/cone/deadline.h>
#include <percussion/cone/global.h>
#include <percussion/cone/operators.h>
#include <percussion/cone/residual.h>
#include <percussion/cone/solver.h>

#include "block_factors.h"
#include "check.h"
#include "global_pdas.h"
#include <algorithm>
#include <optional>
#include <stdexcept>

namespace percussion {
namespace {

LinearSystem factorised(const CompressedRows &M) {
  LinearSystem system;
  system.sparse() = M;
  if (!system.factorise_sparse())
    throw std::invalid_argument("global frictional contact problem: M is singular");
  return system;
}

/// Mass M, by blocks for rigid bodies.
struct Mass {
  explicit Mass(const CompressedRows &M) : blocks(BlockFactors::factorise(M)) {
    if (!blocks)
      factors = factorised(M);
  }
  void solve(std::vector<double> &x) const {
    if (blocks)
      blocks->solve(x);
    else
      factors.solve(x);
  }

  std::optional<BlockFactors> blocks;
  LinearSystem factors;
};

double row_times(const CompressedRows &matrix, std::size_t row, const std::vector<double> &x) {
  double sum = 0.;
  for (std::size_t k = matrix.row_start[row]; k < matrix.row_start[row + 1]; ++k)
    sum += matrix.value[k] * x[matrix.column[k]];
  return sum;
}

/// Returns the contacts, besides contact i, that respond to percussions of these compliances.
std::vector<char> moved_contacts(const GlobalFrictionContactProblem &problem, std::size_t i,
                                 const std::vector<std::vector<double>> &compliance) {
  std::vector<char> moved(problem.n_contacts, 0);
  moved[i] = 1;
  for (std::size_t row = 0; row < problem.H.n_rows; ++row) {
    if (std::all_of(compliance.begin(), compliance.end(),
                    [row](const std::vector<double> &v) { return v[row] == 0.; }))
      continue;
    for (std::size_t e = problem.H.row_start[row]; e < problem.H.row_start[row + 1]; ++e)
      moved[problem.H.column[e] / problem.dimension] = 1;
  }
  return moved;
}

/// Appends the nonzero blocks of the rows of W = Hᵀ M⁻¹ H of contact i, from M⁻ᵀ and the columns of
/// H of this contact.
void append_rows(const GlobalFrictionContactProblem &problem, const CompressedRows &H_transposed,
                 const LinearSystem &M_transposed, std::size_t i, BlockSparseMatrix &blocks) {
  const std::size_t d = problem.dimension;
  std::vector<std::vector<double>> compliance(d);
  for (std::size_t k = 0; k < d; ++k) {
    compliance[k].assign(H_transposed.n_columns, 0.);
    for (std::size_t e = H_transposed.row_start[d * i + k];
         e < H_transposed.row_start[d * i + k + 1]; ++e)
      compliance[k][H_transposed.column[e]] = H_transposed.value[e];
    M_transposed.solve(compliance[k]);
  }
  const std::vector<char> moved = moved_contacts(problem, i, compliance);
  std::vector<double> block(d * d);
  for (std::size_t j = 0; j < problem.n_contacts; ++j) {
    if (!moved[j])
      continue;
    for (std::size_t k = 0; k < d; ++k)
      for (std::size_t l = 0; l < d; ++l)
        block[k * d + l] = row_times(H_transposed, d * j + l, compliance[k]);
    if (i != j && std::all_of(block.begin(), block.end(), [](double w) { return w == 0.; }))
      continue;
    blocks.column.push_back(j);
    blocks.value.insert(blocks.value.end(), block.begin(), block.end());
  }
  blocks.row_start.push_back(blocks.column.size());
}

/// Returns W for any M.
BlockSparseMatrix delassus_of(const GlobalFrictionContactProblem &problem,
                              const LinearSystem &factors, bool symmetric) {
  std::optional<LinearSystem> adjoint;
  if (!symmetric)
    adjoint = factorised(transposed(problem.M));
  const CompressedRows H_transposed = transposed(problem.H);
  BlockSparseMatrix W;
  W.row_start.assign(1, 0);
  for (std::size_t i = 0; i < problem.n_contacts; ++i)
    append_rows(problem, H_transposed, symmetric ? factors : *adjoint, i, W);
  return W;
}

bool is_symmetric(const CompressedRows &matrix) {
  const CompressedRows transpose = transposed(matrix);
  return transpose.column == matrix.column && transpose.value == matrix.value;
}

/// Returns the reduced problem, given the factors of M.
FrictionContactProblem reduce(const GlobalFrictionContactProblem &problem, const Mass &M) {
  FrictionContactProblem reduced;
  reduced.dimension = problem.dimension;
  reduced.n_contacts = problem.n_contacts;
  reduced.mu = problem.mu;
  std::vector<double> v = problem.q;
  M.solve(v);
  reduced.q = problem.b;
  for (std::size_t row = 0; row < problem.H.n_rows; ++row)
    for (std::size_t k = problem.H.row_start[row]; k < problem.H.row_start[row + 1]; ++k)
      reduced.q[problem.H.column[k]] += problem.H.value[k] * v[row];

  const bool symmetric = !M.blocks && is_symmetric(problem.M);
  set_delassus(M.blocks ? delassus_of(problem, *M.blocks)
                        : delassus_of(problem, M.factors, symmetric),
               symmetric, reduced);
  return reduced;
}

/// Computes v = M⁻¹ (H p + q) and the residual.
void complete(const GlobalFrictionContactProblem &problem, const Mass &M, double tolerance,
              GlobalConeSolution &solution) {
  solution.v = problem.q;
  for (std::size_t row = 0; row < problem.H.n_rows; ++row)
    solution.v[row] += row_times(problem.H, row, solution.p);
  M.solve(solution.v);
  solution.residual = natural_map_residual(problem, solution);
  solution.converged = solution.residual <= tolerance;
}

/// Solves the reduced problem. The residuals of the global and the reduced problem differ: tightens
/// the tolerance if only the latter meets it.
void solve_reduced(const GlobalFrictionContactProblem &problem, const ConeOptions &options,
                   GlobalConeSolution &solution) {
  const Deadline deadline(options.time_limit);
  const Mass M(problem.M);
  const FrictionContactProblem reduced = reduce(problem, M);
  ConeOptions stricter = options;
  stricter.time_limit = deadline.seconds_left();
  for (unsigned int attempt = 0; attempt < 3; ++attempt) {
    ConeSolver(stricter).solve(reduced, solution);
    const bool reduced_converged = solution.converged;
    complete(problem, M, options.tolerance, solution);
    if (solution.converged || !reduced_converged)
      break;
    solution.outcome = ConeOutcome::stagnated;
    stricter.tolerance *= 0.1 * options.tolerance / solution.residual;
    stricter.time_limit = deadline.seconds_left();
    if (!(stricter.tolerance > 0.) || deadline.is_over())
      break;
  }
  if (solution.converged)
    solution.outcome = ConeOutcome::converged;
}

} // namespace

FrictionContactProblem reduced_problem(const GlobalFrictionContactProblem &problem) {
  check_problem(problem);
  return reduce(problem, Mass(problem.M));
}

void solve_global(const GlobalFrictionContactProblem &problem, const ConeOptions &options,
                  GlobalConeSolution &solution) {
  check_problem(problem);
  if (options.method == ConeMethod::pdas && problem.dimension == 2)
    global_pdas<2>(problem, options, solution);
  else if (options.method == ConeMethod::pdas)
    global_pdas<3>(problem, options, solution);
  else
    solve_reduced(problem, options, solution);
}

} // namespace percussion
