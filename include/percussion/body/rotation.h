#pragma once

#include <deal.II/base/tensor.h>

#include <array>

namespace percussion {

/// Number of rotations of a body: one about the out-of-plane axis in 2D, three about x, y and z in
/// 3D.
template <int dim>
constexpr unsigned int n_rotations = dim == 2 ? 1 : 3;

/// Returns the displacement w × x of a point by infinitesimal rotations w: one row for each of its
/// components, one column for each rotation [length].
template <int dim>
std::array<std::array<double, n_rotations<dim>>, dim> levers(const dealii::Tensor<1, dim> &x) {
  if constexpr (dim == 2)
    return {{{{-x[1]}}, {{x[0]}}}};
  else
    return {{{{0., x[2], -x[1]}}, {{-x[2], 0., x[0]}}, {{x[1], -x[0], 0.}}}};
}

} // namespace percussion
