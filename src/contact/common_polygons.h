// Polygons that a carrier facet and the facets in front of it have in common.

#pragma once

#include "hidden_sections.h"
#include "placed_surface.h"
#include <array>
#include <vector>

namespace percussion {

template <typename Number>
using FlatPoint = dealii::Point<2, Number>; ///< point in a plane of 3D
template <typename Number>
using FlatPolygon = std::vector<FlatPoint<Number>>;
template <typename Number>
using CornerWeights =
    std::array<Number, 4>; ///< weights of the corners; the last is 0 in a triangle

template <typename Number>
Number polygon_area(const FlatPolygon<Number> &polygon);

template <typename Number>
FlatPoint<double> values_of(const FlatPoint<Number> &x) {
  return {value_of(x[0]), value_of(x[1])};
}

template <typename Number>
FlatPolygon<double> values_of(const FlatPolygon<Number> &polygon) {
  FlatPolygon<double> corners;
  for (const auto &x : polygon)
    corners.push_back(values_of(x));
  return corners;
}

/// Plane of a carrier facet.
template <typename Number>
struct FacetPlane {
  FacetPlane(const dealii::Point<3, Number> &origin, const SpaceVectorOf<Number> &normal);
  /// Returns the coordinates of the projection of a point.
  FlatPoint<Number> project(const dealii::Point<3, Number> &x) const;

  dealii::Point<3, Number> origin;
  SpaceVectorOf<Number> normal, first, second;
};

/// Facet projected along the normal of a plane.
template <typename Number>
struct Shadow {
  Shadow() = default;
  Shadow(const PlacedSurface<Number> &surface, unsigned int facet, const FacetPlane<Number> &plane);

  /// Returns the local coordinates of a point: of the unit square, or of the unit triangle.
  FlatPoint<Number> local(const FlatPoint<Number> &x) const;
  /// Returns the derivatives of the position with respect to the local coordinates.
  std::array<dealii::Tensor<1, 2, Number>, 2> tangents(const FlatPoint<Number> &local) const;
  /// Returns the shape functions at local coordinates.
  CornerWeights<Number> shapes(const FlatPoint<Number> &local) const;
  /// Returns the shape functions at a point.
  CornerWeights<Number> weights(const FlatPoint<Number> &x) const { return shapes(local(x)); }

  /// Returns the shadow without derivatives.
  Shadow<double> values() const;

  FlatPolygon<Number> corners;
  CornerWeights<Number> height; ///< heights of the corners above the plane
  bool is_affine = true;
};

/// Intersection of a carrier facet and an opposite facet.
template <typename Number>
struct CommonPolygon {
  unsigned int facet; ///< facet of the opposite side
  FlatPolygon<Number> polygon;
  Number area;             ///< area [length²]
  double gap;              ///< gap at the middle [length]
  Shadow<Number> opposite; ///< shadow of the opposite facet
};

/// Returns the gap of two facets at a point of the carrier's plane.
double gap_at(const FlatPoint<double> &x, const Shadow<double> &opposite,
              const Shadow<double> &carrier);

/// Segments of a carrier facet, and the sections next to its corners.
template <typename Number>
struct CutFacet {
  std::vector<CommonPolygon<Number>> segments;
  std::vector<CornerSection> corner_sections;
};

/// Returns the segments of a carrier facet with the facets in front of it.
template <typename Number>
CutFacet<Number> cut_facets(const FacetPlane<Number> &plane, const Shadow<Number> &carrier,
                            const PlacedSurface<Number> &opposite,
                            const std::vector<unsigned int> &facets, const MortarRange &range);

} // namespace percussion
