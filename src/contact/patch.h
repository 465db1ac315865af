#pragma once

#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>

#include <array>
#include <optional>
#include <vector>

namespace percussion {

/// A triangle or bilinear quadrilateral in space, its corners counter-clockwise seen from where its
/// normal points to.
class Patch {
public:
  /// Local coordinates in the unit triangle, or in the unit square.
  using Local = std::array<double, 2>;
  using Weights = std::array<double, 4>; ///< of the corners; the last is 0 of a triangle

  /// With three or four corners.
  explicit Patch(const std::vector<dealii::Point<3>> &corners);

  Weights weights(const Local &local) const;
  Local middle() const;
  dealii::Point<3> position(const Weights &weights) const;
  dealii::Point<3> position(const Local &local) const { return position(weights(local)); }
  /// Of unit length; zero where there is none.
  dealii::Tensor<1, 3> normal(const Local &local) const;
  /// Where the line from a place to x is normal to the patch or to its continuation, if it is
  /// found.
  std::optional<Local> foot(const dealii::Point<3> &x) const;
  /// Whether a place is inside of the patch, and not on its edges.
  bool contains(const Local &local) const;
  /// The mean length of its edges.
  double size() const;

  unsigned int n;                         ///< 3 or 4
  std::array<dealii::Point<3>, 4> corner; ///< of them

private:
  std::array<dealii::Tensor<1, 3>, 2> tangents(const Local &local) const;
};

/// The place of a patch that is nearest to a point.
struct NearestPlace {
  Patch::Weights weights;
  dealii::Point<3> x;
  double distance;                    ///< [length]
  std::optional<Patch::Local> inside; ///< unless it is on an edge
  unsigned int edge = 0;              ///< from this corner to the next
  double share = 0;                   ///< of the next; 0 and 1 at corners
};
NearestPlace nearest_place(const Patch &patch, const dealii::Point<3> &x);

} // namespace percussion
