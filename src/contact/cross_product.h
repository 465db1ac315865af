#pragma once

#include <deal.II/base/tensor.h>

namespace percussion {

/// The component of a × b across the plane.
inline double cross_product(const dealii::Tensor<1, 2> &a, const dealii::Tensor<1, 2> &b) {
  return a[0] * b[1] - a[1] * b[0];
}

} // namespace percussion
