#include <percussion/cone/deadline.h>
#include <percussion/cone/global.h>
#include <percussion/cone/residual.h>
#include <percussion/cone/solver.h>

#include "block_inverse.h"
#include "check.h"
#include "global_pdas.h"
#include "linear_system.h"
#include <algorithm>
#include <optional>
#include <stdexcept>

namespace percussion {
namespace {

LinearSystem factorised(const CompressedRows &M) {
  constexpr std::size_t small = 40; // dense factors take less time
  LinearSystem system;
  if (M.n_rows <= small) {
    double *const dense = system.dense(M.n_rows); // by columns
    std::fill(dense, dense + M.n_rows * M.n_rows, 0.);
    for (std::size_t row = 0; row < M.n_rows; ++row)
      for (std::size_t k = M.row_start[row]; k < M.row_start[row + 1]; ++k)
        dense[M.column[k] * M.n_rows + row] = M.value[k];
  } else {
    system.sparse() = M;
  }
  if (!(M.n_rows <= small ? system.factorise_dense() : system.factorise_sparse()))
    throw std::invalid_argument("global frictional contact problem: M is singular");
  return system;
}

/// M, with its inverse by blocks where it is that of rigid bodies.
struct Mass {
  explicit Mass(const CompressedRows &M) : inverse(inverse_by_blocks(M)) {
    if (!inverse)
      factors = factorised(M);
  }
  void solve(std::vector<double> &x) const {
    if (inverse)
      multiply(*inverse, x);
    else
      factors.solve(x);
  }

  std::optional<BlockInverse> inverse;
  LinearSystem factors;
};

double row_times(const CompressedRows &matrix, std::size_t row, const std::vector<double> &x) {
  double sum = 0.;
  for (std::size_t k = matrix.row_start[row]; k < matrix.row_start[row + 1]; ++k)
    sum += matrix.value[k] * x[matrix.column[k]];
  return sum;
}

/// The contacts that percussions of these compliances may move, besides contact i.
std::vector<char> moved_contacts(const GlobalFrictionContactProblem &problem, std::size_t i,
                                 const std::vector<std::vector<double>> &compliance) {
  std::vector<char> moved(problem.n_contacts, 0);
  moved[i] = 1;
  for (std::size_t dof = 0; dof < problem.H.n_rows; ++dof) {
    if (std::all_of(compliance.begin(), compliance.end(),
                    [dof](const std::vector<double> &v) { return v[dof] == 0.; }))
      continue;
    for (std::size_t e = problem.H.row_start[dof]; e < problem.H.row_start[dof + 1]; ++e)
      moved[problem.H.column[e] / problem.dimension] = 1;
  }
  return moved;
}

/// The nonzero blocks of the rows of W = Hᵀ M⁻¹ H of contact i, from M⁻ᵀ and those columns of H.
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

/// The same for all contacts, where M⁻¹ is known by blocks: with entries that do not vanish only.
void append_rows(const GlobalFrictionContactProblem &problem, const CompressedRows &H_transposed,
                 const BlockInverse &inverse, BlockSparseMatrix &blocks) {
  const std::size_t d = problem.dimension;
  std::vector<double> compliance(d * H_transposed.n_columns, 0.); // M⁻ᵀ H of d rows, by freedoms
  std::vector<double> block(d * d);
  std::vector<std::size_t> touched, moved;
  for (std::size_t i = 0; i < problem.n_contacts; ++i) {
    touched.clear();
    moved.assign(1, i);
    for (std::size_t k = 0; k < d; ++k)
      for (std::size_t e = H_transposed.row_start[d * i + k];
           e < H_transposed.row_start[d * i + k + 1]; ++e) {
        const std::size_t place = inverse.block_of[H_transposed.column[e]];
        const auto &rows = inverse.rows[place];
        const auto row = static_cast<std::size_t>(
            std::lower_bound(rows.begin(), rows.end(), H_transposed.column[e]) - rows.begin());
        for (std::size_t c = 0; c < rows.size(); ++c)
          if (const double entry = inverse.entries[place][row * rows.size() + c]; entry != 0.) {
            compliance[d * rows[c] + k] += entry * H_transposed.value[e];
            touched.push_back(rows[c]);
          }
      }
    for (const std::size_t dof : touched)
      for (std::size_t e = problem.H.row_start[dof]; e < problem.H.row_start[dof + 1]; ++e)
        moved.push_back(problem.H.column[e] / d);
    std::sort(moved.begin(), moved.end());
    moved.erase(std::unique(moved.begin(), moved.end()), moved.end());
    for (const std::size_t j : moved) {
      std::fill(block.begin(), block.end(), 0.);
      for (std::size_t l = 0; l < d; ++l)
        for (std::size_t e = H_transposed.row_start[d * j + l];
             e < H_transposed.row_start[d * j + l + 1]; ++e)
          for (std::size_t k = 0; k < d; ++k)
            block[k * d + l] += H_transposed.value[e] * compliance[d * H_transposed.column[e] + k];
      if (i != j && std::all_of(block.begin(), block.end(), [](double w) { return w == 0.; }))
        continue;
      blocks.column.push_back(j);
      blocks.value.insert(blocks.value.end(), block.begin(), block.end());
    }
    blocks.row_start.push_back(blocks.column.size());
    for (const std::size_t dof : touched)
      std::fill_n(compliance.begin() + static_cast<std::ptrdiff_t>(d * dof), d, 0.);
  }
}

/// If W is `symmetric`, the mean of W and its transpose, which differ by round-off.
void make_dense(FrictionContactProblem &problem, bool symmetric) {
  const std::size_t d = problem.dimension, n = problem.q.size();
  problem.W.assign(n * n, 0.);
  const BlockSparseMatrix &blocks = problem.blocks;
  for (std::size_t i = 0; i < problem.n_contacts; ++i)
    for (std::size_t b = blocks.row_start[i]; b < blocks.row_start[i + 1]; ++b)
      for (std::size_t k = 0; k < d; ++k)
        for (std::size_t l = 0; l < d; ++l) {
          const std::size_t row = d * i + k, column = d * blocks.column[b] + l;
          const double entry = blocks.value[(b * d + k) * d + l];
          problem.W[row * n + column] += symmetric ? 0.5 * entry : entry;
          if (symmetric)
            problem.W[column * n + row] += 0.5 * entry;
        }
  problem.blocks = {};
}

/// The reduced problem, given the factors of M.
FrictionContactProblem reduce(const GlobalFrictionContactProblem &problem, const Mass &M) {
  FrictionContactProblem reduced;
  reduced.dimension = problem.dimension;
  reduced.n_contacts = problem.n_contacts;
  reduced.mu = problem.mu;
  const CompressedRows H_transposed = transposed(problem.H);
  std::vector<double> v = problem.q;
  M.solve(v);
  reduced.q = problem.b;
  for (std::size_t row = 0; row < reduced.q.size(); ++row)
    reduced.q[row] += row_times(H_transposed, row, v);

  const CompressedRows M_transposed = transposed(problem.M);
  const bool symmetric =
      M_transposed.column == problem.M.column && M_transposed.value == problem.M.value;
  reduced.blocks.row_start.assign(1, 0);
  if (M.inverse) {
    append_rows(problem, H_transposed, *M.inverse, reduced.blocks);
  } else {
    std::optional<LinearSystem> adjoint;
    if (!symmetric)
      adjoint = factorised(M_transposed);
    for (std::size_t i = 0; i < problem.n_contacts; ++i)
      append_rows(problem, H_transposed, symmetric ? M.factors : *adjoint, i, reduced.blocks);
  }
  constexpr std::size_t few_contacts = 50;
  if (problem.n_contacts <= few_contacts ||
      3 * reduced.blocks.column.size() > problem.n_contacts * problem.n_contacts)
    make_dense(reduced, symmetric);
  return reduced;
}

/// v = M⁻¹ (H p + q) and the residual.
void complete(const GlobalFrictionContactProblem &problem, const Mass &M, double tolerance,
              GlobalConeSolution &solution) {
  solution.v = problem.q;
  for (std::size_t row = 0; row < problem.H.n_rows; ++row)
    solution.v[row] += row_times(problem.H, row, solution.p);
  M.solve(solution.v);
  solution.residual = natural_map_residual(problem, solution);
  solution.converged = solution.residual <= tolerance;
}

/// The residuals of the global and the reduced problem differ: tighten the tolerance if only the
/// latter meets it.
void solve_reduced(const GlobalFrictionContactProblem &problem, const ConeOptions &options,
                   GlobalConeSolution &solution) {
  const Deadline deadline(options.time_limit);
  const Mass M(problem.M);
  const FrictionContactProblem reduced = reduce(problem, M);
  ConeOptions stricter = options;
  stricter.time_limit = deadline.seconds_left();
  for (unsigned int attempt = 0; attempt < 3; ++attempt) {
    ConeSolver(stricter).solve(reduced, solution);
    const bool met = solution.converged;
    complete(problem, M, options.tolerance, solution);
    if (solution.converged || !met)
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
