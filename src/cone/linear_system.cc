#include "linear_system.h"

#include <algorithm>
#include <cmath>
#include <umfpack.h>

// LAPACK's LU factorisation and solution. The last argument is the length of `trans`, which Fortran
// compilers pass by value.
extern "C" {
void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv, int *info);
void dgetrs_(const char *trans, const int *n, const int *nrhs, const double *a, const int *lda,
             const int *ipiv, double *b, const int *ldb, int *info, std::size_t trans_length);
}

namespace percussion {
namespace {

/// Smallest pivot, relative to the largest entry of its column in dense matrices and to the largest
/// pivot in sparse ones: below, W is singular but for the errors of its entries.
constexpr double least_pivot = 1e-12;

double largest_of(const double *entries, std::size_t n) {
  double largest = 0.;
  for (std::size_t k = 0; k < n; ++k)
    largest = std::max(largest, std::abs(entries[k]));
  return largest;
}

} // namespace

/// UMFPACK's factors of the matrix by compressed columns, which is the transposed of what is given.
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
  n_ = n;
  lu_.resize(n * n);
  return lu_.data();
}

bool LinearSystem::factorise_dense() {
  is_dense_ = true;
  pivots_.resize(n_);
  if (n_ == 0)
    return true;
  const int n = static_cast<int>(n_);
  int info = 0;
  column_sizes_.resize(n_);
  for (std::size_t k = 0; k < n_; ++k)
    column_sizes_[k] = largest_of(lu_.data() + k * n_, n_);
  dgetrf_(&n, &n, lu_.data(), &n, pivots_.data(), &info);
  for (std::size_t k = 0; k < n_; ++k)
    if (!(std::abs(lu_[k * n_ + k]) >= least_pivot * column_sizes_[k]))
      return false;
  return info == 0;
}

bool LinearSystem::factorise_sparse() {
  is_dense_ = false;
  n_ = sparse_.n_rows;
  factors_ = std::make_unique<Sparse>();
  factors_->start.assign(sparse_.row_start.begin(), sparse_.row_start.end());
  factors_->index.assign(sparse_.column.begin(), sparse_.column.end());
  if (n_ == 0)
    return true;
  const auto n = static_cast<SuiteSparse_long>(n_);
  const SuiteSparse_long *start = factors_->start.data(), *index = factors_->index.data();
  const double *value = sparse_.value.data();
  double info[UMFPACK_INFO];
  void *symbolic = nullptr;
  bool good =
      umfpack_dl_symbolic(n, n, start, index, value, &symbolic, nullptr, info) == UMFPACK_OK;
  good = good && umfpack_dl_numeric(start, index, value, symbolic, &factors_->numeric, nullptr,
                                    info) == UMFPACK_OK;
  umfpack_dl_free_symbolic(&symbolic);
  return good && info[UMFPACK_RCOND] >= least_pivot;
}

bool LinearSystem::solve(std::vector<double> &x) const {
  if (n_ == 0)
    return true;
  if (is_dense_) {
    const int n = static_cast<int>(n_), one = 1;
    int info = 0;
    dgetrs_("N", &n, &one, lu_.data(), &n, pivots_.data(), x.data(), &n, &info, 1);
  } else {
    if (!factors_->numeric)
      return false;
    const std::vector<double> b = x;
    umfpack_dl_solve(UMFPACK_At, factors_->start.data(), factors_->index.data(),
                     sparse_.value.data(), x.data(), b.data(), factors_->numeric, nullptr, nullptr);
  }
  return std::all_of(x.begin(), x.end(), [](double entry) { return std::isfinite(entry); });
}

} // namespace percussion
