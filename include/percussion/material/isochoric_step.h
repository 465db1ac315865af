#pragma once

#include <percussion/material/volume_change.h>

namespace percussion {

/// Invariants of a deformation over a step from A₀ to A₁, A = C − I, in 3D or in plane strain, as
/// quantities that vanish in the undeformed state, without cancellation:
///
///     volume    J − 1                      j = det C − 1 = tr A + I₂(A) + I₃(A)
///     first     Ī₁ − 3,  Ī₁ = J^(−2/3) tr C      = [z² (3 + z) − I₂(A) − I₃(A)] / (1 + z)
///     second    Ī₂ − 3,  Ī₂ = J^(−4/3) I₂(C)     = [z² (3 + 2 z) − I₂(A) − 2 I₃(A)] / (1 + z)²
///     fibre     Ī₄ − 1,  Ī₄ = J^(−2/3) a·C a     = (a·A a − z) / (1 + z)
///
/// with 1 + z = J^(2/3).
template <typename Tensor, bool has_tangent = false>
class IsochoricStep {
public:
  using Change = InvariantChange<Tensor, has_tangent>; ///< an invariant over the step

  /// Takes both ends, with det C > 0.
  IsochoricStep(const Tensor &start, const Tensor &end) : A0(start), A1(end) {
    second_of_A = second_invariant_change<Tensor, has_tangent>(A0, A1);
    if constexpr (is_spatial<Tensor>)
      third_of_A = third_invariant_change<Tensor, has_tangent>(A0, A1);
    j = determinant_minus_1_change(A0, A1, second_of_A, third_of_A);
    z = compose(cube_root_minus_1(j.start, j.end), j);
    inverse = compose(reciprocal_of_1_plus(z.start, z.end), z);
  }

  /// Returns J − 1.
  Change volume() const { return compose(root_minus_1(j.start, j.end), j); }

  /// Returns Ī₁ − 3.
  Change first() const { return without_invariants_of_A({0., 3., 1.}, 1.) * inverse; }

  /// Returns Ī₂ − 3.
  Change second() const {
    return without_invariants_of_A({0., 3., 2.}, 2.) *
           compose(square(inverse.start, inverse.end), inverse);
  }

  /// Returns Ī₄ − 1 of a direction, of three numbers or of three Lanes.
  template <typename Direction>
  Change fibre(const Direction &a) const {
    const Tensor square_of_a = outer_square(a);
    return (linear_change<Tensor, has_tangent>(square_of_a, square_of_a * A0, square_of_a * A1) -
            z) *
           inverse;
  }

private:
  /// Returns p(z) − I₂(A) − factor I₃(A), p given by the coefficients of z, z², z³.
  Change without_invariants_of_A(const std::array<double, 3> &p, double factor) const {
    const Change sum = compose(polynomial(p, z.start, z.end), z) - second_of_A;
    if constexpr (is_spatial<Tensor>)
      return sum - factor * third_of_A;
    else
      return sum;
  }

  template <typename Direction>
  static Tensor outer_square(const Direction &a) {
    const NumberOf<Tensor> zero{};
    if constexpr (is_spatial<Tensor>)
      return symmetric(zero + a[0] * a[0], zero + a[1] * a[1], zero + a[2] * a[2],
                       zero + a[0] * a[1], zero + a[0] * a[2], zero + a[1] * a[2]);
    else
      return symmetric(zero + a[0] * a[0], zero + a[1] * a[1], zero + a[0] * a[1]);
  }

  Tensor A0, A1;
  Change second_of_A, third_of_A{}; ///< I₂(A), I₃(A)
  Change j, z;                      ///< det C − 1, J^(2/3) − 1
  Change inverse;                   ///< J^(−2/3)
};

} // namespace percussion
