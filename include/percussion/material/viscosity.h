#pragma once

#include <percussion/material/plane.h>

#include <vector>

namespace percussion {

/// Viscosity laws for large deformations, which differ only in one factor.
enum class ViscosityKind { curnier, pioletti };

/// Viscosity of a step from C₀ to C₁ of length h. From a viscous power density W^v(C, Ċ) with
/// Ċ = ΔC/h and C = C_m = (C₀ + C₁)/2 the stress Σ^v = 2 ∂W^v/∂Ċ is
///
///     curnier   W^v = η/2 tr(Ċ²)             Σ^v = 2 η ΔC/h             BBDM24, before (2.14)
///     pioletti  W^v = η/4 tr(Ċ²) (I₁ − 3)₊   Σ^v = η (I₁ − 3)₊ ΔC/h     BBDM24 (2.14)
///
/// and the step dissipates Σ^v : ΔC / 2 ≥ 0 per undeformed volume, exactly.
///
/// The positive part is not in the paper: a compressible body under pressure has I₁ < 3, where its
/// formula would produce energy. In the plane both act on the in-plane motion, and I₁ = tr C + 1,
/// as in plane strain; in plane stress C₃₃ follows from the elastic law, and the thickness changes
/// without viscous resistance. Axisymmetric bodies have all components.
///
/// At small strain Curnier's law is σ^v = 4 η ε̇, four times the LinearViscosity of the same η.
struct FiniteViscosity {
  ViscosityKind kind = ViscosityKind::curnier; ///< one of the two laws
  double eta = 0;                              ///< η [stress × time]

  /// Returns true if η is nonzero.
  bool present() const { return eta != 0.; }

  /// Returns Σ^v [stress].
  template <typename Tensor>
  Tensor stress(const Tensor &A0, const Tensor &A1, double h) const {
    return factor(A0, A1) / h * (A1 - A0);
  }

  /// Returns Σ^v and its derivative with respect to A₁ = C₁ − I.
  template <int dim>
  AlgorithmicStress<dim> stress_and_tangent(const dealii::SymmetricTensor<2, dim> &A0,
                                            const dealii::SymmetricTensor<2, dim> &A1,
                                            double h) const {
    AlgorithmicStress<dim> result{stress(A0, A1, h),
                                  factor(A0, A1) / h * dealii::identity_tensor<dim>()};
    if (kind == ViscosityKind::pioletti && stretch(A0, A1) > 0.)
      result.derivative +=
          0.5 * eta / h * outer_product(A1 - A0, dealii::unit_symmetric_tensor<dim>());
    return result;
  }

private:
  /// Returns I₁ − 3 at C_m.
  template <typename Tensor>
  static NumberOf<Tensor> stretch(const Tensor &A0, const Tensor &A1) {
    return 0.5 * (trace(A0) + trace(A1));
  }

  /// Returns the factor in Σ^v = factor · ΔC/h.
  template <typename Tensor>
  NumberOf<Tensor> factor(const Tensor &A0, const Tensor &A1) const {
    const NumberOf<Tensor> I1_minus_3 = stretch(A0, A1), none{};
    return kind == ViscosityKind::curnier ? none + 2. * eta
                                          : eta * (I1_minus_3 > 0. ? I1_minus_3 : none);
  }
};

/// Row of the table of viscosities.
struct ViscosityLawEntry {
  const char *name;
  ViscosityKind kind;
  const char *description;
};

/// Returns all viscosities for large deformations with their names and sources.
const std::vector<ViscosityLawEntry> &viscosity_laws();

} // namespace percussion
