#pragma once

#include <percussion/cone/problem.h>

#include <cstddef>

// LAPACK's LU factorisation and solution. The last argument is the length of `trans`, which Fortran
// compilers pass by value.
extern "C" {
void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv, int *info);
void dgetrs_(const char *trans, const int *n, const int *nrhs, const double *a, const int *lda,
             const int *ipiv, double *b, const int *ldb, int *info, std::size_t trans_length);
}

namespace percussion {

/// The velocity component W[row] · p + q[row]. Eight partial sums keep the adders busy.
inline double velocity(const FrictionContactProblem &problem, std::size_t row, const double *p) {
  const std::size_t n = problem.q.size();
  const double *w = problem.W.data() + row * n;
  double sum[8] = {0., 0., 0., 0., 0., 0., 0., 0.};
  std::size_t k = 0;
  for (; k + 8 <= n; k += 8)
    for (std::size_t l = 0; l < 8; ++l)
      sum[l] += w[k + l] * p[k + l];
  for (; k < n; ++k)
    sum[0] += w[k] * p[k];
  return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7])) +
         problem.q[row];
}

} // namespace percussion
