#pragma once

#include <percussion/algebra/partition.h>
#include <percussion/algebra/sparse_matrix.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace percussion {

/// Product of a stiffness matrix K with displacements x that differ little between the nodes of a
/// cell, as in slender bodies:
///
///     (K x)_i = Σ_j K_ij (x_j − x_i) + (Σ_j K_ij) x_i
///
/// with the blocks K_ij of two nodes, in double or extended precision. A sum of the terms K_ij x_j
/// has their round-off, which is much larger than K x and than the strain energy if a body bends,
/// or if its ends move apart. Σ_j K_ij is zero unless a translation deforms the body, as a radial
/// one of axisymmetric bodies does; its round-off is omitted.
class DifferenceProduct {
public:
  /// Stores references, which must outlive this object. `dim` is the number of components of a
  /// node; they are consecutive. Collective.
  DifferenceProduct(const SparseMatrix &K, const Partition &p, unsigned int dim);

  /// Returns the largest Σ_j |K_ij| of all rows.
  double largest_row_sum() const { return row_sum; }
  /// Computes y = K x in this precision; returns x · y. Collective.
  template <typename Number = long double>
  double multiply(const Vector &x, Vector &y) const;

private:
  template <unsigned int dim, typename Number>
  double multiply_rows(const Vector &x, Vector &y) const;

  const SparseMatrix &matrix;
  const Partition &partition;
  unsigned int n_components;
  double row_sum = 0;
  std::vector<double> row_sums; ///< Σ_j K_ij, row by row; empty if all are zero
};

inline DifferenceProduct::DifferenceProduct(const SparseMatrix &K, const Partition &p,
                                            unsigned int dim)
    : matrix(K), partition(p), n_components(dim) {
  constexpr double round_off = 64. * std::numeric_limits<double>::epsilon();
  std::vector<std::array<long double, 3>> sums(K.n_rows());
  std::vector<double> magnitude(K.n_rows(), 0.);
  visit_entries(K, partition, [&](unsigned int i, unsigned int j, double value) {
    sums[i][j % dim] += value;
    magnitude[i] += std::abs(value);
  });
  for (const double sum : magnitude)
    row_sum = std::max(row_sum, sum);
  row_sum = partition.largest(row_sum);
  for (unsigned int i = 0; i < K.n_rows(); ++i)
    for (unsigned int c = 0; c < dim; ++c)
      if (std::abs(sums[i][c]) > round_off * magnitude[i]) {
        row_sums.resize(std::size_t(K.n_rows()) * dim, 0.);
        row_sums[std::size_t(i) * dim + c] = static_cast<double>(sums[i][c]);
      }
}

template <typename Number>
double DifferenceProduct::multiply(const Vector &x, Vector &y) const {
  return n_components == 2 ? multiply_rows<2, Number>(x, y) : multiply_rows<3, Number>(x, y);
}

template <unsigned int dim, typename Number>
double DifferenceProduct::multiply_rows(const Vector &x, Vector &y) const {
  const double *const displacement = x.data();
  std::vector<Number> sums(x.size(), Number(0));
  visit_entries(matrix, partition, [&](unsigned int i, unsigned int j, double value) {
    sums[i] += static_cast<Number>(value) *
               (static_cast<Number>(displacement[j]) - displacement[i - i % dim + j % dim]);
  });
  const double power = partition.sum(x.size(), [&](unsigned int begin, unsigned int end) {
    Number range_power = 0;
    const unsigned int n_summed = row_sums.empty() ? 0 : x.size() - x.size() % dim;
    for (unsigned int i = begin; i < end; ++i) {
      for (unsigned int c = 0; c < dim && i < n_summed; ++c) // rigid bodies, at the end, have none
        sums[i] +=
            static_cast<Number>(row_sums[std::size_t(i) * dim + c]) * displacement[i - i % dim + c];
      range_power += sums[i] * displacement[i];
      y[i] = static_cast<double>(sums[i]);
    }
    return static_cast<double>(range_power);
  });
  partition.gather(y.data());
  return power;
}

} // namespace percussion
