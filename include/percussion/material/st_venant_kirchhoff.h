#pragma once

#include <percussion/material/energy_excess.h>
#include <percussion/material/linear_elastic.h>

namespace percussion {

/// St. Venant and Kirchhoff's law, linear elasticity in the Green–Lagrange strain E = A/2:
///
///     W = λ/2 (tr E)² + µ E : E ,   S = λ tr(E) I + 2 µ E ,
///
/// which is invariant under rotations. In plane stress λ is the constant of the in-plane law, λ* =
/// 2 λ µ / (λ + 2 µ), and E₃₃ = −ν/(1 − ν) tr E. W is quadratic, so that the mean of the stresses
/// at both ends of a step is its discrete gradient. The law is meant for small strains: the
/// stiffness of a bar decreases as the bar is shortened, and vanishes at 1/√3 of its length.
struct StVenantKirchhoff {
  LinearElastic<2> elastic; ///< λ or λ*, and µ [stress]
  Plane plane;

  /// Returns the law for Young's modulus [stress] and Poisson's ratio.
  static StVenantKirchhoff from_young(double young, double poisson, Plane plane) {
    return {LinearElastic<2>::from_young(young, poisson, plane), plane};
  }

  /// Returns C₃₃; in plane stress ν/(1 − ν) = λ*/(2 µ).
  double out_of_plane_stretch(const PlaneTensor &A) const {
    return plane == Plane::strain ? 1. : 1. - 0.5 * elastic.lambda / elastic.mu * trace(A);
  }

  /// Returns the second Piola–Kirchhoff stress S₃₃ [stress].
  double out_of_plane_stress(const PlaneTensor &A) const {
    return 0.5 * elastic.lambda_33 * trace(A);
  }

  /// Returns the stored energy per undeformed volume [stress].
  template <int dim>
  double energy(const dealii::SymmetricTensor<2, dim> &A) const {
    return 0.125 * elastic.lambda * trace(A) * trace(A) + 0.25 * elastic.mu * (A * A);
  }

  /// Returns 2 W'(C) [stress].
  template <typename Tensor>
  Tensor stress(const Tensor &A) const {
    return shifted(elastic.mu * A, 0.5 * elastic.lambda * trace(A));
  }

  /// Returns 4 W''(C) [stress].
  template <int dim>
  dealii::SymmetricTensor<4, dim> tangent(const dealii::SymmetricTensor<2, dim> &) const {
    const auto identity = dealii::unit_symmetric_tensor<dim>();
    return elastic.lambda * outer_product(identity, identity) +
           2. * elastic.mu * dealii::identity_tensor<dim>();
  }

  /// Returns the energy excess of a step: zero.
  template <typename Tensor>
  StepQuantity<Tensor> excess(const Tensor &, const Tensor &) const {
    return {NumberOf<Tensor>{}, Tensor{}};
  }
};

} // namespace percussion
