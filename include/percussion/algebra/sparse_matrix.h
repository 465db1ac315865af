#pragma once

#include <percussion/algebra/node_blocks.h>
#include <percussion/algebra/partition.h>
#include <percussion/algebra/vector.h>

#include <deal.II/base/exceptions.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace percussion {

/// Places of the entries of a sparse matrix, row by row; columns ascend in each row.
struct SparsityPattern {
  unsigned int first_row = 0;        ///< rows before it have no entries in this pattern
  std::vector<std::size_t> start{0}; ///< first entry of each row from first_row on, and
                                     ///< the number of all entries
  std::vector<int> column;

  /// Appends a row; its columns ascend.
  void append_row(const std::vector<int> &columns) {
    column.insert(column.end(), columns.begin(), columns.end());
    start.push_back(column.size());
  }
  std::size_t n_rows() const { return first_row + start.size() - 1; }
  /// Returns the number of the entry (i, j); the number of all entries if it has none.
  std::size_t find(std::size_t i, std::size_t j) const;
};

/// Row of a sparse matrix, to be read.
struct SparseRow {
  const int *column;   ///< degree of freedom of each entry
  const double *value; ///< its values
  int size;            ///< number of entries
};

/// Square sparse matrix: values of a pattern that several matrices may share.
///
/// The first rows of a symmetric matrix in 3D may be stored as blocks of nodes, which takes 0.4 of
/// the memory of rows, or 0.1 if the blocks are multiples of the unit matrix. The rows of these
/// nodes cannot be read one by one: visit_entries() visits the entries of all rows.
class SparseMatrix {
public:
  /// Makes a matrix without rows.
  SparseMatrix() : pattern_of_entries(std::make_shared<SparsityPattern>()) {}
  /// Makes a matrix of zeros. The rows before the first row of the pattern are blocks of nodes, if
  /// there are any.
  explicit SparseMatrix(std::shared_ptr<const SparsityPattern> pattern, NodeBlocks nodes = {})
      : pattern_of_entries(std::move(pattern)), entry(pattern_of_entries->column.size(), 0.),
        blocks(std::move(nodes)) {}

  unsigned int n_rows() const { return static_cast<unsigned int>(pattern_of_entries->n_rows()); }
  const std::shared_ptr<const SparsityPattern> &pattern() const { return pattern_of_entries; }
  /// Returns the values in the order of the pattern.
  std::vector<double> &values() { return entry; }
  const std::vector<double> &values() const { return entry; }

  /// True if the rows before pattern()->first_row are blocks of nodes.
  bool has_node_blocks() const { return blocks.pattern != nullptr; }
  /// Returns the blocks of nodes.
  const NodeBlocks &node_blocks() const { return blocks; }
  NodeBlocks &node_blocks() { return blocks; }

  /// Returns row i. Throws ExcInternalError if it is in blocks of nodes.
  SparseRow row(unsigned int i) const {
    const unsigned int first = pattern_of_entries->first_row;
    AssertThrow(i >= first, dealii::ExcInternalError());
    const std::size_t begin = pattern_of_entries->start[i - first];
    return {pattern_of_entries->column.data() + begin, entry.data() + begin,
            static_cast<int>(pattern_of_entries->start[i - first + 1] - begin)};
  }
  /// Returns the value of the entry (i, j); 0 where the pattern has none.
  double operator()(unsigned int i, unsigned int j) const {
    if (i < pattern_of_entries->first_row)
      return j < pattern_of_entries->first_row ? blocks.entry(i, j) : 0.;
    const std::size_t place = pattern_of_entries->find(i, j);
    return place < entry.size() ? entry[place] : 0.;
  }
  /// Returns the entry (i, j) of the pattern, to be changed.
  ///
  /// @param i its row
  /// @param j its column
  /// @throws ExcInternalError if the pattern has no such entry
  double &at(unsigned int i, unsigned int j);

private:
  std::shared_ptr<const SparsityPattern> pattern_of_entries;
  std::vector<double> entry;
  NodeBlocks blocks;
};

/// Calls visit(i, j, value) for the entries of the rows that a process computes; the columns of
/// each row ascend.
template <typename Visit>
void visit_entries(const SparseMatrix &A, const Partition &partition, const Visit &visit) {
  if (const NodeBlocks &blocks = A.node_blocks(); A.has_node_blocks())
    blocks.pattern->visit_blocks([&](unsigned int i, unsigned int j, std::size_t block) {
      const auto entry = [&](unsigned int r, unsigned int c) { return blocks.entry(block, r, c); };
      blocks.pattern->visit_entries(i, j, blocks.block_size, entry, visit);
    });
  partition.visit_computed(A.n_rows(), [&](std::size_t i) {
    if (i < A.pattern()->first_row)
      return;
    const SparseRow row = A.row(static_cast<unsigned int>(i));
    for (int k = 0; k < row.size; ++k)
      visit(static_cast<unsigned int>(i), static_cast<unsigned int>(row.column[k]), row.value[k]);
  });
}

/// Computes y = A x. A process has all rows.
void multiply(const SparseMatrix &A, const Vector &x, Vector &y);

/// Does so with the rows of this process, and receives the other rows. Collective.
void multiply(const SparseMatrix &A, const Partition &partition, const Vector &x, Vector &y);

} // namespace percussion
