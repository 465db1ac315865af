#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace percussion {

/// Shape functions of the multipliers on a slave facet that is covered in part.
///
/// The dual function of a node has the centre of its forces at the node. If the node hangs over the
/// edge of the master, this function is the weight of an extrapolation: a gap that no place has,
/// and forces in the air that hold up a body that should tip. The functions are therefore those of
/// the box around the covered part, in the coordinates of the facet: its corners y stand for the
/// nodes, and have velocities Σ N_k(y) v_k. With the shape functions M of the box, ψ dual to them
/// over the covered part,
///
///     φ = T ((1 − α) ψ + α M) .
///
/// α = 0 if the covered part fills its box, as that of strips does; up to 1 the forces are means
/// over the covered part. T passes the forces of corners that have next to no area to the others:
/// two of them would otherwise stand for the same place, and W would be close to singular. Σ φ = 1
/// in any case, so that a constant pressure is met exactly. A facet that is covered as a whole has
/// its dual functions.
template <std::size_t n>
struct PartialShapes {
  double alpha = 0;
  std::array<std::array<double, n>, n> T{}; ///< [multiplier][corner]; columns add up to one

  /// Of a facet that is covered as a whole.
  static PartialShapes whole() {
    PartialShapes shapes;
    for (std::size_t j = 0; j < n; ++j)
      shapes.T[j][j] = 1.;
    return shapes;
  }

  /// T f.
  std::array<double, n> passed(const std::array<double, n> &f) const {
    std::array<double, n> values{};
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n; ++k)
        values[j] += T[j][k] * f[k];
    return values;
  }
};

/// Round-off of a fraction that is covered.
constexpr double round_off_of_cover = 1e-6;

/// The shapes of a facet of whose box this fraction is covered. `areas` are the integrals of the
/// shape functions of its nodes, the first `n_nodes`, over the covered part.
template <std::size_t n>
PartialShapes<n> partial_shapes(double fraction_of_box, const std::array<double, n> &areas,
                                std::size_t n_nodes) {
  constexpr double least_ratio = 0.01, sufficient_ratio = 0.05; // of areas: half of a strip's width
  PartialShapes<n> shapes;
  // The root is the extent of a corner that is missing: centres of forces stay on what is covered.
  const double missing = std::max(0., 1. - fraction_of_box - round_off_of_cover);
  shapes.alpha = std::min(1., 3. * std::sqrt(missing));
  double largest = 0;
  for (std::size_t k = 0; k < n_nodes; ++k)
    largest = std::max(largest, areas[k]);
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
/// those of the point where facets are covered as a whole, and the others.
inline std::vector<std::pair<unsigned int, double>>
slave_weights(unsigned int own, double own_integral,
              const std::vector<std::pair<unsigned int, double>> &integrals) {
  std::vector<std::pair<unsigned int, double>> weights = {{own, 1.}};
  double sum = own_integral;
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
