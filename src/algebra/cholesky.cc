#include <percussion/algebra/cholesky.h>
#include <percussion/base/error.h>

#include <cholmod.h>

#include <algorithm>
#include <string>

namespace percussion {
namespace {

/// Compressed columns of the upper triangle of a symmetric matrix: what CHOLMOD reads.
struct UpperTriangle {
  std::vector<int> start, row;
  std::vector<double> value;
};

/// The block of A over `unknowns`, in their order.
UpperTriangle block_of(const SparseMatrix &A, const std::vector<unsigned int> &unknowns,
                       const std::vector<int> &place) {
  UpperTriangle block;
  block.start.push_back(0);
  std::vector<std::pair<int, double>> column;
  for (unsigned int k = 0; k < unknowns.size(); ++k) {
    // A is symmetric: its row is its column.
    column.clear();
    for (auto entry = A.begin(unknowns[k]); entry != A.end(unknowns[k]); ++entry)
      if (const int i = place[entry->column()]; i >= 0 && i <= static_cast<int>(k))
        column.emplace_back(i, entry->value());
    std::sort(column.begin(), column.end());
    for (const auto &[i, value] : column) {
      block.row.push_back(i);
      block.value.push_back(value);
    }
    block.start.push_back(static_cast<int>(block.row.size()));
  }
  return block;
}

std::vector<int> places(std::size_t n, const std::vector<unsigned int> &order) {
  std::vector<int> place(n, -1);
  for (unsigned int k = 0; k < order.size(); ++k)
    place[order[k]] = static_cast<int>(k);
  return place;
}

cholmod_sparse view_of(UpperTriangle &A) {
  cholmod_sparse view{};
  view.nrow = view.ncol = A.start.size() - 1;
  view.nzmax = A.row.size();
  view.p = A.start.data();
  view.i = A.row.data();
  view.x = A.value.data();
  view.stype = 1;
  view.itype = CHOLMOD_INT;
  view.xtype = CHOLMOD_REAL;
  view.dtype = CHOLMOD_DOUBLE;
  view.sorted = view.packed = 1;
  return view;
}

[[noreturn]] void report_failure() {
  throw RunError("the factorisation of the system matrix failed (out of memory?)");
}

} // namespace

/// CHOLMOD's objects and the workspaces of its solves.
struct Cholesky::Factor {
  cholmod_common common;
  UpperTriangle A; ///< while it is being factorised
  cholmod_factor *L = nullptr;
  cholmod_dense *x = nullptr; ///< right-hand side and solution
  cholmod_dense *result = nullptr, *y = nullptr, *e = nullptr;
  std::vector<double> dense; ///< zero between the calls of forward_unit()

  Factor() {
    cholmod_start(&common);
    common.print = 0; // failures are reported by exceptions
    common.nmethods = 1;
    common.supernodal = CHOLMOD_SIMPLICIAL;
    common.final_ll = 1;
  }
  ~Factor() {
    cholmod_free_dense(&e, &common);
    cholmod_free_dense(&y, &common);
    cholmod_free_dense(&result, &common);
    cholmod_free_dense(&x, &common);
    cholmod_free_factor(&L, &common);
    cholmod_finish(&common);
  }
  Factor(const Factor &) = delete;
  Factor &operator=(const Factor &) = delete;

  /// Fill-reducing order of the unknowns of A.
  std::vector<unsigned int> fill_reducing_order() {
    common.method[0].ordering = CHOLMOD_AMD;
    common.postorder = 1;
    cholmod_sparse view = view_of(A);
    cholmod_factor *symbolic = cholmod_analyze(&view, &common);
    if (symbolic == nullptr)
      report_failure();
    const auto *const permutation = static_cast<const int *>(symbolic->Perm);
    std::vector<unsigned int> result_order(permutation, permutation + symbolic->n);
    cholmod_free_factor(&symbolic, &common);
    return result_order;
  }

  /// A is in its order of elimination from here on: CHOLMOD need not permute it any more.
  void analyse() {
    common.method[0].ordering = CHOLMOD_NATURAL;
    common.postorder = 0;
    cholmod_sparse view = view_of(A);
    L = cholmod_analyze(&view, &common);
    x = cholmod_zeros(view.nrow, 1, CHOLMOD_REAL, &common);
    result = cholmod_zeros(view.nrow, 1, CHOLMOD_REAL, &common);
    dense.assign(view.nrow, 0.);
    if (L == nullptr || x == nullptr || result == nullptr)
      report_failure();
  }

  bool factorise() {
    cholmod_sparse view = view_of(A);
    if (!cholmod_factorize(&view, L, &common))
      report_failure();
    return L->minor == L->n;
  }

  void sweep(int system) {
    cholmod_solve2(system, L, x, nullptr, &result, nullptr, &y, &e, &common);
    std::swap(x, result);
  }
};

Cholesky::Cholesky(const SparseMatrix &A, const std::vector<unsigned int> &unknowns)
    : factor(std::make_unique<Factor>()) {
  place_of = places(A.m(), {});
  if (unknowns.empty()) // all motion is prescribed
    return;
  factor->A = block_of(A, unknowns, places(A.m(), unknowns));
  for (const unsigned int k : factor->fill_reducing_order())
    order.push_back(unknowns[k]);
  place_of = places(A.m(), order);
  factor->A = block_of(A, order, place_of);
  factor->analyse();
  if (!factor->factorise())
    throw RunError("the system matrix is not positive definite: the body has a free rigid motion, "
                   "or a material parameter is out of its range");
  factor->A = {};
}

Cholesky::~Cholesky() = default;
Cholesky::Cholesky(Cholesky &&) noexcept = default;
Cholesky &Cholesky::operator=(Cholesky &&) noexcept = default;

double *Cholesky::work() const {
  return size() > 0 ? static_cast<double *>(factor->x->x) : nullptr;
}
void Cholesky::forward() const {
  if (size() > 0)
    factor->sweep(CHOLMOD_L);
}
void Cholesky::backward() const {
  if (size() > 0)
    factor->sweep(CHOLMOD_Lt);
}

void Cholesky::forward_unit(unsigned int unit, SparseColumn &column) const {
  const auto *const start = static_cast<const int *>(factor->L->p);
  const auto *const count = static_cast<const int *>(factor->L->nz);
  const auto *const row = static_cast<const int *>(factor->L->i);
  const auto *const value = static_cast<const double *>(factor->L->x);
  std::vector<double> &x = factor->dense;
  column.place.clear();
  column.value.clear();
  x[unit] = 1.;
  // The parent of a column in the elimination tree is the row of its first entry off the diagonal.
  for (int j = static_cast<int>(unit); j >= 0;) {
    const int begin = start[j], end = begin + count[j];
    const double x_j = x[static_cast<unsigned int>(j)] / value[begin];
    x[static_cast<unsigned int>(j)] = 0.;
    column.place.push_back(static_cast<unsigned int>(j));
    column.value.push_back(x_j);
    for (int k = begin + 1; k < end; ++k)
      x[static_cast<unsigned int>(row[k])] -= value[k] * x_j;
    j = count[j] > 1 ? row[begin + 1] : -1;
  }
}

void Cholesky::solve(const Vector &b, Vector &x) const {
  for (unsigned int k = 0; k < size(); ++k)
    work()[k] = entries(b)[order[k]];
  forward();
  backward();
  for (unsigned int k = 0; k < size(); ++k)
    entries(x)[order[k]] = work()[k];
}

} // namespace percussion
