#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

// Eigenvalues and eigenvectors of a symmetric matrix by LAPACK. The last arguments are the lengths
// of `jobz` and `uplo`, which Fortran compilers pass by value.
extern "C" void dsyev_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda,
                       double *w, double *work, const int *lwork, int *info, std::size_t,
                       std::size_t);

namespace percussion {

/// Replaces A, n × n, by the positive semidefinite matrix nearest to its symmetric part, which has
/// the eigenvalues max(λ, 0).
inline void project_on_semidefinite(unsigned int n, std::vector<double> &A) {
  std::vector<double> vectors(A.size()), values(n), work(8 * n);
  for (unsigned int i = 0; i < n; ++i)
    for (unsigned int j = 0; j < n; ++j)
      vectors[i * n + j] = 0.5 * (A[i * n + j] + A[j * n + i]);
  const int size = static_cast<int>(n), n_work = static_cast<int>(work.size());
  int info = 0;
  dsyev_("V", "U", &size, vectors.data(), &size, values.data(), work.data(), &n_work, &info, 1, 1);
  std::fill(A.begin(), A.end(), 0.);
  for (unsigned int k = 0; k < n; ++k)
    for (unsigned int i = 0; i < n && values[k] > 0.; ++i)
      for (unsigned int j = 0; j < n; ++j)
        A[i * n + j] += values[k] * vectors[k * n + i] * vectors[k * n + j];
}

} // namespace percussion
