#include "covered_box.h"

#include "multiplier_shapes.h"

namespace percussion {
namespace {

/// Returns the coordinates of a point that have lower bounds.
CornerWeights bounded_coordinates(const Shadow &facet, const FlatPoint &x) {
  const FlatPoint local = facet.local(x);
  const double s = local[0], t = local[1];
  if (facet.corners.size() == 3)
    return {1. - s - t, s, t, 0.};
  return {s, t, 1. - s, 1. - t};
}

} // namespace

CoveredBox::CoveredBox(const Shadow &facet, const std::vector<CommonPolygon> &segments)
    : n(facet.corners.size()) {
  CornerWeights bounds;
  bounds.fill(1.);
  std::array<FlatPoint, 4> lowest;
  for (const auto &segment : segments)
    for (const auto &x : segment.polygon) {
      const CornerWeights coordinates = bounded_coordinates(facet, x);
      for (std::size_t i = 0; i < n; ++i)
        if (coordinates[i] < bounds[i]) {
          bounds[i] = coordinates[i];
          lowest[i] = x;
        }
    }
  for (std::size_t i = 0; i < n; ++i)
    if (!(bounds[i] < round_off_of_cover)) {
      lower_bounds[i] = bounded_coordinates(facet, lowest[i])[i];
      is_facet = false;
    }
}

} // namespace percussion
