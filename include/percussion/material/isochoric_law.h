#pragma once

#include <percussion/material/isochoric_step.h>
#include <percussion/material/volumetric_energy.h>

namespace percussion {

/// Strains of a step at several points, and the stress between them.
template <typename Tensor>
struct alignas(lanes_alignment) StepStress {
  Tensor A0, A1, stress;
};

/// Hyperelastic law with an isochoric and a volumetric part,
///
///     W(C) = W_iso(C) + κ/2 (J − 1)² ,
///
/// in 3D and plane strain. `IsochoricPart` is a struct of constants with the members `bulk`, the
/// bulk modulus κ [stress], and isochoric(step), which makes W_iso from the invariants of an
/// IsochoricStep by sums, products and functions. Energy, stress and tangent follow by the rules of
/// InvariantChange; the stress of a step is the discrete gradient Σ = 2 D of W.
template <typename IsochoricPart>
struct IsochoricLaw : IsochoricPart {
  static constexpr Plane plane = Plane::strain;

  /// Returns κ/2 (J − 1)², and the law without it.
  SquareOfVolumeChange volumetric_part() const { return {this->bulk}; }
  IsochoricLaw local_part() const {
    IsochoricLaw law = *this;
    law.bulk = 0.;
    return law;
  }

  /// Returns C₃₃ in plane strain.
  double out_of_plane_stretch(const PlaneTensor &) const { return 1.; }

  /// Returns the second Piola–Kirchhoff stress S₃₃ in plane strain [stress].
  double out_of_plane_stress(const PlaneTensor &A) const {
    return stress(full_tensor<2>(A, 0.))[2][2];
  }

  /// Returns the stored energy per undeformed volume [stress].
  template <int dim>
  double energy(const dealii::SymmetricTensor<2, dim> &A) const {
    return potential(IsochoricStep<dealii::SymmetricTensor<2, dim>>(A, A)).end;
  }

  /// Returns 2 W'(C) [stress].
  template <int dim>
  dealii::SymmetricTensor<2, dim> stress(const dealii::SymmetricTensor<2, dim> &A) const {
    return discrete_gradient(A, A);
  }

  /// Returns 4 W''(C) [stress]. At equal ends half of the derivative of Σ belongs to each end.
  template <int dim>
  dealii::SymmetricTensor<4, dim> tangent(const dealii::SymmetricTensor<2, dim> &A) const {
    return 4. * discrete_gradient_and_tangent(A, A).derivative;
  }

  /// Returns the stress Σ of a step, for which Σ : ΔA / 2 = W(A₁) − W(A₀) exactly [stress].
  template <int dim>
  dealii::SymmetricTensor<2, dim>
  discrete_gradient(const dealii::SymmetricTensor<2, dim> &A0,
                    const dealii::SymmetricTensor<2, dim> &A1) const {
    return 2. * potential(IsochoricStep<dealii::SymmetricTensor<2, dim>>(A0, A1)).gradient;
  }
  LaneTensor discrete_gradient(const LaneTensor &A0, const LaneTensor &A1) const {
    StepStress<LaneTensor> step{A0, A1, {}};
    evaluate(step);
    return step.stress;
  }
  LaneSpaceTensor discrete_gradient(const LaneSpaceTensor &A0, const LaneSpaceTensor &A1) const {
    StepStress<LaneSpaceTensor> step{A0, A1, {}};
    evaluate(step);
    return step.stress;
  }

  /// Returns this stress and its derivative by A₁.
  template <int dim>
  AlgorithmicStress<dim>
  discrete_gradient_and_tangent(const dealii::SymmetricTensor<2, dim> &A0,
                                const dealii::SymmetricTensor<2, dim> &A1) const {
    const auto W = potential(IsochoricStep<dealii::SymmetricTensor<2, dim>, true>(A0, A1));
    return {2. * W.gradient, 2. * W.gradient_slope};
  }

  /// Returns W over a step.
  template <typename Step>
  typename Step::Change potential(const Step &step) const {
    const auto volume = step.volume();
    return IsochoricPart::isochoric(step) +
           0.5 * this->bulk * compose(square(volume.start, volume.end), volume);
  }

private:
  /// Computes the stress of several points. Compiled apart, as its formulas are long.
  void evaluate(StepStress<LaneTensor> &step) const;
  void evaluate(StepStress<LaneSpaceTensor> &step) const;
};

} // namespace percussion
