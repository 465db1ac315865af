#pragma once

#include <percussion/algebra/vector.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace percussion {

/// Places of the entries of a sparse matrix, row by row; columns ascend in each row.
struct SparsityPattern {
  std::vector<std::size_t> start{0}; ///< first entry of each row, and the number of all entries
  std::vector<int> column;

  /// Appends a row; its columns ascend.
  void append_row(const std::vector<int> &columns) {
    column.insert(column.end(), columns.begin(), columns.end());
    start.push_back(column.size());
  }
  std::size_t n_rows() const { return start.size() - 1; }
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
class SparseMatrix {
public:
  /// Makes a matrix without rows.
  SparseMatrix() : pattern_of_entries(std::make_shared<SparsityPattern>()) {}
  /// Makes a matrix of zeros.
  explicit SparseMatrix(std::shared_ptr<const SparsityPattern> pattern)
      : pattern_of_entries(std::move(pattern)), entry(pattern_of_entries->column.size(), 0.) {}

  unsigned int n_rows() const { return static_cast<unsigned int>(pattern_of_entries->n_rows()); }
  const std::shared_ptr<const SparsityPattern> &pattern() const { return pattern_of_entries; }
  /// Returns the values in the order of the pattern.
  std::vector<double> &values() { return entry; }
  const std::vector<double> &values() const { return entry; }

  /// Returns row i.
  SparseRow row(unsigned int i) const {
    const std::size_t begin = pattern_of_entries->start[i];
    return {pattern_of_entries->column.data() + begin, entry.data() + begin,
            static_cast<int>(pattern_of_entries->start[i + 1] - begin)};
  }
  /// Returns the value of the entry (i, j); 0 where the pattern has none.
  double operator()(unsigned int i, unsigned int j) const {
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
};

/// Computes y = A x.
void multiply(const SparseMatrix &A, const Vector &x, Vector &y);

class Partition;
/// Does so with the rows of this process, and receives the other rows. Collective.
void multiply(const SparseMatrix &A, const Partition &partition, const Vector &x, Vector &y);

} // namespace percussion
