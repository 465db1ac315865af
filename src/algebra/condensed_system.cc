#include <percussion/algebra/condensed_system.h>

#include <algorithm>
#include <numeric>

namespace percussion {
namespace {

std::vector<unsigned int> all_but(std::size_t n, const std::vector<unsigned int> &excluded) {
  std::vector<bool> is_excluded(n, false);
  for (const unsigned int dof : excluded)
    is_excluded[dof] = true;
  std::vector<unsigned int> rest;
  for (unsigned int i = 0; i < n; ++i)
    if (!is_excluded[i])
      rest.push_back(i);
  return rest;
}

std::vector<unsigned int> without(const std::vector<unsigned int> &list,
                                  const std::vector<unsigned int> &excluded) {
  std::vector<unsigned int> rest;
  for (const unsigned int dof : list)
    if (std::find(excluded.begin(), excluded.end(), dof) == excluded.end() &&
        std::find(rest.begin(), rest.end(), dof) == rest.end())
      rest.push_back(dof);
  return rest;
}

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
    : prescribed(prescribed_dofs), contacts(without(contact_dofs, prescribed_dofs)),
      index_of_contact(A.m(), -1), cholesky(A, all_but(A.m(), prescribed)), Z(contacts.size()),
      is_ready(contacts.size(), false), inverse(contacts.size() * contacts.size()),
      dense(cholesky.size()), coupling(prescribed.size()) {
  for (unsigned int i = 0; i < contacts.size(); ++i)
    index_of_contact[contacts[i]] = static_cast<int>(i);
  for (unsigned int i = 0; i < prescribed.size(); ++i)
    for (auto entry = A.begin(prescribed[i]); entry != A.end(prescribed[i]); ++entry)
      if (const int row = cholesky.place(static_cast<unsigned int>(entry->column()));
          row >= 0 && entry->value() != 0.)
        coupling[i].emplace_back(row, entry->value());
}

bool CondensedSystem::refactor() {
  ready.clear();
  is_ready.assign(contacts.size(), false);
  return cholesky.refactor();
}

void CondensedSystem::use_contacts(const std::vector<unsigned int> &places) {
  in_use = places;
  for (const unsigned int i : places) {
    if (is_ready[i])
      continue;
    is_ready[i] = true;
    ready.push_back(i);
    cholesky.forward_unit(static_cast<unsigned int>(cholesky.place(contacts[i])), Z[i]);
    for (std::size_t k = 0; k < Z[i].place.size(); ++k)
      dense[Z[i].place[k]] = Z[i].value[k];
    for (const unsigned int j : ready)
      inverse[std::size_t(i) * contacts.size() + j] =
          inverse[std::size_t(j) * contacts.size() + i] = product(Z[j], dense.data());
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
