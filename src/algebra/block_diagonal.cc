#include <percussion/algebra/block_diagonal.h>

#include <array>

namespace percussion {

BlockDiagonal::BlockDiagonal(unsigned int n, unsigned int block_size)
    : d(block_size), fixed(n, false), values(n * block_size, 0.), inverses(n * block_size, 0.) {
  Assert(n % block_size == 0, dealii::ExcInternalError());
  AssertThrow(block_size == 1 || block_size == 3, dealii::ExcNotImplemented());
}

void BlockDiagonal::set(const MatrixRows &A, unsigned int first) {
  for (unsigned int i = 0; i < size(); ++i)
    for (unsigned int j = d * block(i); j < d * (block(i) + 1); ++j)
      (*this)(i, j) = A.entry(first + i, first + j);
}

bool BlockDiagonal::factorise() {
  bool regular = true;
  for (unsigned int first = 0; first < size(); first += d)
    regular = invert(first) && regular;
  return regular;
}

/// Inverts a block by cofactors. Fixed rows and columns count as rows and columns of a unit matrix
/// and are removed at the end.
bool BlockDiagonal::invert(unsigned int first) {
  if (d == 1) {
    inverses[first] = fixed[first] ? 0. : 1. / values[first];
    return values[first] > 0.;
  }
  std::array<std::array<double, 3>, 3> a;
  for (unsigned int i = 0; i < 3; ++i)
    for (unsigned int j = 0; j < 3; ++j)
      a[i][j] =
          fixed[first + i] || fixed[first + j] ? (i == j ? 1. : 0.) : values[(first + i) * d + j];
  const auto cofactor = [&](unsigned int i, unsigned int j) {
    const unsigned int r = (i + 1) % 3, s = (i + 2) % 3, k = (j + 1) % 3, l = (j + 2) % 3;
    return a[r][k] * a[s][l] - a[r][l] * a[s][k];
  };
  double determinant = 0;
  for (unsigned int j = 0; j < 3; ++j)
    determinant += a[0][j] * cofactor(0, j);
  for (unsigned int i = 0; i < 3; ++i)
    for (unsigned int j = 0; j < 3; ++j)
      inverses[(first + i) * d + j] =
          fixed[first + i] || fixed[first + j] ? 0. : cofactor(j, i) / determinant;
  return determinant > 0.;
}

void BlockDiagonal::solve(const double *b, double *x) const {
  if (d == 1) {
    for (unsigned int i = 0; i < size(); ++i)
      if (!fixed[i])
        x[i] = b[i] / values[i];
    return;
  }
  std::array<double, 3> remainder;
  for (unsigned int first = 0; first < size(); first += d) {
    for (unsigned int i = 0; i < d; ++i) {
      remainder[i] = b[first + i];
      for (unsigned int j = 0; j < d; ++j)
        if (fixed[first + j])
          remainder[i] -= values[(first + i) * d + j] * x[first + j];
    }
    for (unsigned int i = 0; i < d; ++i)
      if (!fixed[first + i]) {
        x[first + i] = 0;
        for (unsigned int j = 0; j < d; ++j)
          x[first + i] += inverses[(first + i) * d + j] * remainder[j];
      }
  }
}

void BlockDiagonal::add_force(unsigned int i, double f, double *x) const {
  if (fixed[i])
    return;
  if (d == 1) {
    x[i] += f / values[i];
    return;
  }
  const unsigned int first = d * block(i);
  for (unsigned int j = first; j < first + d; ++j)
    x[j] += inverses[j * d + i % d] * f;
}

} // namespace percussion
