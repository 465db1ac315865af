#include <percussion/algebra/cholesky.h>
#include <percussion/io/error.h>

#include <cholmod.h>

#include <camd.h>
#include <numeric>
#include <string>

namespace percussion {

/// CHOLMOD's objects and the workspaces of its solves.
struct Cholesky::Factor {
  cholmod_common common;
  cholmod_factor *L = nullptr;
  cholmod_dense *x = nullptr; ///< right-hand side and solution
  cholmod_dense *result = nullptr, *y = nullptr, *e = nullptr;

  Factor() {
    cholmod_start(&common);
    common.print = 0; // failures are reported by exceptions
    common.nmethods = 1;
    common.method[0].ordering = CHOLMOD_GIVEN;
    common.postorder = 0; // would move unknowns behind the ones that must stay last
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

  void sweep(int system) {
    cholmod_solve2(system, L, x, nullptr, &result, nullptr, &y, &e, &common);
    std::swap(x, result);
  }
};

namespace {

constexpr unsigned int not_unknown = static_cast<unsigned int>(-1);

/// Compressed columns of the block of A over `unknowns`: all of it for the ordering, or the upper
/// triangle, which is what CHOLMOD reads.
struct CompressedColumns {
  std::vector<int> start, row;
  std::vector<double> value;
};

CompressedColumns block_of(const SparseMatrix &A, const std::vector<unsigned int> &unknowns,
                           bool upper_triangle_only) {
  std::vector<unsigned int> position(A.m(), not_unknown);
  for (unsigned int k = 0; k < unknowns.size(); ++k)
    position[unknowns[k]] = k;
  CompressedColumns block;
  block.start.push_back(0);
  for (unsigned int k = 0; k < unknowns.size(); ++k) {
    // A is symmetric: its row is its column.
    std::vector<std::pair<int, double>> column;
    for (auto entry = A.begin(unknowns[k]); entry != A.end(unknowns[k]); ++entry) {
      const unsigned int i = position[entry->column()];
      if (i != not_unknown && (!upper_triangle_only || i <= k))
        column.emplace_back(static_cast<int>(i), entry->value());
    }
    std::sort(column.begin(), column.end());
    for (const auto &[i, value] : column) {
      block.row.push_back(i);
      block.value.push_back(value);
    }
    block.start.push_back(static_cast<int>(block.row.size()));
  }
  return block;
}

/// Fill-reducing order of the first n − n_last unknowns; the last ones keep their places.
std::vector<unsigned int> elimination_order(const SparseMatrix &A,
                                            const std::vector<unsigned int> &unknowns,
                                            unsigned int n_last) {
  const auto n = static_cast<unsigned int>(unknowns.size());
  if (n == 0)
    return {};
  CompressedColumns block = block_of(A, unknowns, false);
  // CAMD orders constraint sets one after the other: one set for all that may move, one for each
  // unknown that may not.
  std::vector<int> constraint(n, 0), permutation(n);
  for (unsigned int k = 0; k < n_last; ++k)
    constraint[n - n_last + k] = static_cast<int>(k + (n > n_last ? 1 : 0));
  if (camd_order(static_cast<int>(n), block.start.data(), block.row.data(), permutation.data(),
                 nullptr, nullptr, constraint.data()) < CAMD_OK)
    throw RunError("the fill-reducing ordering of the system matrix failed");
  std::vector<unsigned int> order(n);
  for (unsigned int k = 0; k < n; ++k)
    order[k] = unknowns[static_cast<unsigned int>(permutation[k])];
  return order;
}

} // namespace

Cholesky::Cholesky(const SparseMatrix &A, const std::vector<unsigned int> &unknowns,
                   unsigned int n_last_unknowns)
    : factor(std::make_unique<Factor>()),
      order(percussion::elimination_order(A, unknowns, n_last_unknowns)), n_last(n_last_unknowns) {
  const std::size_t n = order.size();
  CompressedColumns block = block_of(A, order, true);
  cholmod_sparse view{};
  view.nrow = view.ncol = n;
  view.nzmax = block.row.size();
  view.p = block.start.data();
  view.i = block.row.data();
  view.x = block.value.data();
  view.stype = 1;
  view.itype = CHOLMOD_INT;
  view.xtype = CHOLMOD_REAL;
  view.dtype = CHOLMOD_DOUBLE;
  view.sorted = view.packed = 1;

  std::vector<int> identity(n);
  std::iota(identity.begin(), identity.end(), 0);
  cholmod_common *const common = &factor->common;
  factor->L = cholmod_analyze_p(&view, identity.data(), nullptr, 0, common);
  if (factor->L == nullptr || !cholmod_factorize(&view, factor->L, common))
    throw RunError("the factorisation of the system matrix failed (out of memory?)");
  if (factor->L->minor < n)
    throw RunError("the system matrix is not positive definite: the body has a free rigid motion, "
                   "or a material parameter is out of its range");
  factor->x = cholmod_zeros(n, 1, CHOLMOD_REAL, common);
  factor->result = cholmod_zeros(n, 1, CHOLMOD_REAL, common);

  L_cc.assign(std::size_t(n_last) * n_last, 0.);
  const auto *const start = static_cast<const int *>(factor->L->p);
  const auto *const count = static_cast<const int *>(factor->L->nz);
  const auto *const row = static_cast<const int *>(factor->L->i);
  const auto *const value = static_cast<const double *>(factor->L->x);
  for (unsigned int c = 0; c < n_last; ++c) {
    const std::size_t column = n - n_last + c;
    for (int k = start[column]; k < start[column] + count[column]; ++k)
      L_cc[std::size_t(c) * n_last + (static_cast<std::size_t>(row[k]) - (n - n_last))] = value[k];
  }
}

Cholesky::~Cholesky() = default;
Cholesky::Cholesky(Cholesky &&) noexcept = default;
Cholesky &Cholesky::operator=(Cholesky &&) noexcept = default;

double *Cholesky::work() const { return static_cast<double *>(factor->x->x); }
void Cholesky::forward() const { factor->sweep(CHOLMOD_L); }
void Cholesky::backward() const { factor->sweep(CHOLMOD_Lt); }

void Cholesky::solve(const Vector &b, Vector &x) const {
  for (unsigned int k = 0; k < size(); ++k)
    work()[k] = entries(b)[order[k]];
  forward();
  backward();
  for (unsigned int k = 0; k < size(); ++k)
    entries(x)[order[k]] = work()[k];
}

} // namespace percussion
