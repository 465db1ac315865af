#pragma once

#include <percussion/body/rigid_body.h>

#include <cmath>

namespace percussion::test {

inline dealii::Tensor<1, 2> rotated(const dealii::Tensor<1, 2> &x, double angle) {
  return dealii::Tensor<1, 2>({std::cos(angle) * x[0] - std::sin(angle) * x[1],
                               std::sin(angle) * x[0] + std::cos(angle) * x[1]});
}

/// Returns an outline rotated about the origin, then translated.
inline Outline moved(Outline outline, double angle, const dealii::Tensor<1, 2> &translation) {
  for (auto &x : outline)
    x = dealii::Point<2>(rotated(x, angle) + translation);
  return outline;
}

} // namespace percussion::test
