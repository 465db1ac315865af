#include "covered_box.h"

#include "multiplier_shapes.h"

namespace percussion {
namespace {

/// Returns the coordinates of a point that have lower bounds.
template <typename Number>
CornerWeights<Number> bounded_coordinates(const Shadow<Number> &facet, const FlatPoint<Number> &x) {
  const FlatPoint<Number> local = facet.local(x);
  const Number &s = local[0], &t = local[1];
  if (facet.corners.size() == 3)
    return {1. - s - t, s, t, 0.};
  return {s, t, 1. - s, 1. - t};
}

} // namespace

template <typename Number>
CoveredBox<Number>::CoveredBox(const Shadow<Number> &facet,
                               const std::vector<CommonPolygon<Number>> &segments)
    : n(facet.corners.size()) {
  const Shadow<double> values = facet.values();
  CornerWeights<double> bounds;
  bounds.fill(1.);
  std::array<FlatPoint<Number>, 4> lowest;
  for (const auto &segment : segments)
    for (const auto &x : segment.polygon) {
      const CornerWeights<double> coordinates = bounded_coordinates(values, values_of(x));
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

template class CoveredBox<double>;
template class CoveredBox<Traced>;

} // namespace percussion
