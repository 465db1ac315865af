#include <percussion/algebra/single_node_matrix.h>
#include <percussion/base/lanes.h>

#include <deal.II/base/exceptions.h>

#include <algorithm>
#include <cstring>

namespace percussion {
namespace {

constexpr unsigned int d = 3;

/// Three numbers, processed by one instruction with a fourth that does not matter.
using Three = float __attribute__((vector_size(4 * sizeof(float))));

/// Reads three numbers, and the number behind them.
[[gnu::always_inline]] inline Three load_row(const float *address) {
  Three row;
  std::memcpy(&row, address, sizeof row);
  return row;
}

// Vectors are read and written in pieces of the same sizes, so that the processor finds in its
// store buffer what it has written last.
using Pair = float __attribute__((vector_size(2 * sizeof(float))));

[[gnu::always_inline]] inline Three load(const float *address) {
  Pair pair;
  std::memcpy(&pair, address, sizeof pair);
  return Three{pair[0], pair[1], address[2], 0.F};
}

[[gnu::always_inline]] inline void store(const Three &x, float *address) {
  const Pair pair{x[0], x[1]};
  std::memcpy(address, &pair, sizeof pair);
  address[2] = x[2];
}

/// Block of two nodes.
struct Rows {
  Three row[d];
  [[gnu::always_inline]] explicit Rows(const float *block)
      : row{load_row(block), load_row(block + d), load_row(block + 2 * d)} {}
};

/// Entries of a vector at a node, each in all places.
struct Entries {
  Three entry[d];
  [[gnu::always_inline]] explicit Entries(const float *x) {
    for (unsigned int r = 0; r < d; ++r)
      entry[r] = Three{x[r], x[r], x[r], 0.F};
  }
};

/// Adds the product of a transposed block with the entries of a node to y.
[[gnu::always_inline]] inline void add_transposed(const Rows &a, const Entries &x, float *y) {
  Three product = a.row[0] * x.entry[0];
  product += a.row[1] * x.entry[1];
  product += a.row[2] * x.entry[2];
  store(load(y) + product, y);
}

/// Products of the rows of a node with entries of other nodes, before they are added up.
struct Sums {
  Three row[d] = {};
  [[gnu::always_inline]] void add(const Rows &a, const Three &x) {
    for (unsigned int r = 0; r < d; ++r)
      row[r] += a.row[r] * x;
  }
  [[gnu::always_inline]] void add_to(float *y) const {
    for (unsigned int r = 0; r < d; ++r)
      y[r] += (row[r][0] + row[r][1]) + row[r][2];
  }
};

/// Computes the product of a matrix with these blocks.
PERCUSSION_WITH_AVX2 void multiply_blocks(const NodePattern &pairs, const float *values,
                                          const float *x, float *y) {
  constexpr std::size_t block = std::size_t(d) * d;
  const std::size_t *const start = pairs.start.data();
  const unsigned int *const column = pairs.column.data();
  const unsigned int n = pairs.n_nodes(), first = pairs.first_node, end = first + n;
  std::fill(y + d * first, y + d * end, 0.F);
  for (unsigned int i = 0; i < n && first > 0; ++i)
    for (std::size_t k = start[2 * i]; k < start[2 * i + 1]; ++k)
      add_transposed(Rows(values + block * k), Entries(x + d * column[k]), y + d * (first + i));
  for (unsigned int i = 0; i < n; ++i) {
    const float *const x_row = x + d * (first + i);
    const Entries row_entries(x_row);
    Sums sums;
    std::size_t k = start[2 * i + 1];
    const std::size_t last = start[2 * i + 2];
    sums.add(Rows(values + block * k), load(x_row)); // the diagonal block
    for (++k; k < last && column[k] < end; ++k) {
      const Rows a(values + block * k);
      sums.add(a, load(x + d * column[k]));
      add_transposed(a, row_entries, y + d * column[k]);
    }
    for (; k < last; ++k) // rows of processes after this one
      sums.add(Rows(values + block * k), load(x + d * column[k]));
    sums.add_to(y + d * (first + i));
  }
}

} // namespace

SingleNodeMatrix::SingleNodeMatrix(const NodeMatrix &A, const std::vector<float> &scale)
    : pairs(A.pattern()) {
  AssertThrow(A.block_size() == d, dealii::ExcMessage("single precision is for nodes in 3D"));
  values.resize(pairs->column.size() * d * d + d, 0.F);
  A.visit_blocks([&](unsigned int row_node, unsigned int column_node, std::size_t block,
                     const double *entries) {
    for (unsigned int r = 0; r < d; ++r)
      for (unsigned int c = 0; c < d; ++c)
        values[(block * d + r) * d + c] =
            static_cast<float>(entries[d * r + c] * double(scale[d * row_node + r]) *
                               double(scale[d * column_node + c]));
  });
}

void SingleNodeMatrix::multiply(const float *x, float *y) const {
  multiply_blocks(*pairs, values.data(), x, y);
}

} // namespace percussion
