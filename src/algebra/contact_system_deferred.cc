// Solutions deferred to a solver of the contacts.

#include <percussion/algebra/contact_system.h>

#include <algorithm>

namespace percussion {

void ContactSystem::start_deferred(const double *b, const std::vector<double> &prescribed_values,
                                   double *x) {
  deferred_side.assign(b, b + size());
  for (std::size_t i = 0; i < pattern.prescribed.size(); ++i) {
    x[pattern.prescribed[i]] = prescribed_values[i];
    for (const auto &[row, value] : coupling[i])
      deferred_side[multigrid ? row : factor.elimination_order()[row]] -=
          value * prescribed_values[i];
  }
  for (unsigned int i = 0; i < uncoupled.size(); ++i) {
    const unsigned int first = uncoupled.block(i) * uncoupled.block_size();
    for (unsigned int j = first; j < first + uncoupled.block_size(); ++j)
      if (uncoupled.is_fixed(j))
        deferred_side[pattern.n_coupled + i] -= uncoupled(i, j) * x[pattern.n_coupled + j];
  }
  for (const unsigned int dof : pattern.prescribed)
    deferred_side[dof] = 0.;
  for (const unsigned int dof : in_use)
    if (!is_prescribed[dof])
      x[dof] = 0.;
  deferred_solution.assign(size(), 0.);
}

void ContactSystem::multiply(const std::vector<double> &x, std::vector<double> &y) {
  nodes().multiply(x.data(), y.data());
  for (unsigned int i = 0; i < uncoupled.size(); ++i) {
    double sum = 0;
    const unsigned int first = uncoupled.block(i) * uncoupled.block_size();
    for (unsigned int j = first; j < first + uncoupled.block_size(); ++j)
      sum += uncoupled(i, j) * x[pattern.n_coupled + j];
    y[pattern.n_coupled + i] = sum;
  }
  for (const unsigned int dof : pattern.prescribed)
    y[dof] = 0.;
}

void ContactSystem::precondition(const std::vector<double> &r, std::vector<double> &z) {
  if (multigrid) {
    if (elastic_vector.size() != pattern.n_coupled)
      elastic_vector = elastic_image = make_vector(pattern.n_coupled);
    std::copy(r.data(), r.data() + pattern.n_coupled, entries(elastic_vector));
    multigrid->precondition(elastic_vector, elastic_image);
    std::copy(entries(elastic_image), entries(elastic_image) + pattern.n_coupled, z.data());
  } else {
    const auto &order = factor.elimination_order();
    double *const work = factor.work();
    for (std::size_t k = 0; k < order.size(); ++k)
      work[k] = r[order[k]];
    factor.forward();
    factor.backward();
    for (std::size_t k = 0; k < order.size(); ++k)
      z[order[k]] = work[k];
  }
  for (const unsigned int dof : pattern.prescribed)
    z[dof] = 0.;
  uncoupled.solve(r.data() + pattern.n_coupled, z.data() + pattern.n_coupled);
}

std::vector<double> ContactSystem::diagonal() const {
  std::vector<double> d(size(), 1.);
  for (unsigned int i = 0; i < size(); ++i)
    if (!is_prescribed[i])
      d[i] = i < pattern.n_coupled ? entry_of_node(i, i)
                                   : uncoupled(i - pattern.n_coupled, i - pattern.n_coupled);
  return d;
}

} // namespace percussion
