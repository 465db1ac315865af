#include <percussion/algebra/iterative_solver.h>

#include <algorithm>

namespace percussion {
namespace {

std::vector<bool> free_coupled_dofs(const SystemPattern &pattern) {
  std::vector<bool> is_free(pattern.n_coupled);
  for (unsigned int i = 0; i < pattern.n_coupled; ++i)
    is_free[i] = pattern.is_elastic(i);
  return is_free;
}

} // namespace

IterativeSolver::IterativeSolver(const SystemPattern &p)
    : pattern(p), solver(free_coupled_dofs(p), p.node_size, p.modes, p.partition, 1e-14,
                         p.iterations.precision),
      columns(p.may_touch.size()) {
  if (p.is_constant())
    return;
  solver.set_pattern(p.matrix, p.takes_diagonal());
  share_blocks_of_trace();
}

void IterativeSolver::set_matrix(const MatrixRows &A) {
  solver.set_matrix(A);
  share_blocks_of_trace();
  std::fill(columns.begin(), columns.end(), std::vector<double>());
}

/// Sends the blocks that contacts of deferred solutions need.
void IterativeSolver::share_blocks_of_trace() {
  if (pattern.may_defer())
    solver.nodes().share_diagonal_blocks(pattern.elastic_trace(), pattern.partition);
}

bool IterativeSolver::update(bool keeps_cycle) {
  std::fill(columns.begin(), columns.end(), std::vector<double>());
  return solver.update(keeps_cycle);
}

/// Returns the entry from the same one of its two columns in every call, for Â⁻¹ to be symmetric.
double IterativeSolver::compliance(unsigned int dof_i, unsigned int dof_j) {
  const auto &candidates = pattern.may_touch;
  const auto number = [&](unsigned int dof) {
    return std::lower_bound(candidates.begin(), candidates.end(), dof) - candidates.begin();
  };
  const auto [first, second] = std::minmax(dof_i, dof_j);
  std::vector<double> &column = columns[static_cast<std::size_t>(number(first))];
  if (column.empty()) {
    std::vector<double> unit(pattern.n_coupled, 0.), answer(pattern.n_coupled);
    unit[first] = 1.;
    solver.solve(unit.data(), answer.data());
    for (const unsigned int dof : candidates)
      column.push_back(answer[dof]);
  }
  return column[static_cast<std::size_t>(number(second))];
}

} // namespace percussion
