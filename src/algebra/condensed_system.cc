#include <percussion/algebra/condensed_system.h>

#include <numeric>

namespace percussion {
namespace {

double product(const SparseColumn &column, const double *dense) {
  double sum = 0;
  for (std::size_t k = 0; k < column.place.size(); ++k)
    sum += column.value[k] * dense[column.place[k]];
  return sum;
}

} // namespace

CondensedSystem::CondensedSystem(const SparseMatrix &A,
                                 const std::vector<unsigned int> &prescribed_dofs,
                                 const std::vector<unsigned int> &contact_dofs)
    : ContactSystem(static_cast<unsigned int>(A.m()), prescribed_dofs, contact_dofs),
      cholesky(A, free_dofs()), Z(contacts.size()), coupling(prescribed.size()) {
  in_use.resize(contacts.size());
  std::iota(in_use.begin(), in_use.end(), 0u);
  invert_on_contacts();
  for (unsigned int i = 0; i < prescribed.size(); ++i)
    for (auto entry = A.begin(prescribed[i]); entry != A.end(prescribed[i]); ++entry)
      if (const int row = cholesky.place(static_cast<unsigned int>(entry->column()));
          row >= 0 && entry->value() != 0.)
        coupling[i].emplace_back(row, entry->value());
}

void CondensedSystem::invert_on_contacts() {
  const std::size_t n = contacts.size();
  inverse.resize(n * n);
  std::vector<double> dense(cholesky.size());
  for (std::size_t i = 0; i < n; ++i) {
    cholesky.forward_unit(static_cast<unsigned int>(cholesky.place(contacts[i])), Z[i]);
    for (std::size_t k = 0; k < Z[i].place.size(); ++k)
      dense[Z[i].place[k]] = Z[i].value[k];
    for (std::size_t j = 0; j <= i; ++j)
      inverse[i * n + j] = inverse[j * n + i] = product(Z[j], dense.data());
    for (const unsigned int place : Z[i].place)
      dense[place] = 0.;
  }
}

void CondensedSystem::start(const double *b, const std::vector<double> &prescribed_values,
                            double *x) {
  double *const y = cholesky.work();
  const auto &order = cholesky.elimination_order();
  for (std::size_t k = 0; k < order.size(); ++k)
    y[k] = b[order[k]];
  for (std::size_t i = 0; i < prescribed.size(); ++i) {
    x[prescribed[i]] = prescribed_values[i];
    if (prescribed_values[i] != 0.)
      for (const auto &[row, value] : coupling[i])
        y[row] -= value * prescribed_values[i];
  }
  cholesky.forward();
  for (const unsigned int i : in_use)
    x[contacts[i]] = product(Z[i], cholesky.work());
}

void CondensedSystem::add_contact_force(const std::vector<double> &force) {
  double *const y = cholesky.work();
  for (const unsigned int i : in_use)
    if (force[i] != 0.)
      for (std::size_t k = 0; k < Z[i].place.size(); ++k)
        y[Z[i].place[k]] += Z[i].value[k] * force[i];
}

void CondensedSystem::finish(double *x) {
  cholesky.backward();
  const auto &order = cholesky.elimination_order();
  const double *const y = cholesky.work();
  for (std::size_t k = 0; k < order.size(); ++k)
    x[order[k]] = y[k];
}

} // namespace percussion
