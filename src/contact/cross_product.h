#pragma once

#include <deal.II/base/tensor.h>

namespace percussion {

/// Returns the out-of-plane component of a × b.
inline double cross_product(const dealii::Tensor<1, 2> &a, const dealii::Tensor<1, 2> &b) {
  return a[0] * b[1] - a[1] * b[0];
}

} // namespace percussion
