#pragma once

#include <cstddef>

namespace percussion {

/// Returns the piece of a convex polygon in which `height` is at most zero (Sutherland and Hodgman
/// 1974). Corners up to the tolerance above or below zero are on the line of the cut.
/// height(corner): linear function of the position [length]; kept(corner, begins_cut): the corner
/// of the piece at a corner, where the cut begins if begins_cut is true; crossing(corner, next,
/// fraction, begins_cut): the corner at this fraction of the edge from a corner to the next.
template <typename Polygon, typename Height, typename Kept, typename Crossing>
Polygon clipped(const Polygon &polygon, double tolerance, const Height &height, const Kept &kept,
                const Crossing &crossing) {
  Polygon piece;
  piece.reserve(polygon.size() + 1);
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const auto &corner = polygon[i], &next = polygon[(i + 1) % polygon.size()];
    const auto h = height(corner), h_next = height(next);
    const bool leaves = h_next > tolerance;
    if (h <= tolerance)
      piece.push_back(kept(corner, leaves && h >= -tolerance));
    if ((h < -tolerance && leaves) || (h > tolerance && h_next < -tolerance))
      piece.push_back(crossing(corner, next, h / (h - h_next), leaves));
  }
  return piece;
}

} // namespace percussion
