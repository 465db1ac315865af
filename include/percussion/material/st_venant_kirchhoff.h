#pragma once

#include <percussion/material/energy_excess.h>
#include <percussion/material/linear_elastic.h>

namespace percussion {

/// St. Venant and Kirchhoff's law, linear elasticity in the Green–Lagrange strain E = A/2:
///
///     W = λ/2 (tr E)² + µ E : E ,   S = λ tr(E) I + 2 µ E ,
///
/// which knows no rotation. In plane stress λ is that of the in-plane law, λ* = 2 λ µ / (λ + 2 µ),
/// and E₃₃ = −ν/(1 − ν) tr E. W is quadratic, so that the mean of the stresses at both ends of a
/// step is its discrete gradient. The law is meant for small strains: a bar that is shortened
/// resists the less the shorter it is, and below 1/√3 of its length gives way.
struct StVenantKirchhoff {
  LinearElastic<2> elastic; ///< λ or λ*, and µ [stress]
  Plane plane;

  /// From Young's modulus [stress] and Poisson's ratio.
  static StVenantKirchhoff from_young(double young, double poisson, Plane plane) {
    return {LinearElastic<2>::from_young(young, poisson, plane), plane};
  }

  /// C₃₃; in plane stress ν/(1 − ν) = λ*/(2 µ).
  double out_of_plane_stretch(const PlaneTensor &A) const {
    return plane == Plane::strain ? 1. : 1. - 0.5 * elastic.lambda / elastic.mu * trace(A);
  }

  /// Second Piola–Kirchhoff stress S₃₃ [stress].
  double out_of_plane_stress(const PlaneTensor &A) const {
    return 0.5 * elastic.lambda_33 * trace(A);
  }

  /// Stored energy per undeformed volume [stress].
  template <int dim>
  double energy(const dealii::SymmetricTensor<2, dim> &A) const {
    return 0.125 * elastic.lambda * trace(A) * trace(A) + 0.25 * elastic.mu * (A * A);
  }

  /// 2 W'(C) [stress].
  template <typename Tensor>
  Tensor stress(const Tensor &A) const {
    return shifted(elastic.mu * A, 0.5 * elastic.lambda * trace(A));
  }

  /// 4 W''(C) [stress].
  template <int dim>
  dealii::SymmetricTensor<4, dim> tangent(const dealii::SymmetricTensor<2, dim> &) const {
    const auto identity = dealii::unit_symmetric_tensor<dim>();
    return elastic.lambda * outer_product(identity, identity) +
           2. * elastic.mu * dealii::identity_tensor<dim>();
  }

  /// Of a step: none.
  template <typename Tensor>
  StepQuantity<Tensor> excess(const Tensor &, const Tensor &) const {
    return {NumberOf<Tensor>{}, Tensor{}};
  }
};

} // namespace percussion
