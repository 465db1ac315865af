#include "cylinder_pairs.h"

#include <percussion/contact/surface.h>

#include "found_contacts.h"
#include "round_on_surface.h"
#include <array>

namespace percussion {
namespace {

using SpacePoint = dealii::Point<3>;
using SpaceVector = dealii::Tensor<1, 3>;

Rim rim(const PlacedShape &cylinder, unsigned int k) {
  return {cylinder.vertices[k], axis_of(cylinder), cylinder.shape->radius};
}

/// Two cylinders, and the contacts found between them.
struct CylinderPair {
  const PlacedShape &first, &second;
  const PairGuide<3> &guide;
  FoundContacts found;
  double tolerance;    ///< [length]
  SpaceVector outward; ///< contact axis, from the second to the first cylinder

  const PlacedShape &cylinder(bool is_first) const { return is_first ? first : second; }
  /// Returns the contact axis as seen from the outside of a cylinder.
  SpaceVector outward_of(bool is_first) const { return is_first ? -outward : outward; }
  /// Adds the contact of a point of one cylinder with an outward normal of the other.
  void add(unsigned int feature, const SpacePoint &x, const PolyhedronGap &g, bool x_is_on_first) {
    found.add({feature, g.distance, x_is_on_first ? g.normal : -g.normal,
               x - 0.5 * g.distance * g.normal});
  }
};

/// Returns the height of the highest point of a cylinder along a unit vector.
double support(const PlacedShape &cylinder, const SpaceVector &n) {
  return n * highest_point(cylinder, n);
}

/// Returns the distance by which a direction, from the second to the first cylinder, separates
/// both.
double separation(const CylinderPair &pair, const SpaceVector &n) {
  return -support(pair.first, -n) - support(pair.second, n);
}

/// Turns the contact axis to the least penetration nearby: between rims that are within each other,
/// it is the normal of neither cylinder.
void turn_to_least_penetration(CylinderPair &pair) {
  constexpr double first_step = 0.2, last_step = 1e-9; // [rad]
  double best = separation(pair, pair.outward);
  for (double step = first_step; step > last_step;) {
    const auto frame = local_frame<3>(pair.outward);
    bool is_better = false;
    for (const SpaceVector &side : {frame[1], -frame[1], frame[2], -frame[2]}) {
      SpaceVector n = pair.outward + step * side;
      n /= n.norm();
      if (const double s = separation(pair, n); s > best) {
        best = s;
        pair.outward = n;
        is_better = true;
        break;
      }
    }
    step *= is_better ? 1. : 0.5;
  }
}

/// Returns the points of a rim that are nearer to another cylinder than their neighbours: the two
/// nearest, by their angles. A cylinder that lies across an end face has two.
std::vector<SpacePoint> nearest_on_rim(const Rim &circle, const PlacedShape &opposite) {
  constexpr unsigned int n = 32, max_points = 2;
  const auto frame = local_frame<3>(circle.axis);
  const double step = 2 * dealii::numbers::PI / n;
  const auto point = [&](double angle) {
    return SpacePoint(circle.centre +
                      circle.radius * (std::cos(angle) * frame[1] + std::sin(angle) * frame[2]));
  };
  const auto slope = [&](double angle) {
    return gap(opposite, point(angle)).normal *
           (std::cos(angle) * frame[2] - std::sin(angle) * frame[1]);
  };
  std::array<double, n> gaps;
  for (unsigned int k = 0; k < n; ++k)
    gaps[k] = gap(opposite, point(k * step)).distance;
  std::vector<unsigned int> minima;
  for (unsigned int k = 0; k < n; ++k)
    if (gaps[k] < gaps[(k + n - 1) % n] && gaps[k] <= gaps[(k + 1) % n])
      minima.push_back(k);
  std::stable_sort(minima.begin(), minima.end(),
                   [&](unsigned int k, unsigned int l) { return gaps[k] < gaps[l]; });
  minima.resize(std::min<std::size_t>(minima.size(), max_points));
  std::sort(minima.begin(), minima.end());
  std::vector<SpacePoint> points;
  for (const unsigned int k : minima)
    points.push_back(point(zero_of_ascending(slope, k * step - step, k * step + step)));
  return points;
}

/// Finds the contact axis; returns its separation. If axes are equal, the earlier precedes.
double find_axis(CylinderPair &pair, bool must_be_admitted) {
  double best = std::numeric_limits<double>::lowest();
  const auto look_at = [&](const SpaceVector &n) {
    if (must_be_admitted && !pair.guide.admits(n))
      return;
    if (const double s = separation(pair, n); s > best + pair.tolerance) {
      best = s;
      pair.outward = n;
    }
  };
  const SpaceVector a = axis_of(pair.first), b = axis_of(pair.second), n = cross_product_3d(a, b);
  const SpaceVector apart = 0.5 * ((pair.first.vertices[0] - pair.second.vertices[0]) +
                                   (pair.first.vertices[1] - pair.second.vertices[1]));
  const SpaceVector perpendicular = n.norm() > parallel_sine ? n : apart - (apart * b) * b;
  for (const SpaceVector &v : {a, b, perpendicular})
    if (v.norm() > 0.) {
      look_at(v / v.norm());
      look_at(-v / v.norm());
    }
  for (const bool is_first : {true, false})
    for (unsigned int k = 0; k < 2; ++k) {
      const PlacedShape &opposite = pair.cylinder(!is_first);
      for (const SpacePoint &x : nearest_on_rim(rim(pair.cylinder(is_first), k), opposite)) {
        const SpaceVector normal = gap(opposite, x).normal;
        look_at(is_first ? normal : -normal);
      }
    }
  return best;
}

/// Returns the end face of a cylinder that faces the other along the contact axis.
unsigned int facing_end(const CylinderPair &pair, bool is_first) {
  return pair.outward_of(is_first) * axis_of(pair.cylinder(is_first)) > 0. ? 1 : 0;
}

/// Adds the points of a rim in front of the opposite end face.
void add_quarters(CylinderPair &pair, bool is_first) {
  constexpr unsigned int n_quarters = 4;
  const PlacedShape &opposite = pair.cylinder(!is_first);
  const unsigned int k = facing_end(pair, is_first), end = facing_end(pair, !is_first);
  const SpaceVector normal = (end == 1 ? 1. : -1.) * axis_of(opposite);
  // Points on both rims are crossings of them, or points of the first.
  const double largest = opposite.shape->radius + (is_first ? pair.tolerance : -pair.tolerance);
  for (unsigned int quarter = 0; quarter < n_quarters; ++quarter) {
    const SpacePoint x = lowest_on_rim(rim(pair.cylinder(is_first), k), normal, quarter);
    if (PositionAtCylinder(opposite, x).distance <= largest)
      pair.add(n_quarters * (2 * (is_first ? 0 : 1) + k) + quarter, x,
               {normal * (x - opposite.vertices[end]), normal}, is_first);
  }
}

/// Adds the crossings of the rims of two end faces, seen along the axis of the second cylinder.
void add_rim_crossings(CylinderPair &pair) {
  const SpacePoint &a = pair.first.vertices[facing_end(pair, true)],
                   &b = pair.second.vertices[facing_end(pair, false)];
  const double r = pair.first.shape->radius, s = pair.second.shape->radius;
  const SpaceVector face_normal = (facing_end(pair, false) == 1 ? 1. : -1.) * axis_of(pair.second),
                    first_axis = axis_of(pair.first);
  const SpaceVector apart = (a - b) - ((a - b) * face_normal) * face_normal;
  const double c = apart.norm();
  if (c >= r + s || c <= std::abs(r - s) || c <= pair.tolerance)
    return;
  const double chord_offset = (c * c + s * s - r * r) / (2 * c),
               half_chord = std::sqrt(std::max(s * s - chord_offset * chord_offset, 0.));
  const SpaceVector side = cross_product_3d(face_normal, apart) / c;
  for (const double sign : {1., -1.}) {
    const SpacePoint on_second = b + chord_offset / c * apart + sign * half_chord * side;
    const double g = ((a - on_second) * first_axis) / (face_normal * first_axis);
    pair.add(sign > 0. ? 16 : 17, SpacePoint(on_second + g * face_normal), {g, face_normal}, true);
  }
}

/// Returns the gap of a point of a rim along a normal near the contact axis. Beside an end of the
/// other cylinder it is the distance from its side, to the tolerance.
std::optional<PolyhedronGap> gap_along_axis(const CylinderPair &pair, const SpacePoint &x,
                                            bool x_is_on_first) {
  const PlacedShape &opposite = pair.cylinder(!x_is_on_first);
  const SpaceVector outward = pair.outward_of(!x_is_on_first);
  const PositionAtCylinder position(opposite, x);
  if (outward * position.radial > along_cosine && position.beyond_end() <= pair.tolerance)
    return PolyhedronGap{position.distance - opposite.shape->radius, position.radial};
  const PolyhedronGap g = gap(opposite, x);
  return g.normal * outward > along_cosine ? std::optional(g) : std::nullopt;
}

void add_nearest_of_rims(CylinderPair &pair) {
  for (const bool is_first : {true, false})
    for (unsigned int k = 0; k < 2; ++k) {
      unsigned int feature = 18 + 2 * (2 * (is_first ? 0 : 1) + k);
      for (const SpacePoint &x :
           nearest_on_rim(rim(pair.cylinder(is_first), k), pair.cylinder(!is_first))) {
        if (const auto g = gap_along_axis(pair, x, is_first))
          pair.add(feature, x, *g, is_first);
        ++feature;
      }
    }
}

/// Adds the crossing of both sides, if it is nearer than the other contacts.
void add_crossing_of_sides(CylinderPair &pair) {
  const SpacePoint &a = pair.first.vertices[0], &b = pair.second.vertices[0];
  const SpaceVector d = pair.first.vertices[1] - a;
  const auto lines = nearest_points(a, d, b, pair.second.vertices[1] - b);
  if (!lines || !is_inside(lines->s) || !is_inside(lines->t))
    return;
  const SpaceVector normal = std::copysign(1., lines->normal * pair.outward) * lines->normal;
  if (normal * pair.outward < along_cosine)
    return;
  const double g = normal * (a - b) - pair.first.shape->radius - pair.second.shape->radius;
  if (g < pair.found.smallest_gap() - pair.tolerance)
    pair.add(26, a + lines->s * d - pair.first.shape->radius * normal, {g, normal}, true);
}

/// Adds a contact to cylinders that overlap without any: along the axis of least penetration,
/// between the point of each that is deepest in the other.
void add_deepest_points(CylinderPair &pair) {
  if (!pair.found.empty() || separation(pair, pair.outward) >= 0.)
    return;
  turn_to_least_penetration(pair);
  const double depth = separation(pair, pair.outward);
  const SpacePoint lowest = highest_point(pair.first, -pair.outward),
                   highest = highest_point(pair.second, pair.outward);
  pair.found.add({27, depth, pair.outward, lowest + 0.5 * (highest - lowest)});
}

} // namespace

TouchingShapes between_cylinders(const PlacedShape &first, const PlacedShape &second, double reach,
                                 const PairGuide<3> &guide) {
  const auto size = [](const PlacedShape &s) {
    return s.shape->radius + s.vertices[0].distance(s.vertices[1]);
  };
  CylinderPair pair{first,
                    second,
                    guide,
                    FoundContacts(reach, guide),
                    gap_resolution * std::min(size(first), size(second)),
                    {}};
  const double distance = find_axis(pair, false);
  if (distance > reach && !guide.was_overlapping())
    return {};
  if ((distance < 0. || guide.was_overlapping()) && !guide.admits(pair.outward)) {
    const SpaceVector nearest = pair.outward;
    const double admitted = find_axis(pair, true);
    if (admitted == std::numeric_limits<double>::lowest() || admitted >= 0.)
      pair.outward = nearest;
  }
  if (std::abs(pair.outward * axis_of(first)) > along_cosine &&
      std::abs(pair.outward * axis_of(second)) > along_cosine) {
    add_quarters(pair, true);
    add_quarters(pair, false);
    add_rim_crossings(pair);
  } else {
    add_nearest_of_rims(pair);
    add_crossing_of_sides(pair);
  }
  add_deepest_points(pair);
  return pair.found.sorted(same_point * pair.tolerance);
}

} // namespace percussion
