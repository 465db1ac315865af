// Polygons that a carrier facet and the facets in front of it have in common.

#pragma once

#include <percussion/contact/mortar_3d.h>

#include "hidden_sections.h"
#include <array>
#include <vector>

namespace percussion {

using FlatPoint = dealii::Point<2>; ///< point in a plane of 3D
using FlatPolygon = std::vector<FlatPoint>;
/// Weights of the corners of a facet; the last is 0 in a triangle.
using CornerWeights = std::array<double, 4>;

double polygon_area(const FlatPolygon &polygon);

/// Plane of a carrier facet.
struct FacetPlane {
  FacetPlane(const dealii::Point<3> &origin, const dealii::Tensor<1, 3> &normal);
  /// Returns the coordinates of the projection of a point.
  FlatPoint project(const dealii::Point<3> &x) const;

  dealii::Point<3> origin;
  dealii::Tensor<1, 3> normal, first, second;
};

/// Facet projected along the normal of a plane.
struct Shadow {
  Shadow() = default;
  Shadow(const FacetSurface &surface, unsigned int facet, const FacetPlane &plane);

  /// Returns the local coordinates of a point: of the unit square, or of the unit triangle.
  FlatPoint local(const FlatPoint &x) const;
  /// Returns the derivatives of the position with respect to the local coordinates.
  std::array<dealii::Tensor<1, 2>, 2> tangents(const FlatPoint &local) const;
  /// Returns the shape functions at local coordinates.
  CornerWeights shapes(const FlatPoint &local) const;
  /// Returns the shape functions at a point.
  CornerWeights weights(const FlatPoint &x) const { return shapes(local(x)); }

  FlatPolygon corners;
  CornerWeights height; ///< heights of the corners above the plane
  bool is_affine = true;
};

/// Intersection of a carrier facet and an opposite facet.
struct CommonPolygon {
  unsigned int facet; ///< facet of the opposite side
  FlatPolygon polygon;
  double area;     ///< area [length²]
  double gap;      ///< gap at the middle [length]
  Shadow opposite; ///< shadow of the opposite facet
};

/// Returns the gap of two facets at a point of the carrier's plane.
double gap_at(const FlatPoint &x, const Shadow &opposite, const Shadow &carrier);

/// Segments of a carrier facet, and the sections next to its corners.
struct CutFacet {
  std::vector<CommonPolygon> segments;
  std::vector<CornerSection> corner_sections;
};

/// Returns the segments of a carrier facet with the facets in front of it.
CutFacet cut_facets(const FacetPlane &plane, const Shadow &carrier, const FacetSurface &opposite,
                    const std::vector<unsigned int> &facets, const MortarRange &range);

} // namespace percussion
