#pragma once

#include <percussion/contact/formulation.h>

#include <deal.II/base/numbers.h>
#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>

#include <array>
#include <utility>
#include <vector>

/// Mortar contact with dual multipliers in 2D, and types for 2D and 3D: Wohlmuth (2000); segments
/// as in Yang, Laursen and Meng (2005) and Popp, Gee and Wall (2009); partly covered edges as in
/// Cichosz and Bischoff (2011).
namespace percussion {

/// Returns the weight of integrals over a line: 1, or 2 π x in a meridian plane of a body of
/// revolution, at the distance x[0] from the axis [length].
inline double line_weight(const dealii::Point<2> &x, bool is_axisymmetric) {
  return is_axisymmetric ? 2. * dealii::numbers::PI * x[0] : 1.;
}

/// Returns the integral of the shape function of an end of an edge [length × weight].
inline double shape_integral(const dealii::Point<2> &own_end, const dealii::Point<2> &other_end,
                             bool is_axisymmetric) {
  return own_end.distance(other_end) *
         ((2. * line_weight(own_end, is_axisymmetric) + line_weight(other_end, is_axisymmetric)) /
          6.);
}

/// Edges of the boundaries of bodies in the current configuration. A body lies to the left of its
/// edges, seen from the first point to the second; neighbouring edges share a point.
struct Polyline {
  std::vector<dealii::Point<2>> points;
  std::vector<std::array<unsigned int, 2>> edges;
  bool is_axisymmetric = false; ///< true for lines in a meridian plane of bodies of revolution

  /// Returns line_weight() at both ends of an edge; it is linear between them.
  std::array<double, 2> weights(unsigned int edge) const {
    return {line_weight(points[edges[edge][0]], is_axisymmetric),
            line_weight(points[edges[edge][1]], is_axisymmetric)};
  }
  /// Returns the second point minus the first.
  dealii::Tensor<1, 2> edge_vector(unsigned int edge) const {
    return points[edges[edge][1]] - points[edges[edge][0]];
  }
};

/// Pair of an edge that carries multipliers (carrier; in the literature slave or non-mortar) and an
/// edge that it may touch (opposite; master or mortar).
using EdgePair = std::pair<unsigned int, unsigned int>;

/// Bounds within which edges count as opposite.
struct MortarRange {
  double reach; ///< largest gap along the normals of the carrier [length]
  double depth; ///< largest penetration, less than the thickness of the bodies [length]
  /// Cosine of the angle between adjacent edges beyond which a carrier point is a corner.
  double corner = .5;
};

/// Contact of one carrier point: a mean over the covered fraction of its edges, weighted with the
/// dual shape function. If λ is the pressure there, the force on the point is area λ normal, and
/// the force on each opposite point is −weight times this force: linear momentum is conserved
/// exactly. Relative velocity: u = Σ weight v_carrier − Σ weight v_opposite. If edges are partly
/// covered, other carrier points carry a fraction of the force, so that its centre is on the
/// covered region (multiplier_shapes.h).
template <int dim>
struct MortarContact {
  /// Index of the carrier point; with MortarFunctions::quadrature, number of the corner that the
  /// quadrature point is next to, counted over the corners of all facets.
  unsigned int point = 0;
  /// Index of the smooth region at the point. In 2D, a corner has the regions 0 (the edge that ends
  /// there) and 1 (the edge that begins there); in 3D, regions are counted. A smooth point has
  /// region 0, and another number for the facets that face a section behind the opposite side of
  /// their neighbours.
  unsigned int side = 0;
  double gap = 0;                ///< gap; negative: penetration [length]
  dealii::Tensor<1, dim> normal; ///< unit normal, away from the opposite side
  double area = 0;               ///< integral of the dual function [length^(dim−1) × weight]
  double cover = 0;              ///< ratio of the area to the area at complete cover [1]
  /// Carrier points and their weights, which add up to one. With dual functions the first is
  /// `point`, usually the only one.
  std::vector<std::pair<unsigned int, double>> carrier;
  /// Opposite points, ascending, and their weights. Σ weight = 1, and Σ weight x_opposite = Σ
  /// weight x_carrier − gap normal: normal forces have no moment, and a linear field is transferred
  /// exactly.
  std::vector<std::pair<unsigned int, double>> opposite;
  /// Derivatives of the gap with respect to the positions of carrier points and opposite points, by
  /// ascending points, if they have been requested [1]; in 3D none if a carrier facet is covered in
  /// part. They add up to zero. Besides the motion
  /// along the normal with the weights above, they contain the turn of normals, and the change of
  /// the weights, by which a gap of inclined faces changes if they slide.
  std::vector<std::pair<unsigned int, dealii::Tensor<1, dim>>> carrier_gradient{},
      opposite_gradient{};
};

/// Returns the outward normals of the edges at both their ends: the mean of both neighbouring
/// normals unless the edges meet in a corner.
std::vector<std::array<dealii::Tensor<1, 2>, 2>> nodal_normals(const Polyline &line, double corner);

/// Dual shape functions ψ of an edge with the shape functions 1 − ξ and ξ, biorthogonal over a
/// section of the edge with this mean and variance of ξ, with the weight of the integrals: ψ_0 +
/// ψ_1 = 1, ∫ψ_j N_k = δ_jk ∫N_k.
template <typename Number>
struct DualShapesOf {
  Number mean, variance;

  /// Returns ψ_0 and ψ_1 at ξ.
  std::array<Number, 2> operator()(const Number &xi) const {
    const Number first = (1. - mean) * (1. - mean / variance * (xi - mean));
    return {first, 1. - first};
  }
};
using DualShapes = DualShapesOf<double>;

/// Choice whether contacts have the gradients of their gaps.
enum class GapGradients { none, computed };

/// Returns the contacts of the carrier points, by ascending point and side. If a point faces two or
/// more edges, the nearest counts; only edges whose normals are opposed, up to 53 degrees, are
/// considered. `near_pairs` holds the sorted pairs to examine; superfluous pairs do no harm.
std::vector<MortarContact<2>> mortar_contacts(const Polyline &carrier, const Polyline &opposite,
                                              const std::vector<EdgePair> &near_pairs,
                                              const MortarRange &range,
                                              MortarFunctions functions = MortarFunctions::dual,
                                              GapGradients gradients = GapGradients::none);

/// Returns the sorted pairs of edges for the contact of a boundary with itself: one of two facing
/// sides becomes the carrier. Pairs of edges are excluded if they have a common point, if their
/// normals are not opposed, or if the edge is on the far side of the same body. `near_pairs` holds
/// pairs (i, j) in any order; one of both orders is sufficient.
std::vector<EdgePair> self_contact_pairs(const Polyline &line,
                                         const std::vector<EdgePair> &near_pairs,
                                         const MortarRange &range);

} // namespace percussion
