#include <percussion/base/floating_point_traps.h>
#include <percussion/base/linear_system.h>

#include <algorithm>
#include <cmath>
#include <klu.h>
#include <limits>
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
/// the largest pivot (sparse): with a smaller pivot it is singular within the errors of its
/// entries.
constexpr double least_pivot = 1e-12;

double largest_of(const double *entries, std::size_t n) {
  double largest = 0.;
  for (std::size_t k = 0; k < n; ++k)
    largest = std::max(largest, std::abs(entries[k]));
  return largest;
}

/// Size up to which the call of LAPACK takes longer than its computation.
constexpr std::size_t small_size = 40;

/// Eliminates the entries of a column above its diagonal with the columns of L before it, two at a
/// time.
void eliminate_above(const double *lu, std::size_t n, std::size_t column, double *entries) {
  std::size_t k = 0;
  for (; k + 2 <= column; k += 2) {
    const double *const first = lu + k * n, *const second = first + n;
    const double u_first = entries[k], u_second = entries[k + 1] -= first[k + 1] * u_first;
    if (u_first == 0. && u_second == 0.)
      continue;
    for (std::size_t row = k + 2; row < n; ++row)
      entries[row] = entries[row] - first[row] * u_first - second[row] * u_second;
  }
  if (k < column)
    for (std::size_t row = k + 1; row < n; ++row)
      entries[row] -= lu[k * n + row] * entries[k];
}

/// Computes LU factors by columns with exchanged rows, like dgetrf.
void factorise_small(double *a, std::size_t n, int *pivots) {
  for (std::size_t k = 0; k < n; ++k) {
    double *const column = a + k * n;
    eliminate_above(a, n, k, column);
    std::size_t pivot = k;
    for (std::size_t row = k + 1; row < n; ++row)
      if (std::abs(column[row]) > std::abs(column[pivot]))
        pivot = row;
    pivots[k] = static_cast<int>(pivot);
    if (column[pivot] == 0.)
      continue;
    if (pivot != k)
      for (std::size_t c = 0; c < n; ++c)
        std::swap(a[c * n + k], a[c * n + pivot]);
    const double inverse = 1. / column[k];
    for (std::size_t row = k + 1; row < n; ++row)
      column[row] *= inverse;
  }
}

void solve_small(const double *a, std::size_t n, const int *pivots, double *x) {
  for (std::size_t k = 0; k < n; ++k)
    std::swap(x[k], x[pivots[k]]);
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t row = k + 1; row < n; ++row)
      x[row] -= x[k] * a[k * n + row];
  for (std::size_t k = n; k-- > 0;) {
    x[k] /= a[k * n + k];
    for (std::size_t row = 0; row < k; ++row)
      x[row] -= x[k] * a[k * n + row];
  }
}

bool is_odd(const SuiteSparse_long *permutation, std::size_t n) {
  std::vector<bool> visited(n, false);
  bool odd = false;
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t position = k; !visited[position];
         position = static_cast<std::size_t>(permutation[position])) {
      visited[position] = true;
      odd ^= static_cast<std::size_t>(permutation[position]) != k;
    }
  return odd;
}

} // namespace

double fill_per_row(const std::vector<std::size_t> &row_start,
                    const std::vector<std::size_t> &column) {
  std::vector<SuiteSparse_long> start(row_start.begin(), row_start.end());
  std::vector<SuiteSparse_long> index(column.begin(), column.end());
  if (index.empty())
    return std::numeric_limits<double>::infinity();
  klu_l_common common;
  klu_l_defaults(&common);
  common.btf = 0;
  const auto n = static_cast<SuiteSparse_long>(start.size() - 1);
  klu_l_symbolic *symbolic = klu_l_analyze(n, start.data(), index.data(), &common);
  const double fill =
      symbolic ? symbolic->lnz / static_cast<double>(n) : std::numeric_limits<double>::infinity();
  klu_l_free_symbolic(&symbolic, &common);
  return fill;
}

/// Sparse factors, by KLU if there is little fill, as for assemblies of rigid bodies, otherwise by
/// UMFPACK. Both take compressed columns, so these are the factors of the transpose. The order of
/// elimination, and KLU's pivots, are kept as long as the pattern stays the same.
struct LinearSystem::Sparse {
  std::vector<SuiteSparse_long> start, index;
  bool uses_klu = false;
  void *umf_symbolic = nullptr, *umf_numeric = nullptr;
  klu_l_common common;
  double control[UMFPACK_CONTROL];
  klu_l_symbolic *symbolic = nullptr;
  klu_l_numeric *numeric = nullptr;

  Sparse() {
    klu_l_defaults(&common);
    umfpack_dl_defaults(control);
    control[UMFPACK_IRSTEP] = 1;
  }
  Sparse(const Sparse &) = delete;
  Sparse &operator=(const Sparse &) = delete;
  ~Sparse() { clear(); }

  void clear() {
    umfpack_dl_free_numeric(&umf_numeric);
    umfpack_dl_free_symbolic(&umf_symbolic);
    klu_l_free_numeric(&numeric, &common);
    klu_l_free_symbolic(&symbolic, &common);
  }

  /// Returns true if this pattern equals the last one; otherwise stores it.
  bool repeats(const CompressedRows &matrix) {
    const auto are_equal = [](const std::vector<SuiteSparse_long> &ours,
                              const std::vector<std::size_t> &row_starts) {
      return std::equal(
          ours.begin(), ours.end(), row_starts.begin(), row_starts.end(),
          [](SuiteSparse_long a, std::size_t b) { return static_cast<std::size_t>(a) == b; });
    };
    if (are_equal(start, matrix.row_start) && are_equal(index, matrix.column))
      return true;
    start.assign(matrix.row_start.begin(), matrix.row_start.end());
    index.assign(matrix.column.begin(), matrix.column.end());
    return false;
  }

  bool has_whole_diagonal() const {
    for (std::size_t row = 0; row + 1 < start.size(); ++row)
      if (!std::binary_search(index.begin() + start[row], index.begin() + start[row + 1],
                              static_cast<SuiteSparse_long>(row)))
        return false;
    return true;
  }

  /// Finds an order of elimination.
  bool order(const double *value) {
    constexpr double little_fill = 100.; // entries per row of a factor
    clear();
    const auto n = static_cast<SuiteSparse_long>(start.size() - 1);
    uses_klu = false;
    if (has_whole_diagonal()) {
      common.btf = 0;
      symbolic = klu_l_analyze(n, start.data(), index.data(), &common);
      uses_klu = symbolic && symbolic->lnz <= little_fill * static_cast<double>(n);
    }
    return uses_klu || umfpack_dl_symbolic(n, n, start.data(), index.data(), value, &umf_symbolic,
                                           nullptr, nullptr) == UMFPACK_OK;
  }

  bool factorise(double *value) {
    if (!uses_klu) {
      double info[UMFPACK_INFO];
      umfpack_dl_free_numeric(&umf_numeric);
      return umfpack_dl_numeric(start.data(), index.data(), value, umf_symbolic, &umf_numeric,
                                nullptr, info) == UMFPACK_OK &&
             info[UMFPACK_RCOND] >= least_pivot;
    }
    const auto regular = [this] {
      return common.status == KLU_OK && klu_l_rcond(symbolic, numeric, &common) &&
             common.rcond >= least_pivot;
    };
    if (numeric && klu_l_refactor(start.data(), index.data(), value, symbolic, numeric, &common) &&
        regular())
      return true;
    klu_l_free_numeric(&numeric, &common);
    numeric = klu_l_factor(start.data(), index.data(), value, symbolic, &common);
    return numeric && regular();
  }

  double sign_of_determinant() const {
    if (!uses_klu) {
      double mantissa = 0., exponent = 0.;
      umfpack_dl_get_determinant(&mantissa, &exponent, umf_numeric, nullptr);
      return mantissa < 0. ? -1. : 1.;
    }
    const auto n = start.size() - 1;
    const auto *const diagonal = static_cast<const double *>(numeric->Udiag);
    bool negative = false;
    for (std::size_t k = 0; k < n; ++k)
      negative ^= diagonal[k] < 0.;
    return negative ^ is_odd(numeric->Pnum, n) ^ is_odd(symbolic->Q, n) ? -1. : 1.;
  }

  /// Solves with one step of iterative refinement, which UMFPACK includes.
  bool solve(const CompressedRows &matrix, std::vector<double> &x) {
    const std::vector<double> b = x;
    if (!uses_klu)
      return umf_numeric &&
             umfpack_dl_solve(UMFPACK_At, start.data(), index.data(), matrix.value.data(), x.data(),
                              b.data(), umf_numeric, control, nullptr) >= 0;
    const auto n = static_cast<SuiteSparse_long>(x.size());
    if (!numeric || !klu_l_tsolve(symbolic, numeric, n, 1, x.data(), &common))
      return false;
    std::vector<double> residual = b;
    for (std::size_t row = 0; row < matrix.n_rows; ++row)
      for (std::size_t k = matrix.row_start[row]; k < matrix.row_start[row + 1]; ++k)
        residual[row] -= matrix.value[k] * x[matrix.column[k]];
    if (!klu_l_tsolve(symbolic, numeric, n, 1, residual.data(), &common))
      return false;
    for (std::size_t k = 0; k < x.size(); ++k)
      x[k] += residual[k];
    return true;
  }
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
  if (size <= small_size)
    factorise_small(lu.data(), size, pivots.data());
  else
    dgetrf_(&n, &n, lu.data(), &n, pivots.data(), &info);
  for (std::size_t k = 0; k < size; ++k)
    if (!(std::abs(lu[k * size + k]) >= least_pivot * column_sizes[k]) || lu[k * size + k] == 0.)
      return false;
  return info == 0;
}

bool LinearSystem::factorise_sparse() {
  is_dense = false;
  size = matrix.n_rows;
  if (!factors)
    factors = std::make_unique<Sparse>();
  if (size == 0)
    return true;
  const bool ordered = factors->repeats(matrix);
  return (ordered || factors->order(matrix.value.data())) &&
         factors->factorise(matrix.value.data());
}

double LinearSystem::sign_of_determinant() const {
  if (!is_dense)
    return factors->sign_of_determinant();
  bool negative = false;
  for (std::size_t k = 0; k < size; ++k) {
    const std::size_t pivot =
        static_cast<std::size_t>(size <= small_size ? pivots[k] : pivots[k] - 1);
    negative ^= (pivot != k) != (lu[k * size + k] < 0.);
  }
  return negative ? -1. : 1.;
}

bool LinearSystem::solve(std::vector<double> &x) const {
  if (size == 0)
    return true;
  if (is_dense && size <= small_size) {
    solve_small(lu.data(), size, pivots.data(), x.data());
  } else if (is_dense) {
    const int n = static_cast<int>(size), unit_stride = 1;
    int info = 0;
    const NoFloatingPointTraps no_traps; // a factor may have tiny pivots
    dgetrs_("N", &n, &unit_stride, lu.data(), &n, pivots.data(), x.data(), &n, &info, 1);
  } else if (!factors->solve(matrix, x)) {
    return false;
  }
  return std::all_of(x.begin(), x.end(), [](double entry) { return std::isfinite(entry); });
}

} // namespace percussion
