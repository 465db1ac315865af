#include "round_on_surface.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace percussion {
namespace {

using SpacePoint = dealii::Point<3>;
using SpaceVector = dealii::Tensor<1, 3>;

constexpr unsigned int n_intervals = 16;

/// Returns the direction across an axis that is lowest along a normal; if the normal is along the
/// axis, a direction that depends on it alone.
SpaceVector lowest_direction(const SpaceVector &axis, const SpaceVector &normal) {
  constexpr double parallel = 1e-8;
  const auto projected = [&](const SpaceVector &v) { return v - (v * axis) * axis; };
  const SpaceVector slope = projected(normal);
  // A constant weight of the other direction would tilt a contact that rolls.
  const double weight = parallel * std::max(0., 1. - slope.norm() / (100. * parallel));
  // What round-off leaves of a normal along the axis may be along it: it is projected again.
  const SpaceVector direction = projected(weight * projected(local_frame<3>(normal)[1]) - slope);
  return direction / direction.norm();
}

SpacePoint point_on_rim(const Rim &rim, const SpaceVector &direction, unsigned int quarter) {
  const SpaceVector sideward = cross_product_3d(rim.axis, direction);
  const std::array<SpaceVector, 4> turned = {direction, sideward, -direction, -sideward};
  return rim.centre + rim.radius * turned[quarter];
}

} // namespace

bool may_touch_between_ends(const Surface<3> &surface) {
  const auto *const ball = std::get_if<Ball<3>>(&surface.shape);
  return std::holds_alternative<LevelSet>(surface.shape) ||
         std::holds_alternative<Faceted<3>>(surface.shape) ||
         (ball != nullptr && !ball->bodies_inside);
}

std::optional<NearestToSurface>
nearest_between_ends(const Surface<3> &surface, const SpacePoint &begin, const SpacePoint &end) {
  constexpr double as_near = 1e-9;
  const SpaceVector segment = end - begin;
  const auto point = [&](double s) { return begin + s * segment; };
  std::array<double, n_intervals + 1> distances;
  unsigned int nearest = 0;
  for (unsigned int k = 0; k <= n_intervals; ++k) {
    distances[k] = gap(surface, point(double(k) / n_intervals)).distance;
    if (distances[k] < distances[nearest])
      nearest = k;
  }
  const auto slope = [&](double s) { return gap(surface, point(s)).normal * segment; };
  const unsigned int previous = nearest - std::min(nearest, 1u),
                     next = std::min(nearest + 1, n_intervals);
  const double s =
      zero_of_ascending(slope, double(previous) / n_intervals, double(next) / n_intervals);
  const NearestToSurface found{point(s), gap(surface, point(s))};
  if (!(found.gap.distance <
        std::min(distances.front(), distances.back()) - as_near * segment.norm()))
    return {};
  return found;
}

NearestToSurface nearest_on_rim(const Surface<3> &surface, const Rim &rim, unsigned int quarter) {
  constexpr double converged = 1e-30; // square of a change of direction
  constexpr unsigned int max_iterations = 200;
  // The distance is concave in the position: its minimum on the rim is reached by steps against
  // its gradient as far as the rim. In a half-space it takes one step.
  SpaceVector direction, normal = gap(surface, rim.centre).normal;
  for (unsigned int i = 0; i < max_iterations; ++i) {
    const SpaceVector next = lowest_direction(rim.axis, normal);
    const double change = (next - direction).norm_square();
    direction = next;
    if (change < converged)
      break;
    normal = gap(surface, point_on_rim(rim, direction, 0)).normal;
  }
  const SpacePoint x = point_on_rim(rim, direction, quarter);
  return {x, gap(surface, x)};
}

SpacePoint lowest_on_rim(const Rim &rim, const SpaceVector &normal, unsigned int quarter) {
  return point_on_rim(rim, lowest_direction(rim.axis, normal), quarter);
}

} // namespace percussion
