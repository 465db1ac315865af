// Contacts of two convex shapes during their search.

#pragma once

#include <percussion/contact/polyhedra.h>

#include <algorithm>
#include <limits>

namespace percussion {

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
