#pragma once

#include <percussion/material/plane.h>

#include <cmath>

namespace percussion {

/// Linear isotropic elasticity, σ = λ tr(ε) I + 2 μ ε, as the in-plane law of a two-dimensional
/// body or the full law of a three-dimensional one.
template <int dim>
struct LinearElastic {
  double lambda;    ///< first Lamé constant of the in-plane law [stress]
  double mu;        ///< shear modulus [stress]
  double lambda_33; ///< σ₃₃ = lambda_33 tr(ε): λ in plane strain, 0 in plane stress [stress]

  /// Returns the law for Young's modulus [stress] and Poisson's ratio. In plane stress λ* = E ν /
  /// (1 − ν²).
  static LinearElastic from_young(double young, double poisson, Plane plane) {
    const double mu = young / (2. * (1. + poisson));
    if (dim == 2 && plane == Plane::stress)
      return {young * poisson / (1. - poisson * poisson), mu, 0.};
    const double lambda = young * poisson / ((1. + poisson) * (1. - 2. * poisson));
    return {lambda, mu, lambda};
  }

  /// Returns κ = λ + 2µ/3 in 3D and in plane strain [stress].
  double bulk_modulus() const { return lambda + 2. / 3. * mu; }

  /// Returns the stored energy per volume [stress] of a strain.
  double energy(const dealii::SymmetricTensor<2, dim> &strain) const {
    const double volume_change = trace(strain);
    return 0.5 * lambda * volume_change * volume_change + mu * (strain * strain);
  }

  /// Returns σ of a strain, in-plane components [stress]; in plane strain also of all components of
  /// a strain, as an axisymmetric body has.
  template <int space>
  dealii::SymmetricTensor<2, space> stress(const dealii::SymmetricTensor<2, space> &strain) const {
    return lambda * trace(strain) * dealii::unit_symmetric_tensor<space>() + 2. * mu * strain;
  }

  /// Returns all components of the stress, including the out-of-plane ones.
  dealii::SymmetricTensor<2, 3> full_stress(const dealii::SymmetricTensor<2, dim> &strain) const {
    return full_tensor(stress(strain), lambda_33 * trace(strain));
  }
};

/// Kelvin–Voigt viscosity with the dissipation W^v = η/2 tr(ε̇²), i.e. σ^v = η ε̇ (BBDM24 (6.1)),
/// and Rayleigh damping α M + β K.
struct LinearViscosity {
  double eta = 0;   ///< [stress × time]
  double alpha = 0; ///< [1 / time]
  double beta = 0;  ///< [time]

  /// Returns true if any coefficient is nonzero.
  bool present() const { return eta != 0. || alpha != 0. || beta != 0.; }
};

/// Returns the von Mises equivalent of a stress: √(3/2 s:s) of its deviator s.
inline double von_mises(const dealii::SymmetricTensor<2, 3> &stress) {
  const auto s = deviator(stress);
  return std::sqrt(1.5 * (s * s));
}

} // namespace percussion
