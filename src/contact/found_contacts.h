// Contacts of two convex shapes during their search.

#pragma once

#include <percussion/contact/polyhedra.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace percussion {

/// Fraction of the size up to which gaps of round shapes count as equal.
inline constexpr double gap_resolution = 1e-9;
/// Distance up to which two contacts are at one point, over the tolerance of gaps.
inline constexpr double same_point = 100;
/// Sine of the angle up to which two lines count as parallel.
inline constexpr double parallel_sine = 1e-6;
/// Cosine and sine of the angle up to which a normal is along a contact axis or face, 11°.
inline constexpr double along_cosine = 0.98, small_slope = 0.2;

/// True for a fraction of a segment between its ends.
inline bool is_inside(double fraction) { return fraction > 0. && fraction < 1.; }

/// Nearest points of two lines.
struct LinePair {
  double s, t;                 ///< fractions of both segments
  dealii::Tensor<1, 3> normal; ///< common perpendicular, of length one
};

/// Returns the nearest points of the lines through the segments from a along d and from b along f;
/// no value if they are parallel.
inline std::optional<LinePair> nearest_points(const dealii::Point<3> &a,
                                              const dealii::Tensor<1, 3> &d,
                                              const dealii::Point<3> &b,
                                              const dealii::Tensor<1, 3> &f) {
  const dealii::Tensor<1, 3> n = cross_product_3d(d, f), r = b - a;
  const double square = n.norm_square();
  if (square <= parallel_sine * parallel_sine * d.norm_square() * f.norm_square())
    return {};
  return LinePair{n * cross_product_3d(r, f) / square, n * cross_product_3d(r, d) / square,
                  n / std::sqrt(square)};
}

/// Contacts of two shapes, of which at least one is round, in any order of their features.
class FoundContacts {
public:
  /// Stores a reference to the guide. `reach` is the largest gap [length].
  FoundContacts(double largest_gap, const PairGuide<3> &pair_guide)
      : reach(largest_gap), guide(pair_guide) {}

  /// True if a contact with this gap may have this normal: shapes that overlap are separated on the
  /// side from which they came.
  bool admits(const dealii::Tensor<1, 3> &normal, double gap) const {
    return (gap >= 0. && !guide.was_overlapping()) || guide.admits(normal);
  }
  /// Adds a contact, unless its gap is beyond the reach; the nearest contact gives the direction.
  void add(const ShapeContact &contact) {
    if (contact.gap < nearest) {
      nearest = contact.gap;
      touching.direction = contact.normal;
      touching.overlapping = contact.gap < 0.;
    }
    if (contact.gap <= reach)
      touching.points.push_back(contact);
  }
  /// True if there is no contact within the reach.
  bool empty() const { return touching.points.empty(); }
  /// Returns the smallest gap so far [length].
  double smallest_gap() const { return nearest; }
  /// Returns the contacts by ascending features. Of contacts at one point, to a tolerance
  /// [length], the first remains.
  TouchingShapes sorted(double tolerance = 0.) {
    auto &points = touching.points;
    std::sort(points.begin(), points.end(),
              [](const ShapeContact &a, const ShapeContact &b) { return a.feature < b.feature; });
    std::vector<ShapeContact> distinct;
    for (const ShapeContact &contact : points)
      if (std::none_of(distinct.begin(), distinct.end(), [&](const ShapeContact &earlier_contact) {
            return contact.x.distance(earlier_contact.x) <= tolerance;
          }))
        distinct.push_back(contact);
    points = std::move(distinct);
    return std::move(touching);
  }

private:
  double reach, nearest = std::numeric_limits<double>::max();
  const PairGuide<3> &guide;
  TouchingShapes touching;
};

} // namespace percussion
