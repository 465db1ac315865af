// Conjugate gradients as replacement of the factor.

#include <percussion/algebra/contact_system.h>

#include <algorithm>

namespace percussion {

void ContactSystem::make_multigrid() {
  factor = Cholesky(pattern.matrix, {});
  interface.clear();
  std::vector<bool> is_free(pattern.n_coupled);
  for (unsigned int i = 0; i < pattern.n_coupled; ++i)
    is_free[i] = !is_prescribed[i];
  multigrid = std::make_unique<Multigrid>(std::move(is_free), pattern.node_size, pattern.modes(),
                                          pattern.may_defer);
  right_side.resize(pattern.n_coupled);
  elastic_solution.resize(pattern.n_coupled);
  columns.resize(pattern.may_touch.size());
}

int ContactSystem::touch_number(unsigned int dof) const {
  const auto &all = pattern.may_touch;
  return static_cast<int>(std::lower_bound(all.begin(), all.end(), dof) - all.begin());
}

void ContactSystem::start_iteratively(double *x) {
  solution_norm = multigrid->solve(right_side.data(), elastic_solution.data());
  elastic_force.clear();
  for (std::size_t k = 0; k < in_use.size(); ++k)
    if (number_in_use[k] >= 0)
      x[in_use[k]] = elastic_solution[in_use[k]];
}

void ContactSystem::add_force_iteratively(const std::vector<double> &force) {
  elastic_force.resize(pattern.n_coupled, 0.);
  for (std::size_t k = 0; k < in_use.size(); ++k)
    if (number_in_use[k] >= 0)
      elastic_force[in_use[k]] += force[k];
    else if (is_in_block(static_cast<unsigned int>(k)))
      uncoupled.add_force(index_in_blocks(static_cast<unsigned int>(k)), force[k],
                          uncoupled_solution.data());
}

/// Returns the entry from the same one of its two columns in every call, for Â⁻¹ to be symmetric.
double ContactSystem::compliance_by_iterations(unsigned int i, unsigned int j) {
  const auto [first, second] = std::minmax(i, j);
  std::vector<double> &column = columns[first];
  if (column.empty()) {
    std::vector<double> unit(pattern.n_coupled, 0.), answer(pattern.n_coupled);
    unit[pattern.may_touch[first]] = 1.;
    multigrid->solve(unit.data(), answer.data());
    for (const unsigned int dof : pattern.may_touch)
      column.push_back(answer[dof]);
  }
  return column[second];
}

/// Adds the change of the solution by contact forces to the result of start().
void ContactSystem::finish_iteratively(double *x) {
  const bool has_force =
      std::any_of(elastic_force.begin(), elastic_force.end(), [](double f) { return f != 0.; });
  std::vector<double> change(pattern.n_coupled, 0.);
  if (has_force)
    multigrid->solve(elastic_force.data(), change.data(), solution_norm);
  for (unsigned int i = 0; i < pattern.n_coupled; ++i)
    if (!is_prescribed[i])
      x[i] = elastic_solution[i] + change[i];
}

} // namespace percussion
