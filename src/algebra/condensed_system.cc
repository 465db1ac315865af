#include <percussion/algebra/condensed_system.h>

#include <algorithm>

extern "C" {
/// BLAS: solve with a triangular matrix.
void dtrsv_(const char *uplo, const char *trans, const char *diag, const int *n, const double *a,
            const int *lda, double *x, const int *incx);
/// LAPACK: inverse of a positive definite matrix from its Cholesky factor.
void dpotri_(const char *uplo, const int *n, double *a, const int *lda, int *info);
}

namespace percussion {
namespace {

/// All degrees of freedom that are neither prescribed nor contact, then those of the contacts.
std::vector<unsigned int> free_unknowns(unsigned int n, const std::vector<unsigned int> &prescribed,
                                        const std::vector<unsigned int> &contacts) {
  std::vector<bool> elsewhere(n, false);
  for (const auto *list : {&prescribed, &contacts})
    for (const unsigned int dof : *list)
      elsewhere[dof] = true;
  std::vector<unsigned int> unknowns;
  for (unsigned int i = 0; i < n; ++i)
    if (!elsewhere[i])
      unknowns.push_back(i);
  unknowns.insert(unknowns.end(), contacts.begin(), contacts.end());
  return unknowns;
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

void triangular_solve(const std::vector<double> &L, bool transposed, double *x, std::size_t n) {
  const int size = static_cast<int>(n), one = 1;
  if (size > 0)
    dtrsv_("L", transposed ? "T" : "N", "N", &size, L.data(), &size, x, &one);
}

/// (L Lᵀ)⁻¹ as a full symmetric matrix.
std::vector<double> inverse_of_product(std::vector<double> L, std::size_t n) {
  int size = static_cast<int>(n), info = 0;
  if (size > 0)
    dpotri_("L", &size, L.data(), &size, &info);
  for (std::size_t column = 0; column < n; ++column)
    for (std::size_t row = column + 1; row < n; ++row)
      L[row * n + column] = L[column * n + row];
  return L;
}

} // namespace

CondensedSystem::CondensedSystem(const SparseMatrix &A,
                                 const std::vector<unsigned int> &prescribed_dofs,
                                 const std::vector<unsigned int> &contact_dofs)
    : prescribed(prescribed_dofs), contacts(without(contact_dofs, prescribed_dofs)),
      index_of_contact(A.m(), -1),
      cholesky(A, free_unknowns(static_cast<unsigned int>(A.m()), prescribed, contacts),
               static_cast<unsigned int>(contacts.size())),
      inverse_of_trailing(inverse_of_product(cholesky.trailing(), contacts.size())),
      coupling(prescribed.size()), trailing(contacts.size()) {
  for (unsigned int i = 0; i < contacts.size(); ++i)
    index_of_contact[contacts[i]] = static_cast<int>(i);
  const auto &order = cholesky.elimination_order();
  std::vector<int> place(A.m(), -1);
  for (unsigned int k = 0; k < order.size(); ++k)
    place[order[k]] = static_cast<int>(k);
  for (unsigned int i = 0; i < prescribed.size(); ++i)
    for (auto entry = A.begin(prescribed[i]); entry != A.end(prescribed[i]); ++entry)
      if (place[entry->column()] >= 0 && entry->value() != 0.)
        coupling[i].emplace_back(place[entry->column()], entry->value());
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
  const double *const y_c = cholesky.work() + (order.size() - contacts.size());
  std::copy(y_c, y_c + contacts.size(), trailing.begin());
  triangular_solve(cholesky.trailing(), true, trailing.data(), contacts.size());
  for (std::size_t i = 0; i < contacts.size(); ++i)
    x[contacts[i]] = trailing[i];
}

void CondensedSystem::add_contact_force(const std::vector<double> &force) {
  std::copy(force.begin(), force.end(), trailing.begin());
  triangular_solve(cholesky.trailing(), false, trailing.data(), contacts.size());
  double *const y_c = cholesky.work() + (cholesky.size() - contacts.size());
  for (std::size_t i = 0; i < contacts.size(); ++i)
    y_c[i] += trailing[i];
}

void CondensedSystem::finish(double *x) {
  cholesky.backward();
  const auto &order = cholesky.elimination_order();
  const double *const y = cholesky.work();
  for (std::size_t k = 0; k < order.size(); ++k)
    x[order[k]] = y[k];
}

} // namespace percussion
