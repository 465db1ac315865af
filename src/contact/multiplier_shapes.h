#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace percussion {

/// Shape functions of the multipliers on a partly covered carrier facet.
///
/// The forces of a node's dual function are centred at the node. If the node is beyond the edge of
/// the opposite side, this function extrapolates: its gap exists at no point, and its forces act
/// outside the contact region and support a body that should tip. The functions therefore belong to
/// the box around the covered region, in the coordinates of the facet: the box's corners y replace
/// the nodes, and have the velocities Σ N_k(y) v_k. With the shape functions M of the box, and ψ
/// dual to M over the covered region,
///
///     φ = T ((1 − α) ψ + α M) .
///
/// α = 0 if the covered region fills its box, for example a strip; with α = 1, the forces are means
/// over the covered region. T passes the forces of corners with negligible area to the others:
/// otherwise two corners would represent the same point, and W would be almost singular. Σ φ = 1 in
/// any case, so that a constant pressure is represented exactly. A completely covered facet has its
/// own dual functions.
template <std::size_t n, typename Number = double>
struct PartialShapes {
  Number alpha = 0.;
  std::array<std::array<Number, n>, n> T{}; ///< entries [multiplier][corner]; columns add up to one

  /// Returns the shapes of a facet that is covered completely.
  static PartialShapes full_support() {
    PartialShapes shapes;
    for (std::size_t j = 0; j < n; ++j)
      shapes.T[j][j] = 1.;
    return shapes;
  }

  /// Returns T f.
  std::array<Number, n> passed(const std::array<Number, n> &f) const {
    std::array<Number, n> values{};
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n; ++k)
        values[j] += T[j][k] * f[k];
    return values;
  }
};

/// Round-off of a covered fraction.
constexpr double round_off_of_cover = 1e-6;

/// Returns the shapes of a facet if this fraction of its box is covered. `areas` holds the
/// integrals of the shape functions of its nodes, the first `n_nodes`, over the covered region.
template <std::size_t n, typename Number>
PartialShapes<n, Number> partial_shapes(const Number &fraction_of_box,
                                        const std::array<Number, n> &areas, std::size_t n_nodes) {
  using std::sqrt;
  constexpr double least_ratio = 0.01, sufficient_ratio = 0.05; // ratios of corner areas
  PartialShapes<n, Number> shapes;
  // The root is the extent of a missing corner: the centres of forces stay on the covered region.
  const Number missing = std::max<Number>(0., 1. - fraction_of_box - round_off_of_cover);
  shapes.alpha = std::min<Number>(1., 3. * sqrt(missing));
  Number largest = 0.;
  for (std::size_t k = 0; k < n_nodes; ++k)
    largest = std::max(largest, areas[k]);
  std::array<Number, n> diagonal{};
  Number all = 0.;
  for (std::size_t k = 0; k < n_nodes; ++k) {
    diagonal[k] = std::clamp<Number>(
        (areas[k] / largest - least_ratio) / (sufficient_ratio - least_ratio), 0., 1.);
    all += diagonal[k] * areas[k];
  }
  for (std::size_t k = 0; k < n_nodes; ++k)
    for (std::size_t j = 0; j < n_nodes; ++j)
      shapes.T[j][k] =
          (j == k ? diagonal[k] : Number(0.)) + (1. - diagonal[k]) * diagonal[j] * areas[j] / all;
  return shapes;
}

/// Points and their weights.
template <typename Number>
using NumberWeights = std::vector<std::pair<unsigned int, Number>>;

/// Returns the weights by ascending points, with entries of the same point added up.
template <typename Number>
NumberWeights<Number> merged_weights(const NumberWeights<Number> &weights) {
  NumberWeights<Number> result;
  for (const auto &[point, weight] : weights) {
    const auto position =
        std::lower_bound(result.begin(), result.end(), point,
                         [](const auto &entry, unsigned int i) { return entry.first < i; });
    if (position != result.end() && position->first == point)
      position->second += weight;
    else
      result.insert(position, {point, weight});
  }
  return result;
}

/// Returns the weights of MortarContact::carrier from the integrals of φ and the shape functions of
/// a facet: the integral of the point itself over completely covered facets, and the integrals of
/// all points over the other facets.
template <typename Number>
NumberWeights<Number> carrier_weights(unsigned int carrier_point, const Number &own_integral,
                                      const NumberWeights<Number> &integrals) {
  NumberWeights<Number> weights = {{carrier_point, 1.}};
  Number sum = own_integral;
  for (const auto &[point, integral] : integrals)
    sum += integral;
  for (const auto &[point, integral] : integrals)
    if (point != carrier_point && integral != 0.) {
      weights.emplace_back(point, integral / sum);
      weights.front().second -= integral / sum;
    }
  return weights;
}

/// Returns integrals of shape functions, ascending by points, over their sum: the weights of
/// MortarContact::opposite, and of MortarContact::carrier for a quadrature point.
template <typename Number>
NumberWeights<Number> mean_weights(NumberWeights<Number> integrals) {
  Number sum = 0., remainder = 1.;
  for (const auto &integral : integrals)
    sum += integral.second;
  for (auto &integral : integrals)
    remainder -= integral.second /= sum;
  integrals.front().second += remainder; // round-off, not small if little is covered
  return integrals;
}

/// Lagrange functions of the two Gauss points of an interval at the coordinate x from 0 to 1.
template <typename Number>
std::array<Number, 2> gauss_functions(const Number &x) {
  const Number first = 0.5 + std::sqrt(3.) * (0.5 - x);
  return {first, 1. - first};
}

/// Position of the first of the two Gauss points of an interval from 0 to 1.
inline const double first_gauss_point = 0.5 - std::sqrt(1. / 12.);

} // namespace percussion
