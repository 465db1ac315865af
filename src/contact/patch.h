#pragma once

#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>

#include <array>
#include <optional>
#include <vector>

namespace percussion {

/// Triangle or bilinear quadrilateral in 3D, with corners counter-clockwise seen from the tip of
/// its normal.
class Patch {
public:
  /// Local coordinates in the unit triangle, or in the unit square.
  using Local = std::array<double, 2>;
  using Weights = std::array<double, 4>; ///< weights of the corners; the last is 0 for a triangle

  /// Creates a patch with three or four corners.
  explicit Patch(const std::vector<dealii::Point<3>> &corners);

  Weights weights(const Local &local) const;
  Local middle() const;
  dealii::Point<3> position(const Weights &weights) const;
  dealii::Point<3> position(const Local &local) const { return position(weights(local)); }
  /// Returns the unit normal; zero if it is undefined.
  dealii::Tensor<1, 3> normal(const Local &local) const;
  /// Returns the point of the patch, or of its continuation, at which the line to x is normal to
  /// it; nothing if Newton's method does not find it.
  std::optional<Local> foot(const dealii::Point<3> &x) const;
  /// True if a point is inside the patch and not on its edges.
  bool contains(const Local &local) const;
  /// Returns the mean length of the edges.
  double size() const;

  unsigned int n;                         ///< number of corners: 3 or 4
  std::array<dealii::Point<3>, 4> corner; ///< positions of the corners

private:
  std::array<dealii::Tensor<1, 3>, 2> tangents(const Local &local) const;
};

/// Point of a patch that is nearest to a given point.
struct NearestPoint {
  Patch::Weights weights;
  dealii::Point<3> x;
  double distance;                    ///< distance of both points [length]
  std::optional<Patch::Local> inside; ///< local coordinates, unless the point is on an edge
  unsigned int edge = 0;              ///< edge from this corner to the next
  double fraction = 0;                ///< weight of the next corner; 0 and 1 at corners
};
NearestPoint nearest_point(const Patch &patch, const dealii::Point<3> &x);

} // namespace percussion
