#pragma once

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace percussion {

/// Shape functions of the multipliers on a slave facet that is covered in part,
///
///     φ = (1 − α) ψ + α T N .
///
/// ψ are the dual functions. Each has the centre of its forces at its node, which is right where
/// all of the facet is covered, α = 0. Where the node hangs over the edge of the master, ψ is the
/// weight of an extrapolation: a gap that nothing has, and forces in the air that hold up what
/// should tip. There, up to α = 1, the shape functions N weigh what is covered: forces and gaps are
/// means over it. For α as below the centres of forces are on the covered part of an edge or a
/// parallelogram. Σ φ = 1 in any case, so that a constant pressure is met exactly.
///
/// T passes the share of nodes of which next to nothing is covered to the others of the facet: two
/// of them would otherwise stand for the same place, and W would be close to singular.
template <std::size_t n>
struct PositiveShapes {
  double alpha = 0; ///< 0 where the facet is covered, 1 from a quarter less on
  std::array<std::array<double, n>, n> T; ///< [multiplier][shape function]; columns add up to one

  /// α of a facet of which this fraction is covered.
  static double alpha_of(double covered_fraction) {
    constexpr double round_off = 1e-6, transition = 0.25;
    return std::clamp((1. - covered_fraction - round_off) / transition, 0., 1.);
  }

  /// T N at a place where N has these values.
  std::array<double, n> operator()(const std::array<double, n> &N) const {
    std::array<double, n> values{};
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n; ++k)
        values[j] += T[j][k] * N[k];
    return values;
  }
};

/// The shapes of a facet. `areas` are those that all facets together cover of its nodes, of which
/// it has the first `n_nodes`.
template <std::size_t n>
PositiveShapes<n> positive_shapes(double covered_fraction, const std::array<double, n> &areas,
                                  std::size_t n_nodes) {
  constexpr double least_ratio = 0.02, sufficient_ratio = 0.1; // of areas
  PositiveShapes<n> shapes{PositiveShapes<n>::alpha_of(covered_fraction), {}};
  const double largest = *std::max_element(areas.begin(), areas.begin() + n_nodes);
  std::array<double, n> kept{};
  double all = 0;
  for (std::size_t k = 0; k < n_nodes; ++k) {
    kept[k] =
        std::clamp((areas[k] / largest - least_ratio) / (sufficient_ratio - least_ratio), 0., 1.);
    all += kept[k] * areas[k];
  }
  for (std::size_t k = 0; k < n_nodes; ++k)
    for (std::size_t j = 0; j < n_nodes; ++j)
      shapes.T[j][k] = (j == k ? kept[k] : 0.) + (1. - kept[k]) * kept[j] * areas[j] / all;
  return shapes;
}

/// The weights of MortarContact::slave from the integrals of φ and the shape functions of a facet:
/// those of the point's dual functions, and the others, of which there are none where all is
/// covered.
inline std::vector<std::pair<unsigned int, double>>
slave_weights(unsigned int own, double dual_integral,
              const std::vector<std::pair<unsigned int, double>> &integrals) {
  std::vector<std::pair<unsigned int, double>> weights = {{own, 1.}};
  double sum = dual_integral;
  for (const auto &[point, integral] : integrals)
    sum += integral;
  for (const auto &[point, integral] : integrals)
    if (point != own && integral != 0.) {
      weights.emplace_back(point, integral / sum);
      weights.front().second -= integral / sum;
    }
  return weights;
}

} // namespace percussion
