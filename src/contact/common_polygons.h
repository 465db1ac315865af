#pragma once

#include <percussion/contact/mortar_3d.h>

#include "patch.h"
#include <array>
#include <vector>

namespace percussion {

using FlatPoint = dealii::Point<2>; ///< point in a plane of 3D
using FlatPolygon = std::vector<FlatPoint>;
using CornerWeights = Patch::Weights;

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
  Shadow(const FacetSurface &surface, unsigned int facet, const FacetPlane &plane);

  /// Returns the shape functions at a point.
  CornerWeights weights(const FlatPoint &x) const;

  FlatPolygon corners;
  std::array<double, 4> height; ///< heights of the corners above the plane
  bool is_affine = true;
};

/// Intersection of a carrier facet and an opposite facet.
struct CommonPolygon {
  unsigned int facet; ///< facet of the opposite side
  FlatPolygon polygon;
  double area, gap; ///< area [length²], and gap at the middle [length]
};

/// Returns the segments of a carrier facet with the facets in front of it.
std::vector<CommonPolygon> cut_facets(const FacetPlane &plane, const Shadow &carrier,
                                      const FacetSurface &opposite,
                                      const std::vector<unsigned int> &facets,
                                      const MortarRange &range);

} // namespace percussion
