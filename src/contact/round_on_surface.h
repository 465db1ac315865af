// Points at which capsules and cylinders touch surfaces.

#pragma once

#include <percussion/contact/surface.h>

#include <boost/math/tools/toms748_solve.hpp>
#include <optional>

namespace percussion {

/// Point of a round shape that is nearest to a surface.
struct NearestToSurface {
  dealii::Point<3> x; ///< point of the segment of a capsule, or of the rim of a cylinder
  Gap<3> gap;         ///< gap of this point
};

/// True if the point of a segment that is nearest to a surface may be between its ends. It may not
/// at a half-space, nor inside of a sphere or cylinder.
bool may_touch_between_ends(const Surface<3> &surface);

/// Returns the point between the ends of a segment that is nearest to a surface. No value if an end
/// is as near, to 1e-9 of the length: the contacts of the ends are then sufficient. The search
/// begins at 16 points of the segment.
/// @param surface surface in its initial position
/// @param begin, end ends of the segment, relative to this position
std::optional<NearestToSurface> nearest_between_ends(const Surface<3> &surface,
                                                     const dealii::Point<3> &begin,
                                                     const dealii::Point<3> &end);

/// Circular rim of an end face of a cylinder.
struct Rim {
  dealii::Point<3> centre;
  dealii::Tensor<1, 3> axis; ///< unit vector along the axis of the cylinder
  double radius;             ///< [length]
};

/// Returns the point of a rim that is nearest to a surface with its bodies on a convex side: a
/// half-space, or the inside of a sphere or a cylinder; turned along the rim by quarters of a turn.
/// With all quarters a cylinder stands on four points. If its face is parallel to the surface to
/// 1e-6 rad, the direction of the nearest point turns to the second axis of local_frame(): it stays
/// from step to step, at a gap that is larger by at most 1e-8 of the radius.
NearestToSurface nearest_on_rim(const Surface<3> &surface, const Rim &rim, unsigned int quarter);

/// Returns the point of a rim that is lowest along a normal, turned by quarters likewise.
dealii::Point<3> lowest_on_rim(const Rim &rim, const dealii::Tensor<1, 3> &normal,
                               unsigned int quarter);

/// Returns the zero of an ascending function between two positions, or the end at which it is
/// nearest to zero.
template <typename Function>
double zero_of_ascending(const Function &function, double low, double high) {
  const double low_value = function(low), high_value = function(high);
  if (low_value >= 0.)
    return low;
  if (high_value <= 0.)
    return high;
  std::uintmax_t iterations = 100;
  const auto [a, b] =
      boost::math::tools::toms748_solve(function, low, high, low_value, high_value,
                                        boost::math::tools::eps_tolerance<double>(50), iterations);
  return 0.5 * (a + b);
}

} // namespace percussion
