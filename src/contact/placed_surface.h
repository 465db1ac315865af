// Surface with the positions of its points as numbers of one type.

#pragma once

#include <percussion/contact/mortar_3d.h>

#include "coordinates.h"

namespace percussion {

template <typename Number>
using SpaceVectorOf = dealii::Tensor<1, 3, Number>;

template <typename Number>
struct PlacedSurface {
  const FacetSurface &surface;
  Coordinates<3, Number> points;

  explicit PlacedSurface(const FacetSurface &facet_surface)
      : surface(facet_surface), points(facet_surface.points) {}

  /// Returns FacetSurface::normal().
  SpaceVectorOf<Number> normal(unsigned int facet) const {
    const auto &c = surface.facets[facet];
    const SpaceVectorOf<Number> normal =
        c.size() == 3 ? cross_product_3d(points[c[1]] - points[c[0]], points[c[2]] - points[c[0]])
                      : cross_product_3d(points[c[2]] - points[c[0]], points[c[3]] - points[c[1]]);
    const Number length = norm_of(normal);
    return length > 0. ? normal / length : normal;
  }
  /// Returns FacetSurface::middle().
  dealii::Point<3, Number> middle(unsigned int facet) const {
    const auto &corners = surface.facets[facet];
    dealii::Point<3, Number> x;
    for (const unsigned int point : corners)
      x += points[point] / Number(static_cast<double>(corners.size()));
    return x;
  }
};

} // namespace percussion
