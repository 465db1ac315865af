#pragma once

#include <percussion/material/invariant_change.h>

namespace percussion {

/// Returns a linear function, whose gradient is constant, with its values at both ends.
template <typename Tensor, bool has_tangent>
InvariantChange<Tensor, has_tangent>
linear_change(const Tensor &gradient, const NumberOf<Tensor> &start, const NumberOf<Tensor> &end) {
  InvariantChange<Tensor, has_tangent> g{};
  g.start = start;
  g.end = end;
  g.gradient = gradient;
  if constexpr (has_tangent)
    g.end_slope = gradient;
  return g;
}

/// Returns I₂(A) of a step. Its gradient is I₂'(A_m), because I₂ is quadratic.
template <typename Tensor, bool has_tangent>
InvariantChange<Tensor, has_tangent> second_invariant_change(const Tensor &A0, const Tensor &A1) {
  auto g = linear_change<Tensor, has_tangent>(second_invariant_slope(0.5 * (A0 + A1)),
                                              second_invariant(A0), second_invariant(A1));
  if constexpr (has_tangent) {
    g.end_slope = second_invariant_slope(A1);
    g.gradient_slope = 0.5 * second_invariant_curvature<Tensor::dimension>();
  }
  return g;
}

/// Returns I₃(A) of a step in 3D. Its gradient is cof A_m + cof(ΔA)/12, because I₃ is cubic.
template <typename Tensor, bool has_tangent>
InvariantChange<Tensor, has_tangent> third_invariant_change(const Tensor &A0, const Tensor &A1) {
  const Tensor middle = 0.5 * (A0 + A1), step = A1 - A0;
  auto g = linear_change<Tensor, has_tangent>(cofactor(middle) + 1. / 12. * cofactor(step),
                                              determinant(A0), determinant(A1));
  if constexpr (has_tangent) {
    g.end_slope = cofactor(A1);
    g.gradient_slope = cofactor_derivative(Tensor(0.5 * middle + 1. / 12. * step));
  }
  return g;
}

/// Returns det C − 1 = tr A + I₂(A) + I₃(A) of a step, I₃ in 3D only.
template <typename Tensor, bool has_tangent>
InvariantChange<Tensor, has_tangent>
determinant_minus_1_change(const Tensor &A0, const Tensor &A1,
                           const InvariantChange<Tensor, has_tangent> &second,
                           [[maybe_unused]] const InvariantChange<Tensor, has_tangent> &third) {
  const auto sum = linear_change<Tensor, has_tangent>(shifted(Tensor{}, NumberOf<Tensor>{} + 1.),
                                                      trace(A0), trace(A1)) +
                   second;
  if constexpr (is_spatial<Tensor>)
    return sum + third;
  else
    return sum;
}

/// Returns J − 1 of a step from A₀ to A₁, A = C − I, in 3D or in plane strain.
template <typename Tensor, bool has_tangent = false>
InvariantChange<Tensor, has_tangent> volume_change(const Tensor &A0, const Tensor &A1) {
  InvariantChange<Tensor, has_tangent> third{};
  if constexpr (is_spatial<Tensor>)
    third = third_invariant_change<Tensor, has_tangent>(A0, A1);
  const auto j = determinant_minus_1_change(
      A0, A1, second_invariant_change<Tensor, has_tangent>(A0, A1), third);
  return compose(root_minus_1(j.start, j.end), j);
}

/// Returns J − 1 at A.
template <typename Tensor>
NumberOf<Tensor> volume_minus_1(const Tensor &A) {
  const NumberOf<Tensor> j = det_C_minus_1(A);
  return j / (1. + map([](double x) { return std::sqrt(x); }, 1. + j));
}

} // namespace percussion
