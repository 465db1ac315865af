#include "patch.h"

#include <algorithm>
#include <cmath>

namespace percussion {

using SpacePoint = dealii::Point<3>;
using SpaceVector = dealii::Tensor<1, 3>;

Patch::Patch(const std::vector<SpacePoint> &corners)
    : n(static_cast<unsigned int>(corners.size())) {
  std::copy(corners.begin(), corners.end(), corner.begin());
}

Patch::Weights Patch::weights(const Local &local) const {
  const auto [a, b] = local;
  if (n == 3)
    return {1. - a - b, a, b, 0.};
  return {(1. - a) * (1. - b), a * (1. - b), a * b, (1. - a) * b};
}

Patch::Local Patch::middle() const { return n == 3 ? Local{1. / 3., 1. / 3.} : Local{0.5, 0.5}; }

SpacePoint Patch::position(const Weights &w) const {
  SpacePoint x;
  for (unsigned int i = 0; i < n; ++i)
    x += w[i] * corner[i];
  return x;
}

std::array<SpaceVector, 2> Patch::tangents(const Local &local) const {
  const SpaceVector first = corner[1] - corner[0], last = corner[n - 1] - corner[0];
  if (n == 3)
    return {first, last};
  const SpaceVector warp = (corner[2] - corner[1]) - last;
  return {first + local[1] * warp, last + local[0] * warp};
}

SpaceVector Patch::normal(const Local &local) const {
  const auto [a, b] = tangents(local);
  const SpaceVector normal = cross_product_3d(a, b);
  const double length = normal.norm();
  return length > 0. ? normal / length : SpaceVector();
}

/// Finds the nearest point with Newton's method, which needs a single iteration for a triangle.
std::optional<Patch::Local> Patch::foot(const SpacePoint &x) const {
  Local local = middle();
  const SpaceVector warp =
      n == 3 ? SpaceVector() : (corner[2] - corner[1]) - (corner[3] - corner[0]);
  for (unsigned int k = 0; k < 30; ++k) {
    const SpaceVector to_place = position(local) - x;
    const auto [s, t] = tangents(local);
    const double f = to_place * s, g = to_place * t;
    const double a = s * s, b = s * t + to_place * warp, d = t * t;
    const double det = a * d - b * b;
    if (!(det > 1e-14 * a * d))
      return {};
    const double da = (b * g - d * f) / det, db = (b * f - a * g) / det;
    local[0] += da;
    local[1] += db;
    if (!(std::max(std::abs(local[0]), std::abs(local[1])) < 10.))
      return {};
    if (n == 3 || std::max(std::abs(da), std::abs(db)) < 1e-14)
      return local;
  }
  return {};
}

bool Patch::contains(const Local &local) const {
  const auto [a, b] = local;
  return a > 0. && b > 0. && (n == 3 ? a + b < 1. : a < 1. && b < 1.);
}

double Patch::size() const {
  double sum = 0;
  for (unsigned int i = 0; i < n; ++i)
    sum += corner[i].distance(corner[(i + 1) % n]);
  return sum / n;
}

NearestPoint nearest_point(const Patch &patch, const SpacePoint &x) {
  if (const auto foot = patch.foot(x); foot && patch.contains(*foot)) {
    const auto weights = patch.weights(*foot);
    const SpacePoint position = patch.position(weights);
    return {weights, position, position.distance(x), foot};
  }
  NearestPoint nearest{};
  for (unsigned int i = 0; i < patch.n; ++i) {
    const unsigned int j = (i + 1) % patch.n;
    const SpaceVector edge_vector = patch.corner[j] - patch.corner[i];
    const double square = edge_vector.norm_square();
    const double fraction =
        square > 0. ? std::clamp(edge_vector * (x - patch.corner[i]) / square, 0., 1.) : 0.;
    const SpacePoint position =
        fraction == 1. ? patch.corner[j] : SpacePoint(patch.corner[i] + fraction * edge_vector);
    const double distance = position.distance(x);
    if (i > 0 && !(distance < nearest.distance))
      continue;
    nearest = {{}, position, distance, {}, i, fraction};
    nearest.weights[i] = 1. - fraction;
    nearest.weights[j] = fraction;
  }
  return nearest;
}

} // namespace percussion
