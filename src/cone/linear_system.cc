#include "linear_system.h"

#include <algorithm>
#include <cmath>
#include <umfpack.h>

// LU factorisation and solution by LAPACK. The last argument is the length of `trans`, which
// Fortran compilers pass by value.
extern "C" {
void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv, int *info);
void dgetrs_(const char *trans, const int *n, const int *nrhs, const double *a, const int *lda,
             const int *ipiv, double *b, const int *ldb, int *info, std::size_t trans_length);
}

namespace percussion {
namespace {

/// Smallest pivot of a regular matrix, relative to the largest entry of its column (dense) or to
/// the largest pivot (sparse): below that it is singular within the errors of its entries.
constexpr double least_pivot = 1e-12;

double largest_of(const double *entries, std::size_t n) {
  double largest = 0.;
  for (std::size_t k = 0; k < n; ++k)
    largest = std::max(largest, std::abs(entries[k]));
  return largest;
}

} // namespace

/// UMFPACK's factors. It takes compressed columns, so these are the factors of the transpose.
struct LinearSystem::Sparse {
  std::vector<SuiteSparse_long> start, index;
  void *numeric = nullptr;
  ~Sparse() { umfpack_dl_free_numeric(&numeric); }
};

LinearSystem::LinearSystem() = default;
LinearSystem::~LinearSystem() = default;
LinearSystem::LinearSystem(LinearSystem &&) noexcept = default;
LinearSystem &LinearSystem::operator=(LinearSystem &&) noexcept = default;

double *LinearSystem::dense(std::size_t n) {
  size = n;
  lu.resize(n * n);
  return lu.data();
}

bool LinearSystem::factorise_dense() {
  is_dense = true;
  pivots.resize(size);
  if (size == 0)
    return true;
  const int n = static_cast<int>(size);
  int info = 0;
  column_sizes.resize(size);
  for (std::size_t k = 0; k < size; ++k)
    column_sizes[k] = largest_of(lu.data() + k * size, size);
  dgetrf_(&n, &n, lu.data(), &n, pivots.data(), &info);
  for (std::size_t k = 0; k < size; ++k)
    if (!(std::abs(lu[k * size + k]) >= least_pivot * column_sizes[k]))
      return false;
  return info == 0;
}

bool LinearSystem::factorise_sparse() {
  is_dense = false;
  size = matrix.n_rows;
  factors = std::make_unique<Sparse>();
  factors->start.assign(matrix.row_start.begin(), matrix.row_start.end());
  factors->index.assign(matrix.column.begin(), matrix.column.end());
  if (size == 0)
    return true;
  const auto n = static_cast<SuiteSparse_long>(size);
  const SuiteSparse_long *start = factors->start.data(), *index = factors->index.data();
  const double *value = matrix.value.data();
  double info[UMFPACK_INFO];
  void *symbolic = nullptr;
  bool good =
      umfpack_dl_symbolic(n, n, start, index, value, &symbolic, nullptr, info) == UMFPACK_OK;
  good = good && umfpack_dl_numeric(start, index, value, symbolic, &factors->numeric, nullptr,
                                    info) == UMFPACK_OK;
  umfpack_dl_free_symbolic(&symbolic);
  return good && info[UMFPACK_RCOND] >= least_pivot;
}

bool LinearSystem::solve(std::vector<double> &x) const {
  if (size == 0)
    return true;
  if (is_dense) {
    const int n = static_cast<int>(size), one = 1;
    int info = 0;
    dgetrs_("N", &n, &one, lu.data(), &n, pivots.data(), x.data(), &n, &info, 1);
  } else {
    if (!factors->numeric)
      return false;
    const std::vector<double> b = x;
    umfpack_dl_solve(UMFPACK_At, factors->start.data(), factors->index.data(), matrix.value.data(),
                     x.data(), b.data(), factors->numeric, nullptr, nullptr);
  }
  return std::all_of(x.begin(), x.end(), [](double entry) { return std::isfinite(entry); });
}

} // namespace percussion
