#pragma once

#include <percussion/material/hyperelastic.h>

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace percussion {

/// Law as a function of C; the laws take C − I.
template <typename Law>
struct LawOfC : Law {
  static PlaneTensor strain(const PlaneTensor &C) { return C - dealii::unit_symmetric_tensor<2>(); }

  double energy(const PlaneTensor &C) const { return Law::energy(strain(C)); }
  PlaneTensor stress(const PlaneTensor &C) const { return Law::stress(strain(C)); }
  PlaneTangent tangent(const PlaneTensor &C) const { return Law::tangent(strain(C)); }
  EnergyExcess excess(const PlaneTensor &C_m, const PlaneTensor &dC) const {
    return Law::excess(strain(C_m), dC);
  }
  double out_of_plane_stretch(const PlaneTensor &C) const {
    return Law::out_of_plane_stretch(strain(C));
  }
  double out_of_plane_stress(const PlaneTensor &C) const {
    return Law::out_of_plane_stress(strain(C));
  }
};

/// Components xx, yy, xy of a symmetric tensor in any arithmetic.
template <typename Number>
using Components = std::array<Number, 3>;

template <typename Number>
Number determinant_of(const Components<Number> &c) {
  return c[0] * c[1] - c[2] * c[2];
}

/// Law as in the literature: its energy as a function of the three invariants, and C₃₃. It is
/// implemented independently and in any arithmetic, for automatic differentiation and for
/// evaluation with many digits.
template <Plane plane_kind>
struct LiteralOgden {
  static constexpr const char *name = "Ogden";        ///< name in the tests
  static double c33_scale(double c33) { return c33; } ///< size of the terms of C₃₃
  static Ogden law() { return {0.5, 0.15, 0.35, plane_kind}; }
  static constexpr double mu = 2. * 0.65,
                          lambda = 4. * 0.5; ///< constants of the 3D law, computed by hand

  /// Returns K with the digits of Number: the reference is stress-free only with this precision.
  template <typename Number>
  static Number k() {
    return Number(law().c1) + Number(2. * law().c2) + Number(law().d);
  }
  template <typename Number>
  static Number energy(const Number &I1, const Number &I2, const Number &I3) {
    using std::log;
    const double c1 = law().c1, c2 = law().c2, d = law().d;
    return c1 * (I1 - 3.) + c2 * (I2 - 3.) + d * (I3 - 1.) - k<Number>() * log(I3);
  }
  template <typename Number>
  static Number c33(const Components<Number> &c) {
    if (plane_kind == Plane::strain)
      return Number(1.);
    return k<Number>() / (law().c1 + law().c2 * (c[0] + c[1]) + law().d * determinant_of(c));
  }
};

struct LiteralNeoHooke {
  static constexpr const char *name = "NeoHooke";
  static double c33_scale(double c33) { return c33; }
  static NeoHooke law() { return {1.5, 0.8}; }
  static constexpr double mu = 0.8, lambda = 1.5;

  template <typename Number>
  static Number energy(const Number &I1, const Number &, const Number &I3) {
    using std::log;
    const Number L = log(I3);
    return 0.5 * mu * (I1 - 3. - L) + 0.125 * lambda * L * L;
  }
  template <typename Number>
  static Number c33(const Components<Number> &) {
    return Number(1.);
  }
};

/// Law with constants for which λ and λ* are exact.
template <Plane plane_kind>
struct LiteralStVenantKirchhoff {
  static constexpr const char *name = "StVenantKirchhoff";
  static double c33_scale(double) { return 1. + 2. * lambda / (lambda + 2. * mu); }
  static StVenantKirchhoff law() { return StVenantKirchhoff::from_young(1.875, 0.25, plane_kind); }
  static constexpr double mu = 0.75, lambda = 0.75;

  /// Returns the energy, with tr E = (I₁ − 3)/2 and tr C² = I₁² − 2 I₂.
  template <typename Number>
  static Number energy(const Number &I1, const Number &I2, const Number &) {
    return lambda / 8. * (I1 - 3.) * (I1 - 3.) + mu / 4. * (I1 * I1 - 2. * I2 - 2. * I1 + 3.);
  }
  template <typename Number>
  static Number c33(const Components<Number> &c) {
    if (plane_kind == Plane::strain)
      return Number(1.);
    return 1. - lambda * (c[0] + c[1] - 2.) / Number(lambda + 2. * mu);
  }
};

/// Types of all laws. A new law is added here.
using LiteralLaws = ::testing::Types<LiteralOgden<Plane::strain>, LiteralOgden<Plane::stress>,
                                     LiteralNeoHooke, LiteralStVenantKirchhoff<Plane::strain>,
                                     LiteralStVenantKirchhoff<Plane::stress>>;

/// Returns the energy of a 2D C and C₃₃ by the 3D law.
template <typename Literal, typename Number>
Number literal_energy(const Components<Number> &c, const Number &c33) {
  const Number tr = c[0] + c[1], det = determinant_of(c);
  return Literal::template energy<Number>(tr + c33, c33 * tr + det, c33 * det);
}

template <typename Literal, typename Number>
Number literal_energy(const Components<Number> &c) {
  return literal_energy<Literal, Number>(c, Literal::template c33<Number>(c));
}

/// Returns "NeoHookeInPlaneStrain", for the names of tests.
struct LawNames {
  template <typename Literal>
  static std::string GetName(int) {
    return std::string(Literal::name) +
           (Literal::law().plane == Plane::strain ? "InPlaneStrain" : "InPlaneStress");
  }
};

} // namespace percussion
