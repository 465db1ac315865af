#pragma once

#include <percussion/base/lanes.h>

#include <deal.II/base/tensor.h>

#include <array>

namespace percussion {

/// Direction of a family of fibres in the undeformed body, a unit vector; in 2D with its component
/// out of the plane or, of a body of revolution, along the circumference.
using FibreDirection = dealii::Tensor<1, 3>;
/// Directions of both families at a point.
using FibreDirections = std::array<FibreDirection, 2>;

/// Directions of both families at one quadrature point of each cell of a block.
struct alignas(lanes_alignment) LaneFibres {
  std::array<std::array<Lanes, 3>, 2> directions;

  void set_lane(unsigned int lane, const FibreDirections &fibres) {
    for (unsigned int i = 0; i < 2; ++i)
      for (unsigned int d = 0; d < 3; ++d)
        directions[i][d][lane] = fibres[i][d];
  }
  /// Returns the directions in the cell of this lane.
  FibreDirections in_lane(unsigned int lane) const {
    FibreDirections fibres;
    for (unsigned int i = 0; i < 2; ++i)
      for (unsigned int d = 0; d < 3; ++d)
        fibres[i][d] = directions[i][d][lane];
    return fibres;
  }
};

} // namespace percussion
