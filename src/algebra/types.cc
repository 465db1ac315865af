#include <percussion/algebra/partition.h>
#include <percussion/algebra/two.h>
#include <percussion/algebra/types.h>

#include <Epetra_CrsMatrix.h>

namespace percussion {

SparseRow row(const SparseMatrix &A, unsigned int i) {
  SparseRow view{nullptr, nullptr, 0};
  int *column = nullptr;
  double *value = nullptr;
  A.trilinos_matrix().ExtractMyRowView(static_cast<int>(i), view.size, value, column);
  view.column = column;
  view.value = value;
  return view;
}

void combine(double a, const Vector &x, double b, const Vector &y, Vector &z) {
  for (unsigned int i = 0, n = n_owned(z); i < n; ++i)
    entries(z)[i] = a * entries(x)[i] + b * entries(y)[i];
}

double dot(const double *a, const double *b, unsigned int n) {
  Two partial_sums[2] = {};
  unsigned int i = 0;
  for (; i + 4 <= n; i += 4) {
    partial_sums[0] += load_two(a + i) * load_two(b + i);
    partial_sums[1] += load_two(a + i + 2) * load_two(b + i + 2);
  }
  partial_sums[0] += partial_sums[1];
  double sum = partial_sums[0][0] + partial_sums[0][1];
  for (; i < n; ++i)
    sum += a[i] * b[i];
  return sum;
}

void multiply(const SparseMatrix &A, const Vector &x, Vector &y) {
  multiply_rows(A, 0, n_owned(y), x, y);
}

void multiply(const SparseMatrix &A, const Partition &partition, const Vector &x, Vector &y) {
  multiply_rows(A, partition.begin(), partition.end(), x, y);
  multiply_rows(A, partition.size(), n_owned(y), x, y);
  partition.gather(entries(y));
}

/// Traverses the rows directly: Epetra's product takes 1.5 times as long, because it checks the
/// storage of the matrix in every call.
void multiply_rows(const SparseMatrix &A, unsigned int begin, unsigned int end, const Vector &x,
                   Vector &y) {
  int *start = nullptr, *column = nullptr;
  double *value = nullptr;
  const int error = A.trilinos_matrix().ExtractCrsDataPointers(start, column, value);
  AssertThrow(error == 0, dealii::ExcInternalError());
  const double *const x_values = entries(x);
  double *const y_values = entries(y);
  // Two rows at a time: their sums are independent.
  unsigned int i = begin;
  for (; i + 1 < end; i += 2) {
    double sum = 0, next_sum = 0;
    const int middle = start[i + 1];
    int k = start[i], l = middle;
    for (; k < middle && l < start[i + 2]; ++k, ++l) {
      sum += value[k] * x_values[column[k]];
      next_sum += value[l] * x_values[column[l]];
    }
    for (; k < middle; ++k)
      sum += value[k] * x_values[column[k]];
    for (; l < start[i + 2]; ++l)
      next_sum += value[l] * x_values[column[l]];
    y_values[i] = sum;
    y_values[i + 1] = next_sum;
  }
  for (; i < end; ++i) {
    double sum = 0;
    for (int k = start[i]; k < start[i + 1]; ++k)
      sum += value[k] * x_values[column[k]];
    y_values[i] = sum;
  }
}

} // namespace percussion
