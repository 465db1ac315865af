#pragma once

#include <deal.II/base/tensor.h>

namespace percussion {

/// Returns the out-of-plane component of a × b.
template <typename Number>
Number cross_product(const dealii::Tensor<1, 2, Number> &a, const dealii::Tensor<1, 2, Number> &b) {
  return a[0] * b[1] - a[1] * b[0];
}

} // namespace percussion
