#include <percussion/algebra/cholesky.h>
#include <percussion/base/error.h>

#include "supernodes.h"
#include <algorithm>
#include <numeric>

namespace percussion {
namespace {

/// Upper triangle of a symmetric matrix in compressed columns, the input format of CHOLMOD.
struct UpperTriangle {
  std::vector<int> start, row;
  std::vector<double> value;
};

/// Returns the pattern of A over the unknowns, in their order. A is symmetric: its rows are its
/// columns.
UpperTriangle pattern_of(const SparseMatrix &A, const std::vector<unsigned int> &unknowns,
                         const std::vector<int> &position) {
  UpperTriangle block;
  block.start.push_back(0);
  for (unsigned int k = 0; k < unknowns.size(); ++k) {
    const SparseRow column = A.row(unknowns[k]);
    const auto begin = static_cast<std::ptrdiff_t>(block.row.size());
    for (int e = 0; e < column.size; ++e)
      if (const int i = position[static_cast<unsigned int>(column.column[e])];
          i >= 0 && i <= static_cast<int>(k))
        block.row.push_back(i);
    std::sort(block.row.begin() + begin, block.row.end());
    block.start.push_back(static_cast<int>(block.row.size()));
  }
  return block;
}

std::vector<int> positions(std::size_t n, const std::vector<unsigned int> &order) {
  std::vector<int> position(n, -1);
  for (unsigned int k = 0; k < order.size(); ++k)
    position[order[k]] = static_cast<int>(k);
  return position;
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
  view.xtype = A.value.empty() ? CHOLMOD_PATTERN : CHOLMOD_REAL;
  view.dtype = CHOLMOD_DOUBLE;
  view.sorted = view.packed = 1;
  return view;
}

[[noreturn]] void report_failure() {
  throw RunError("the factorisation of the system matrix failed (out of memory?)");
}

} // namespace

/// Objects of CHOLMOD and the workspaces of its solves.
struct Cholesky::Factor {
  cholmod_common common;
  UpperTriangle A; ///< in the order of elimination
  cholmod_factor *L = nullptr;
  cholmod_dense *x = nullptr; ///< right-hand side and solution
  cholmod_dense *result = nullptr, *y = nullptr, *e = nullptr;
  std::vector<double> lower_entries; ///< entries of a block below its triangle, in a sweep

  Factor() {
    cholmod_start(&common);
    common.print = 0; // failures are reported by exceptions
    common.nmethods = 1;
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

  /// Returns a fill-reducing order of the unknowns of a pattern, by METIS or by AMD.
  std::vector<int> fill_reducing_order(UpperTriangle &pattern, bool uses_metis) {
    std::vector<int> permutation(pattern.start.size() - 1);
    cholmod_sparse view = view_of(pattern);
    const bool is_ordered = uses_metis
                                ? cholmod_metis(&view, nullptr, 0, 1, permutation.data(), &common)
                                : cholmod_amd(&view, nullptr, 0, permutation.data(), &common);
    if (!is_ordered)
      report_failure();
    return permutation;
  }

  /// Returns this order after a postordering of the elimination tree, which does not change the
  /// fill.
  std::vector<int> postordered(UpperTriangle &pattern, std::vector<int> permutation) {
    common.method[0].ordering = CHOLMOD_GIVEN;
    common.postorder = 1;
    common.supernodal = CHOLMOD_SIMPLICIAL; // does not count entries in int
    cholmod_sparse view = view_of(pattern);
    cholmod_factor *symbolic = cholmod_analyze_p(&view, permutation.data(), nullptr, 0, &common);
    if (symbolic == nullptr)
      report_failure();
    const auto *const order = static_cast<const int *>(symbolic->Perm);
    std::copy(order, order + symbolic->n, permutation.begin());
    cholmod_free_factor(&symbolic, &common);
    return permutation;
  }

  /// Analyses A. From here on A is in its order of elimination: CHOLMOD need not permute it.
  void analyse() {
    if (L != nullptr)
      return;
    // Dense blocks of small matrices are too small for calls of BLAS to be worthwhile. Columns have
    // more entries in 3D than in 2D, and blocks are larger.
    const std::size_t n = A.start.size() - 1,
                      simplicial_limit = A.row.size() > 15 * n ? 1000 : 8000;
    common.supernodal = n < simplicial_limit ? CHOLMOD_SIMPLICIAL : CHOLMOD_AUTO;
    common.method[0].ordering = CHOLMOD_NATURAL;
    common.postorder = 0;
    cholmod_sparse view = view_of(A);
    L = cholmod_analyze(&view, &common);
    x = cholmod_zeros(view.nrow, 1, CHOLMOD_REAL, &common);
    result = cholmod_zeros(view.nrow, 1, CHOLMOD_REAL, &common);
    if (L == nullptr || x == nullptr || result == nullptr)
      report_failure();
    A.value.resize(A.row.size());
  }

  bool factorise() {
    cholmod_sparse view = view_of(A);
    if (!cholmod_factorize(&view, L, &common))
      report_failure();
    return L->minor == L->n;
  }

  void sweep(int system) {
    if (L->is_super) {
      const Supernodes blocks(*L, lower_entries);
      auto *const all = static_cast<double *>(x->x);
      return system == CHOLMOD_L ? blocks.forward(all) : blocks.backward(all);
    }
    cholmod_solve2(system, L, x, nullptr, &result, nullptr, &y, &e, &common);
    std::swap(x, result);
  }

  /// Calls visit(row, column, value) for the entries of the columns of L from `first` on.
  template <typename Visit>
  void visit_columns(int first, const Visit &visit) const {
    const auto *const values = static_cast<const double *>(L->x);
    if (!L->is_super) {
      const auto *const start = static_cast<const int *>(L->p);
      const auto *const count = static_cast<const int *>(L->nz);
      const auto *const rows = static_cast<const int *>(L->i);
      for (int j = first; j < static_cast<int>(L->n); ++j)
        for (int k = start[j]; k < start[j] + count[j]; ++k)
          visit(rows[k], j, values[k]);
      return;
    }
    const auto *const super = static_cast<const int *>(L->super);
    const auto *const row_start = static_cast<const int *>(L->pi);
    const auto *const value_start = static_cast<const int *>(L->px);
    const auto *const rows = static_cast<const int *>(L->s);
    for (std::size_t s = 0; s < L->nsuper; ++s) {
      const int n_rows = row_start[s + 1] - row_start[s];
      for (int j = std::max(first, super[s]); j < super[s + 1]; ++j)
        for (int k = j - super[s]; k < n_rows; ++k) // the upper triangle is not used
          visit(rows[row_start[s] + k], j, values[value_start[s] + (j - super[s]) * n_rows + k]);
    }
  }
};

Cholesky::Cholesky(const SparseMatrix &A, const std::vector<unsigned int> &unknowns,
                   const std::vector<unsigned int> &interface,
                   const std::vector<unsigned int> &order_of_dofs)
    : factor(std::make_unique<Factor>()) {
  if (unknowns.empty()) // all motion is prescribed, or conjugate gradients replace the factor
    return;
  const std::vector<int> interface_index = positions(A.n_rows(), interface);
  std::vector<unsigned int> sequence;
  const std::vector<int> is_unknown = positions(A.n_rows(), unknowns);
  for (const unsigned int dof : order_of_dofs.empty() ? unknowns : order_of_dofs)
    if (is_unknown[dof] >= 0 && interface_index[dof] < 0)
      sequence.push_back(dof);
  if (order_of_dofs.empty())
    sequence = fill_reducing_order(A, sequence);
  sequence.insert(sequence.end(), interface.begin(), interface.end());
  UpperTriangle pattern = pattern_of(A, sequence, positions(A.n_rows(), sequence));
  std::vector<int> as_given(sequence.size());
  std::iota(as_given.begin(), as_given.end(), 0);
  for (const int k : factor->postordered(pattern, as_given))
    order.push_back(sequence[static_cast<unsigned int>(k)]);
  position_of = positions(A.n_rows(), order);
  n_entries = factor->common.lnz;
  factor->A = pattern_of(A, order, position_of);
  for (const unsigned int dof : interface)
    interface_place.push_back(position_of[dof]);
  std::sort(interface_place.begin(), interface_place.end());
}

std::vector<unsigned int> Cholesky::fill_reducing_order(const SparseMatrix &A,
                                                        const std::vector<unsigned int> &unknowns) {
  std::vector<unsigned int> sequence;
  if (unknowns.empty())
    return sequence;
  UpperTriangle pattern = pattern_of(A, unknowns, positions(A.n_rows(), unknowns));
  for (const int k : Factor().fill_reducing_order(pattern, unknowns.size() >= metis_threshold))
    sequence.push_back(unknowns[static_cast<unsigned int>(k)]);
  return sequence;
}

std::vector<unsigned int> Cholesky::fill_reducing_order_of_nodes(const SparseMatrix &A,
                                                                 unsigned int n,
                                                                 unsigned int node_size) {
  std::vector<unsigned int> sequence;
  if (n == 0)
    return sequence;
  UpperTriangle pattern;
  pattern.start.push_back(0);
  for (unsigned int first = 0; first < n; first += node_size) {
    const int node = static_cast<int>(first / node_size);
    const SparseRow first_row = A.row(first); // the columns of a row ascend
    for (int e = 0; e < first_row.size; ++e)
      if (const int column_dof = first_row.column[e] / static_cast<int>(node_size);
          column_dof <= node && (static_cast<int>(pattern.row.size()) == pattern.start.back() ||
                                 pattern.row.back() != column_dof))
        pattern.row.push_back(column_dof);
    pattern.start.push_back(static_cast<int>(pattern.row.size()));
  }
  for (const int node : Factor().fill_reducing_order(pattern, n >= metis_threshold))
    for (unsigned int d = 0; d < node_size; ++d)
      sequence.push_back(node_size * static_cast<unsigned int>(node) + d);
  return sequence;
}

Cholesky::~Cholesky() = default;
Cholesky::Cholesky(Cholesky &&) noexcept = default;
Cholesky &Cholesky::operator=(Cholesky &&) noexcept = default;

int Cholesky::index(unsigned int i, unsigned int j) const {
  if (position_of.empty())
    return -1;
  const auto [row, column] = std::minmax({position_of[i], position_of[j]});
  if (row < 0)
    return -1;
  const UpperTriangle &A = factor->A;
  const auto begin = A.row.begin() + A.start[static_cast<unsigned int>(column)];
  const auto end = A.row.begin() + A.start[static_cast<unsigned int>(column) + 1];
  return static_cast<int>(std::lower_bound(begin, end, row) - A.row.begin());
}

std::vector<double> &Cholesky::values() {
  if (size() > 0)
    factor->analyse();
  return factor->A.value;
}

void Cholesky::set_values(const MatrixRows &A) {
  std::vector<double> &value = values();
  std::fill(value.begin(), value.end(), 0.);
  for (const unsigned int dof : order) {
    const SparseRow dof_row = A.row(dof);
    for (int e = 0; e < dof_row.size; ++e)
      if (const auto column_dof = static_cast<unsigned int>(dof_row.column[e]);
          position_of[column_dof] >= 0 && position_of[column_dof] <= position_of[dof])
        value[static_cast<unsigned int>(index(column_dof, dof))] = dof_row.value[e];
  }
}

bool Cholesky::factorise() {
  if (size() == 0)
    return true;
  if (!factor->factorise())
    return false;
  extract_interface();
  return true;
}

/// After the postordering the interface may be in several ranges, one at the top of each tree, but
/// the rows of its columns are in the interface, too.
void Cholesky::extract_interface() {
  const std::size_t n = interface_place.size();
  interface_L.assign(n * n, 0.);
  if (n == 0)
    return;
  const int first = interface_place.front();
  std::vector<int> number(size() - static_cast<unsigned int>(first), -1);
  for (std::size_t k = 0; k < n; ++k)
    number[static_cast<unsigned int>(interface_place[k] - first)] = static_cast<int>(k);
  factor->visit_columns(first, [&](int row, int column, double value) {
    const int i = number[static_cast<unsigned int>(row - first)];
    const int j = number[static_cast<unsigned int>(column - first)];
    if (j >= 0)
      interface_L[static_cast<std::size_t>(j) * n + static_cast<unsigned int>(i)] = value;
  });
}

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

void Cholesky::solve(const double *b, double *x) const {
  for (unsigned int k = 0; k < size(); ++k)
    work()[k] = b[order[k]];
  forward();
  backward();
  for (unsigned int k = 0; k < size(); ++k)
    x[order[k]] = work()[k];
}

} // namespace percussion
